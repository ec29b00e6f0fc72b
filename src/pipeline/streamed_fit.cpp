// SPDX-License-Identifier: Apache-2.0
#include "foldout/pipeline/streamed_fit.h"

#include <fmt/format.h>

#include <charconv>

#include "core/check.h"
#include "core/random.h"
#include "dictionary/starting_atoms.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/core/spec.h"
#include "pipeline/landmark_fit.h"
#include "pipeline/model_start.h"

namespace foldout {
namespace {

std::uint64_t seed_in(const ComponentSpec& spec) {
  const std::string* text = spec.find("seed");
  std::uint64_t seed = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), seed);
  return seed;
}

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

// Before samples are drawn, whose numbers say nothing to the reader of the message.
void require_range(const Matrix& block, Index n_before) {
  require_samples(block, 1, n_before == 0 ? "fit" : fmt::format("fit, counted from sample {}", n_before));
}

// Every sample has the same chance to be among the `count` (Vitter's algorithm R); of a stream that comes once, the
// first ones are.
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
  if (!drawn.labels.front().empty()) data.labels = make_labels(drawn.labels);
  return data;
}

void check_request(const ModelSpec& spec, const ComponentSpec& dictionary, const SampleStream& stream) {
  check_spec(spec);
  if (*dictionary.find("atom_coordinates") == "samples")
    throw InvalidArgument(
        "atom_coordinates=samples embeds all samples and needs them in memory: use own, or leave out batch_size");
  find_dictionary(dictionary.name).check_batches(dictionary, !stream.can_restart());
}

}  // namespace

bool learns_from_batches(const ModelSpec& spec) {
  return !spec.dictionary.empty() && number_in(ComponentSpec::parse(completed_dictionary(spec)), "batch_size") > 0;
}

Model fit_streamed(SampleStream& stream, const std::vector<std::string>& labels, const ModelSpec& spec,
                   const RunContext& context) {
  const ComponentSpec dictionary = ComponentSpec::parse(completed_dictionary(spec));
  check_request(spec, dictionary, stream);
  const Index batch_size = number_in(dictionary, "batch_size");
  const Drawn drawn = draw(stream, labels, kStartPerAtom * number_in(dictionary, "n_atoms"), batch_size,
                           seed_in(dictionary), !spec.preprocess.empty());
  const Dataset some = dataset_of(drawn, stream);
  Matrix prepared;
  Model model = start_model(some, spec, prepared, context);
  if (model.steps.empty()) prepared = some.samples;
  model.spec.dictionary = dictionary.text();
  Index n_samples = 0;
  SampleBatches batches;
  batches.next = [&](Matrix& batch) {
    if (!stream.next(batch, batch_size)) return false;
    if (!model.steps.empty()) batch = apply_steps(batch, model.steps, context);
    require_range(batch, n_samples + (stream.can_restart() ? 0 : drawn.n_seen));
    n_samples += batch.rows();
    return true;
  };
  if (stream.can_restart()) batches.restart = [&] { stream.restart(), n_samples = 0; };
  const auto learn = [&](const ComponentSpec& chosen) {
    Dictionary learnt = find_dictionary(chosen.name).learn_batches(prepared, batches, chosen, context);
    n_samples = std::max(drawn.n_seen, n_samples + (stream.can_restart() ? 0 : drawn.n_seen));
    require_labels(labels, n_samples);
    learnt.report.figure("n_samples_streamed", static_cast<double>(n_samples));
    if (!model.steps.empty() && some.samples.rows() < n_samples)
      learnt.report.note("steps_from_some", fmt::format("preprocessing was learnt from {} of the {} samples",
                                                        some.samples.rows(), n_samples));
    return learnt;
  };
  LandmarkFit landmarks =
      fit_landmarks(prepared, some.labels ? some.labels->index : std::vector<int>{}, model.spec, learn, context);
  rest_on(std::move(landmarks), prepared, model, context);
  return model;
}

}  // namespace foldout
