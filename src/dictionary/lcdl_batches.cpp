// SPDX-License-Identifier: Apache-2.0
// LCDL from batches. After each batch the atoms move by Eq. (12), with a system in which older samples are discounted:
// a batch of b samples multiplies the previous sums by 1 − b/n, where n is the number of samples so far, at most that
// of a pass. Codes computed with older atoms are thus forgotten, as in the online learning of J. Mairal et al., JMLR 11
// (2010). The samples used for initialisation are the first batch.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/check.h"
#include "core/random.h"
#include "dictionary/atom_system.h"
#include "dictionary/improve.h"
#include "dictionary/learning.h"
#include "dictionary/local_codes.h"
#include "dictionary/starting_atoms.h"
#include "foldout/core/error.h"
#include "foldout/dictionary/lcdl.h"

namespace foldout {

namespace {

int passes(const LcdlOptions& o) { return o.max_iterations.value_or(15); }

}  // namespace

void check_batches(const LcdlOptions& options, bool once) {
  LcdlOptions o = options;
  check_fields(fields(o), "lcdl");
  if (!o.batch_size) throw InvalidArgument("lcdl: learning in batches needs batch_size");
  if (!o.n_atoms)
    throw InvalidArgument("lcdl: batch_size needs n_atoms: the number of samples is not known in advance");
  if (o.atoms_per_class || o.monotone || o.outliers > 0)
    throw InvalidArgument(
        "lcdl: batch_size cannot be combined with atoms_per_class, monotone or outliers, which need all samples at "
        "once: omit it");
  if (once && passes(o) > 1)
    throw InvalidArgument(
        "lcdl: standard input can be read only once: give max_iterations=1, or read the samples from a file");
}

namespace {

// The atoms, and the discounted sums over the batches so far.
class OnlineLcdl {
 public:
  OnlineLcdl(Matrix atoms, const LcdlOptions& o)
      : atoms_(std::move(atoms)),
        tau_(static_cast<int>(std::min<Index>(o.tau, atoms_.rows()))),
        weights_{o.locality, o.ridge ? *o.ridge : usual_ridge(atoms_)} {}

  /// Returns the sum of the costs of the codes.
  double learn(const MatrixRef& batch, const RunContext& context) {
    require_samples(batch, 1, "lcdl");
    require_width(batch, atoms_.cols(), "lcdl");
    const LocalCodes X = LocalCoding(atoms_, tau_, weights_).code(batch, context);
    const AllRows rows(batch);
    AtomSystem system(rows, X.codes, squared, weights_.locality, context);
    n_seen_ += batch.rows();
    const Index window = n_pass_ > 0 ? std::min(n_seen_, n_pass_) : n_seen_;
    if (system_)
      system_->add(system, std::max(0.0, 1 - static_cast<double>(batch.rows()) / static_cast<double>(window)));
    else
      system_ = std::move(system);
    move_atoms(*system_, atoms_, context);
    reseed(rows, X.costs);
    return X.costs.sum();
  }

  void end_pass(Index n_samples) {
    n_pass_ = n_samples;
    pass_ended_ = true;
  }
  [[nodiscard]] Index reseeded() const { return reseeded_; }
  [[nodiscard]] Matrix& atoms() { return atoms_; }

 private:
  // Once per pass, atoms hardly used by any code are reset to the worst-coded samples of a batch.
  void reseed(const SampleRows& batch, const Vector& costs) {
    if (!pass_ended_) return;
    pass_ended_ = false;
    constexpr double kHardly = 1e-6;
    const Vector usage = system_->Q.diagonal();
    const Vector worth = (usage.array() > kHardly * usage.mean()).select(usage, 0);
    reseeded_ += reseed_unused(batch, worth, costs, atoms_);
  }

  Matrix atoms_;
  int tau_;
  LocalCodeWeights weights_;
  std::optional<AtomSystem> system_;
  Index n_seen_ = 0, n_pass_ = 0, reseeded_ = 0;
  bool pass_ended_ = false;
};

Dictionary finish(OnlineLcdl& online, const LcdlOptions& o, std::vector<DictionaryObjective> objective) {
  Dictionary result;
  result.objective = std::move(objective);
  note_reseeded(online.reseeded(), result.report);
  result.atoms = std::move(online.atoms());
  note_reduced(*o.n_atoms, result);
  note_tau(o.tau, result);
  report_atoms(result);
  return result;
}

Matrix start_from(const MatrixRef& samples, const LcdlOptions& o, const RunContext& context) {
  require_samples(samples, 1, "lcdl");
  if (samples.rows() < *o.n_atoms)
    throw InvalidArgument(
        fmt::format("lcdl: n_atoms = {} must be at most the number of samples, {}", *o.n_atoms, samples.rows()));
  return starting_atoms(AllRows(samples), *o.n_atoms, o.start, o.seed, context);
}

}  // namespace

Dictionary learn_lcdl_in_batches(const MatrixRef& first, SampleStream& samples, const LcdlOptions& o,
                                 const RunContext& context) {
  const bool once = !samples.can_restart();
  check_batches(o, once);
  OnlineLcdl online(start_from(first, o, context), o);
  const double first_cost = online.learn(first, context);
  std::vector<DictionaryObjective> objective;
  for (int t = 0; t < passes(o); ++t) {
    double costs = once ? first_cost : 0;
    Index n = once ? first.rows() : 0;
    if (!once) samples.restart();
    for (Matrix batch; samples.next(batch, *o.batch_size); n += batch.rows()) {
      costs += online.learn(batch, context);
      context.tick("dictionary", static_cast<double>(t) / passes(o));
    }
    online.end_pass(n);
    objective.push_back({costs, costs});
    if (settled(objective, o.tolerance)) break;
  }
  return finish(online, o, std::move(objective));
}

}  // namespace foldout
