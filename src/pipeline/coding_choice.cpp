// SPDX-License-Identifier: Apache-2.0
// The codes that held-out samples choose: the best τ and λ of the trials.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>

#include "foldout/core/error.h"
#include "pipeline/coding_trial.h"

namespace foldout {
namespace {

// Where several are as good, the one in the middle: the ends of a range of good ones are near to bad ones.
int best_tau(const std::vector<int>& taus, const Merits& merits) {
  const double most = std::ranges::max(merits);
  std::vector<int> good;
  for (std::size_t t = 0; t < merits.size(); ++t)
    if (merits[t] == most) good.push_back(taus[t]);
  return good[good.size() / 2];
}

// Adds the merits of one more round. Dictionaries may differ in the number of atoms that were added, and so in the
// number of τ: those count that all have.
void add(std::vector<Merits>& sum, const std::vector<Merits>& more) {
  if (sum.empty()) sum.resize(more.size(), Merits(more.front().size(), 0));
  std::size_t common = sum.front().size();
  for (const Merits& merits : more) common = std::min(common, merits.size());
  for (std::size_t l = 0; l < sum.size(); ++l) {
    sum[l].resize(common);
    for (std::size_t t = 0; t < common; ++t) sum[l][t] += more[l][t];
  }
}

struct Trials {
  int rounds = 0;
  std::vector<Merits> merits;  // of each λ, the mean of the rounds
};

// A round in which the method fails is left out while another succeeds.
Trials make_trials(const CodingAim& aim) {
  Trials trials;
  std::exception_ptr failure;
  for (Index round = 0; round < coding_rounds(aim); ++round) {
    try {
      add(trials.merits, try_codes(aim, round));
      ++trials.rounds;
    } catch (const NumericalError&) {
      failure = std::current_exception();
    }
  }
  if (trials.rounds == 0) std::rethrow_exception(failure);
  for (Merits& merits : trials.merits)
    for (double& merit : merits) merit /= trials.rounds;
  return trials;
}

CodesOptions best_codes(const CodingAim& aim, Report& report) {
  const auto [rounds, merits] = make_trials(aim);
  const std::string_view measure = aim.whole.labels.empty() ? "placement_error" : "accuracy";
  const auto tell = [&](const std::string& of, double merit) {
    report.figure(fmt::format("{}_{}", measure, of), std::abs(merit));
  };
  CodesOptions best = aim.asked;
  const std::vector<double> localities = aim.localities();
  std::size_t chosen = 0;
  for (std::size_t l = 0; l < localities.size(); ++l) {
    if (!aim.asked.locality) tell(fmt::format("locality_{:g}", localities[l]), std::ranges::max(merits[l]));
    if (std::ranges::max(merits[l]) > std::ranges::max(merits[chosen])) chosen = l;
  }
  best.locality = localities[chosen];
  if (!aim.asked.coding_tau) {
    const std::vector<int> taus = coding_taus(std::numeric_limits<int>::max());
    best.coding_tau = best_tau(taus, merits[chosen]);
    for (std::size_t t = 0; t < merits[chosen].size(); ++t) tell(fmt::format("tau_{:03}", taus[t]), merits[chosen][t]);
  }
  std::string how = fmt::format("by the {} of held-out samples", measure);
  if (coding_rounds(aim) > 1) how += fmt::format(", in {} of {} rounds", rounds, coding_rounds(aim));
  tell_chosen(aim.asked, best, how, report);
  return best;
}

}  // namespace

CodesOptions validated_codes(const Part& whole, Index n_atoms, const ModelSpec& spec, const CodesOptions& asked,
                             const RunContext& context, Report& report) {
  const PhaseTimer timer(report, "validation of codes");
  constexpr std::string_view kInstead = "the codes were chosen by placing atoms that were left out, since";
  try {
    Report found;
    const CodingAim aim{whole, n_atoms, parse_method(spec.method), ComponentSpec::parse(spec.dictionary),
                        asked, context};
    const CodesOptions best = best_codes(aim, found);
    report.absorb(found);
    return best;
  } catch (const InvalidArgument& error) {
    report.note("coding_tau_from_atoms",
                fmt::format("{} a part of the samples cannot be used for validation: {}", kInstead, error.what()));
  } catch (const NumericalError& error) {
    report.note("coding_tau_from_atoms", fmt::format("{} validation failed: {}", kInstead, error.what()));
  }
  return asked;
}

}  // namespace foldout
