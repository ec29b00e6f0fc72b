// SPDX-License-Identifier: Apache-2.0
#include "pipeline/landmark_fit.h"

#include "foldout/extend/codes.h"
#include "pipeline/atoms.h"
#include "pipeline/model_confidence.h"
#include "pipeline/model_start.h"

namespace foldout {
namespace {

MadeExtension place_by_codes(const Part& whole, const Atoms& atoms, const ModelSpec& spec, LandmarkOptions o,
                             const RunContext& context, Report& report) {
  if (!spec.extension.empty()) {
    const auto codes = ComponentSpec::parse(spec.extension);
    CodesOptions given{o.coding_tau, o.locality, o.ridge};
    apply(codes, fields(given));
    o = {o.atom_coordinates, given.coding_tau, given.locality, given.ridge};
  }
  if (!o.coding_tau) o.coding_tau = choose_tau(whole, atoms, spec, o, context, report);
  CodesOptions codes{o.coding_tau, o.locality, o.ridge};
  return {extend_codes(atoms.rows, atoms.fitted.embedding.coordinates, codes, TrainingPromise::kExact),
          spec_text("codes", fields(codes))};
}

// The extension that is asked for, over the atoms.
LandmarkFit extend_atoms(const Part& whole, Atoms atoms, const ModelSpec& spec, const LandmarkOptions& o,
                         const RunContext& context) {
  Report report;
  const bool codes = spec.extension.empty() || ComponentSpec::parse(spec.extension).name == "codes";
  MadeExtension extension = codes ? place_by_codes(whole, atoms, spec, o, context, report)
                                  : make_extension(atoms.rows, atoms.fitted, spec.extension, context, report);
  atoms.fitted.embedding.report.absorb(report);
  return {std::move(atoms.rows), std::move(atoms.fitted), std::move(extension)};
}

LandmarkOptions landmark_options(const ModelSpec& spec) {
  const ComponentSpec dictionary = ComponentSpec::parse(spec.dictionary);
  return find_dictionary(dictionary.name).landmarks(dictionary);
}

}  // namespace

LandmarkFit fit_landmarks(const MatrixRef& samples, const std::vector<int>& labels, const ModelSpec& spec,
                          const RunContext& context) {
  const ComponentSpec dictionary = ComponentSpec::parse(spec.dictionary), method = parse_method(spec.method);
  const LandmarkOptions o = landmark_options(spec);
  Part whole{samples, labels, {}};
  if (o.atom_coordinates == AtomCoordinates::kOwn) {
    Atoms atoms = embed_atoms(whole, whole.samples, learn_dictionary(whole, dictionary, context), method, context);
    return extend_atoms(whole, std::move(atoms), spec, o, context);
  }
  FittedMethod of_all = find_method(method.name).fit(samples, labels, method, context);
  whole.coordinates = of_all.embedding.coordinates;
  Atoms atoms = embed_atoms(whole, whole.samples, learn_dictionary(whole, dictionary, context), method, context);
  atoms.fitted.embedding.eigenvalues = of_all.embedding.eigenvalues;
  of_all.embedding.report.absorb(atoms.fitted.embedding.report);
  atoms.fitted.embedding.report = std::move(of_all.embedding.report);
  LandmarkFit fit = extend_atoms(whole, std::move(atoms), spec, o, context);  // as coordinates from elsewhere
  fit.fitted.spec = of_all.spec;
  return fit;
}

LandmarkFit fit_landmarks(Dictionary learnt, const MatrixRef& samples, const std::vector<int>& labels,
                          const ModelSpec& spec, const RunContext& context) {
  const Part some{samples, labels, {}};
  Atoms atoms = embed_atoms(some, some.samples, std::move(learnt), parse_method(spec.method), context);
  return extend_atoms(some, std::move(atoms), spec, landmark_options(spec), context);
}

void rest_on(LandmarkFit landmarks, const MatrixRef& samples, Model& model, const RunContext& context) {
  require_finite_embedding(landmarks.fitted, model);
  model.spec.method = landmarks.fitted.spec;
  model.spec.extension = std::move(landmarks.extension.spec);
  model.map = std::move(landmarks.extension.map);
  model.eigenvalues = std::move(landmarks.fitted.embedding.eigenvalues);
  Report& report = landmarks.fitted.embedding.report;
  {
    const PhaseTimer timer(report, "placing the samples");
    Tally tally;
    model.coordinates = model.map->transform(samples, context, tally);
    tally.write(report, samples.rows());
  }
  {
    const PhaseTimer timer(report, "confidence");
    model.confidence = make_confidence(samples, model.map, std::move(landmarks.atoms), context);
  }
  model.report.absorb(report);
  learn_classifier(model, context);
}

}  // namespace foldout
