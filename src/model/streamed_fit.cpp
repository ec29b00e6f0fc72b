// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "components/preparing.h"
#include "components/rows.h"
#include "core/check.h"
#include "core/random.h"
#include "dictionary/starting_atoms.h"
#include "foldout/core/error.h"
#include "model/fit_model.h"

namespace foldout {
namespace {

struct Drawn {
  std::vector<Eigen::RowVectorXd> samples;
  std::vector<std::string> labels;
  Index n_seen = 0;

  void put(std::size_t at, const Matrix& block, Index row, const std::string& label) {
    samples[at] = block.row(row);
    labels[at] = label;
  }
};

const std::string& label_of(const std::vector<std::string>& of_all, const SampleStream& stream, Index n_before,
                            Index row) {
  static const std::string kNone;
  if (of_all.empty()) return stream.labels().empty() ? kNone : stream.labels()[static_cast<std::size_t>(row)];
  const auto at = static_cast<std::size_t>(n_before + row);
  if (at >= of_all.size())
    throw InvalidArgument(fmt::format("{} has more samples than the {} labels: one label per sample is needed",
                                      stream.name(), of_all.size()));
  return of_all[at];
}

void require_labels(const std::vector<std::string>& labels, Index n_samples) {
  if (!labels.empty() && std::ssize(labels) != n_samples)
    throw InvalidArgument(
        fmt::format("{} labels for {} samples: one label per sample is needed", labels.size(), n_samples));
}

// Checked before samples are drawn, so that a message gives the row in the file.
void require_range(const Matrix& block, Index n_before) {
  require_samples(block, 1, n_before == 0 ? "fit" : fmt::format("fit, counted from sample {}", n_before));
}

// Every sample is drawn with equal probability (Vitter's algorithm R); of a stream that can be read only once, the
// first `count` are taken.
Drawn draw(SampleStream& stream, const std::vector<std::string>& labels, Index count, Index batch_size,
           std::uint64_t seed, bool prepared_later) {
  Drawn drawn;
  Rng rng(seed);
  for (Matrix block; (stream.can_restart() || drawn.n_seen < count) && stream.next(block, batch_size);) {
    if (!prepared_later) require_range(block, drawn.n_seen);
    for (Index i = 0, n = drawn.n_seen; i < block.rows(); ++i, ++drawn.n_seen) {
      const std::string& label = label_of(labels, stream, n, i);
      std::size_t at = drawn.samples.size();
      if (drawn.n_seen < count || !stream.can_restart()) {
        drawn.samples.emplace_back();
        drawn.labels.emplace_back();
      } else {
        at = static_cast<std::size_t>(rng.below(static_cast<std::uint64_t>(drawn.n_seen) + 1));
        if (at >= drawn.samples.size()) continue;
      }
      drawn.put(at, block, i, label);
    }
  }
  if (drawn.n_seen == 0) throw IoError(stream.name() + ": there are no samples");
  if (stream.can_restart()) require_labels(labels, drawn.n_seen);
  return drawn;
}

Dataset dataset_of(const Drawn& drawn, const SampleStream& stream) {
  Dataset data;
  data.samples.resize(std::ssize(drawn.samples), drawn.samples.front().size());
  for (std::size_t i = 0; i < drawn.samples.size(); ++i) data.samples.row(static_cast<Index>(i)) = drawn.samples[i];
  data.image = stream.image();
  data.resized = stream.info().resized;
  data.table = stream.info().table;
  data.warnings = stream.info().warnings;
  if (!drawn.labels.front().empty()) data.labels = make_labels(drawn.labels);
  return data;
}

void check_request(const ModelSpec& spec, const DictionaryPlan& plan, const SampleStream& stream) {
  if (plan.atom_coordinates == AtomCoordinates::kSamples)
    throw InvalidArgument(
        "atom_coordinates=samples embeds all samples and needs them in memory: use own, or omit batch_size");
  spec.dictionary.row().check_batches(spec.dictionary.options(), !stream.can_restart());
}

// The stream for the learner: preprocessed and counted.
class PreparedStream final : public SampleStream {
 public:
  PreparedStream(SampleStream& stream, const Model& model, Index n_features, Index n_before, const RunContext& context)
      : stream_(stream), model_(model), n_before_(n_before), context_(context) {
    info_ = {.name = stream.name(), .n_features = n_features, .can_restart = stream.can_restart()};
  }

  bool next(Matrix& batch, Index max_rows) override {
    if (!stream_.next(batch, max_rows)) return false;
    if (!model_.steps.empty()) batch = apply_steps(batch, model_.steps, context_);
    require_range(batch, count_ + first());
    count_ += batch.rows();
    return true;
  }
  void restart() override {
    stream_.restart();
    count_ = 0;
  }
  [[nodiscard]] double fraction() const override { return stream_.fraction(); }

  /// Samples of a whole pass, including those drawn before if the stream cannot restart.
  [[nodiscard]] Index n_samples() const { return std::max(n_before_, count_ + first()); }

 private:
  [[nodiscard]] Index first() const { return stream_.can_restart() ? 0 : n_before_; }

  SampleStream& stream_;
  const Model& model_;
  Index n_before_;
  const RunContext& context_;
  Index count_ = 0;
};

}  // namespace

bool learns_from_batches(const ModelSpec& spec) {
  return spec.dictionary && spec.dictionary.row().plan(spec.dictionary.options()).batch_size > 0;
}

Model fit_streamed(SampleStream& stream, const std::vector<std::string>& labels, const ModelSpec& given,
                   const RunContext& context) {
  if (!learns_from_batches(given)) throw InvalidArgument("fit_streamed needs a dictionary with a batch_size");
  const ModelSpec spec = completed(given);
  const DictionaryPlan dictionary = spec.dictionary.row().plan(spec.dictionary.options());
  check_request(spec, dictionary, stream);
  const Drawn drawn = draw(stream, labels, kStartPerAtom * dictionary.n_atoms.value_or(0), dictionary.batch_size,
                           dictionary.seed, !spec.preprocess.empty());
  const Dataset some = dataset_of(drawn, stream);
  const std::vector<int> some_labels = some.labels ? some.labels->index : std::vector<int>{};
  Matrix prepared;
  Model model = start_model(some.samples, some, spec, prepared, context);
  const MatrixRef samples = model.steps.empty() ? MatrixRef(some.samples) : MatrixRef(prepared);

  const AllRows rows(samples);
  LandmarkPlan plan = plan_landmarks(rows, some_labels, spec, context);
  PreparedStream batches(stream, model, samples.cols(), drawn.n_seen, context);
  Report timed;
  Dictionary learned = [&] {
    const PhaseTimer timer(timed, "dictionary");
    return spec.dictionary.row().learn_batches(samples, batches, plan.dictionary, context);
  }();
  model.n_samples = batches.n_samples();
  require_labels(labels, model.n_samples);
  learned.report.figure("n_samples_streamed", static_cast<double>(model.n_samples));
  if (!model.steps.empty() && some.samples.rows() < model.n_samples)
    learned.report.note("steps_from_some", fmt::format("preprocessing was fitted to {} of the {} samples",
                                                       some.samples.rows(), model.n_samples));
  learned.report.absorb(timed);
  finish_on_landmarks(model, finish_landmarks(rows, some_labels, spec, std::move(plan), std::move(learned), context),
                      rows, context);
  return model;
}

}  // namespace foldout
