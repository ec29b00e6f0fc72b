// SPDX-License-Identifier: Apache-2.0
#include "landmarks/landmark_fit.h"

#include <algorithm>

#include "components/extending.h"
#include "components/rows.h"
#include "dictionary/improve.h"
#include "dictionary/local_codes.h"
#include "extend/code_choice.h"
#include "extend/makers.h"
#include "landmarks/atoms.h"
#include "landmarks/code_validation.h"

namespace foldout {
namespace {

const Matrix kNoCoordinates;

bool places_by_codes(const ModelSpec& spec) { return spec.extension.name() == "codes"; }

DictionaryPlan plan_of(const ModelSpec& spec) { return spec.dictionary.row().plan(spec.dictionary.options()); }

TrainingPart all_of(const SampleRows& samples, const std::vector<int>& labels, const LandmarkPlan& plan) {
  return {samples, labels, plan.of_all ? plan.of_all->embedding->coordinates : kNoCoordinates};
}

// The codes over the atoms, with values for what is still auto.
LandmarkFit place_by_codes(Atoms atoms, CodesOptions codes, bool tau_given, const RunContext& context) {
  Report report;
  const Matrix& Y = atoms.fitted.embedding->coordinates;
  if (!codes.coding_tau || !codes.locality) codes = chosen_by_leaving_out(atoms.rows, Y, codes, context, report);
  if (!tau_given) codes.coding_tau = static_cast<int>(std::min<Index>(*codes.coding_tau, atoms.rows.rows()));
  if (!codes.ridge) codes.ridge = usual_ridge(atoms.rows, context);
  Extension extension{make_codes_map(atoms.rows, Y, codes, TrainingPromise::kExact), std::move(report)};
  return {std::move(atoms.rows), std::move(atoms.fitted), std::move(extension), codes};
}

}  // namespace

LandmarkPlan plan_landmarks(const SampleRows& samples, const std::vector<int>& labels, const ModelSpec& spec,
                            const RunContext& context) {
  const DictionaryPlan dictionary = plan_of(spec);
  LandmarkPlan plan;
  plan.dictionary = spec.dictionary.options();
  if (dictionary.atom_coordinates == AtomCoordinates::kSamples) {
    require_whole(samples, "atom_coordinates=samples");
    plan.of_all = spec.method.row().fit(samples.held(), labels, spec.method, context);
  }
  plan.codes = places_by_codes(spec) ? spec.extension.as<CodesOptions>() : dictionary.codes;
  if (places_by_codes(spec) && (!plan.codes.coding_tau || !plan.codes.locality))
    plan.codes =
        validated_codes(all_of(samples, labels, plan), dictionary.n_atoms.value_or(usual_atoms(samples.size())), spec,
                        plan.codes, context, plan.report);
  if (plan.codes.locality && dictionary.learns_with_locality)
    plan.dictionary = spec.dictionary.row().with_locality(plan.dictionary, *plan.codes.locality);
  return plan;
}

LandmarkFit finish_landmarks(const SampleRows& samples, const std::vector<int>& labels, const ModelSpec& spec,
                             LandmarkPlan plan, Dictionary learned, const RunContext& context) {
  Atoms atoms = embed_atoms(all_of(samples, labels, plan), samples, std::move(learned), spec.method, context);
  Embedding& embedding = *atoms.fitted.embedding;
  if (plan.of_all) {
    embedding.eigenvalues = plan.of_all->embedding->eigenvalues;
    plan.of_all->embedding->report.absorb(embedding.report);
    embedding.report = std::move(plan.of_all->embedding->report);
  }
  LandmarkFit fit;
  if (places_by_codes(spec)) {
    const bool tau_given = spec.extension.as<CodesOptions>().coding_tau.has_value();
    fit = place_by_codes(std::move(atoms), plan.codes, tau_given, context);
  } else {
    Extension extension = make_extension(atoms.rows, atoms.fitted, spec.extension, context);
    fit = {std::move(atoms.rows), std::move(atoms.fitted), std::move(extension), spec.extension};
  }
  Report& report = fit.fitted.embedding->report;
  report.absorb(plan.report);
  report.absorb(fit.extension.report);
  return fit;
}

LandmarkFit fit_landmarks(const SampleRows& samples, const std::vector<int>& labels, const ModelSpec& spec,
                          const RunContext& context) {
  LandmarkPlan plan = plan_landmarks(samples, labels, spec, context);
  Report timed;
  Dictionary learned = [&] {
    const PhaseTimer timer(timed, "dictionary");
    return spec.dictionary.row().learn(samples, labels, plan.dictionary, context);
  }();
  learned.report.absorb(timed);
  return finish_landmarks(samples, labels, spec, std::move(plan), std::move(learned), context);
}

}  // namespace foldout
