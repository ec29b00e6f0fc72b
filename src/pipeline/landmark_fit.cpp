// SPDX-License-Identifier: Apache-2.0
#include "pipeline/landmark_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/tally.h"
#include "dictionary/local_codes.h"
#include "extend/code_choice.h"
#include "foldout/core/error.h"
#include "pipeline/atoms.h"
#include "pipeline/model_confidence.h"
#include "pipeline/model_start.h"

namespace foldout {
namespace {

bool places_by_codes(const ModelSpec& spec) {
  return spec.extension.empty() || ComponentSpec::parse(spec.extension).name == "codes";
}

LandmarkOptions landmark_options(const ModelSpec& spec) {
  const ComponentSpec dictionary = ComponentSpec::parse(spec.dictionary);
  return find_dictionary(dictionary.name).landmarks(dictionary);
}

// What the dictionary says, and what is said to the extension codes, which counts.
CodesOptions asked_codes(const ModelSpec& spec) {
  const LandmarkOptions o = landmark_options(spec);
  CodesOptions codes{o.coding_tau, o.locality, o.ridge};
  if (!spec.extension.empty() && places_by_codes(spec))
    foldout::apply(ComponentSpec::parse(spec.extension), fields(codes));
  return codes;
}

// The same, with values for what is auto where held-out samples can tell them.
CodesOptions choose_codes(const Part& whole, Index n_atoms, const ModelSpec& spec, const RunContext& context,
                          Report& report) {
  const CodesOptions asked = asked_codes(spec);
  if (!places_by_codes(spec) || (asked.coding_tau && asked.locality)) return asked;
  return validated_codes(whole, n_atoms, spec, asked, context, report);
}

MadeExtension place_by_codes(const Atoms& atoms, CodesOptions codes, const ModelSpec& spec, const RunContext& context,
                             Report& report) {
  const Matrix& Y = atoms.fitted.embedding.coordinates;
  if (!codes.coding_tau || !codes.locality) codes = chosen_by_leaving_out(atoms.rows, Y, codes, context, report);
  if (!asked_codes(spec).coding_tau)
    codes.coding_tau = static_cast<int>(std::min<Index>(*codes.coding_tau, atoms.rows.rows()));
  if (!codes.ridge) codes.ridge = usual_ridge(atoms.rows, context);
  return {extend_codes(atoms.rows, Y, codes, TrainingPromise::kExact), spec_text("codes", fields(codes))};
}

// The extension that is asked for, over the atoms.
LandmarkFit extend_atoms(Atoms atoms, const CodesOptions& codes, const ModelSpec& spec, const RunContext& context,
                         Report report) {
  MadeExtension extension = places_by_codes(spec)
                                ? place_by_codes(atoms, codes, spec, context, report)
                                : make_extension(atoms.rows, atoms.fitted, spec.extension, context, report);
  atoms.fitted.embedding.report.absorb(report);
  return {std::move(atoms.rows), std::move(atoms.fitted), std::move(extension)};
}

Dictionary timed(const std::function<Dictionary(const ComponentSpec&)>& learn, const ComponentSpec& dictionary) {
  Report report;
  Dictionary learnt = [&] {
    const PhaseTimer timer(report, "dictionary");
    return learn(dictionary);
  }();
  learnt.report.absorb(report);
  return learnt;
}

Index wanted_atoms(const ComponentSpec& dictionary, Index n_samples) {
  const Index given = number_in(dictionary, "n_atoms");
  return given > 0 ? given : usual_atoms(n_samples);
}

}  // namespace

LandmarkFit fit_landmarks(const MatrixRef& samples, const std::vector<int>& labels, const ModelSpec& spec,
                          const std::function<Dictionary(const ComponentSpec&)>& learn, const RunContext& context) {
  const ComponentSpec dictionary = ComponentSpec::parse(spec.dictionary), method = parse_method(spec.method);
  Part whole{samples, labels, {}};
  std::optional<FittedMethod> of_all;
  if (landmark_options(spec).atom_coordinates == AtomCoordinates::kSamples) {
    of_all = find_method(method.name).fit(samples, labels, method, context);
    whole.coordinates = of_all->embedding.coordinates;
  }
  Report report;
  const CodesOptions codes = choose_codes(whole, wanted_atoms(dictionary, samples.rows()), spec, context, report);
  Atoms atoms =
      embed_atoms(whole, whole.samples, timed(learn, with_locality(dictionary, codes.locality)), method, context);
  if (!of_all) return extend_atoms(std::move(atoms), codes, spec, context, std::move(report));
  atoms.fitted.embedding.eigenvalues = of_all->embedding.eigenvalues;
  of_all->embedding.report.absorb(atoms.fitted.embedding.report);
  atoms.fitted.embedding.report = std::move(of_all->embedding.report);
  LandmarkFit fit = extend_atoms(std::move(atoms), codes, spec, context, std::move(report));
  fit.fitted.spec = of_all->spec;  // until here the atoms had coordinates from elsewhere
  return fit;
}

LandmarkFit fit_landmarks(const MatrixRef& samples, const std::vector<int>& labels, const ModelSpec& spec,
                          const RunContext& context) {
  const auto learn = [&](const ComponentSpec& dictionary) {
    return find_dictionary(dictionary.name).learn(samples, labels, dictionary, context);
  };
  return fit_landmarks(samples, labels, spec, learn, context);
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
