// SPDX-License-Identifier: Apache-2.0
#include "foldout/maps/out_of_sample_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/archive.h"
#include "core/check.h"
#include "core/parallel.h"
#include "core/rows.h"
#include "foldout/core/error.h"
#include "linalg/products.h"
#include "maps/counted_transform.h"
#include "maps/saved_info.h"

namespace foldout {

namespace {

// Few samples are still divided among the threads; many form blocks of the best size for products.
Index block_rows(Index n, const RunContext& context) {
  const Index blocks = Index{4} * context.threads();
  return std::clamp<Index>((n + blocks - 1) / blocks, 1, kBlockRows);
}

}  // namespace

Matrix OutOfSampleMap::transform(const MatrixRef& samples, const RunContext& context) const {
  Tally tally;
  return CountedTransform{*this}(samples, context, tally);
}

Matrix OutOfSampleMap::transform(const MatrixRef& samples, const RunContext& context, Report& report) const {
  Tally tally;
  Matrix coordinates = CountedTransform{*this}(samples, context, tally);
  tally.write(report, samples.rows());
  return coordinates;
}

std::vector<Index> OutOfSampleMap::visiting_order(const MatrixRef&, const RunContext&) const { return {}; }

Matrix CountedTransform::operator()(const MatrixRef& samples, const RunContext& context, Tally& tally) const {
  const MapInfo about = map.info();
  require_width(samples, about.n_features, about.name);
  require_finite(samples, about.name);
  if (const std::vector<Index> order = map.visiting_order(samples, context); !order.empty()) try {
      const Matrix placed = in_blocks(rows_of(samples, order), context, tally);
      Matrix coordinates(placed.rows(), placed.cols());
      for (Index i = 0; i < placed.rows(); ++i) coordinates.row(order[static_cast<std::size_t>(i)]) = placed.row(i);
      require_finite_coordinates(coordinates, about.name);
      return coordinates;
    } catch (const InvalidRow&) {  // thrown again below, with the row as given
    }
  Matrix coordinates = in_blocks(samples, context, tally);
  require_finite_coordinates(coordinates, about.name);
  return coordinates;
}

Matrix CountedTransform::in_blocks(const MatrixRef& samples, const RunContext& context, Tally& tally) const {
  Matrix coordinates(samples.rows(), map.info().n_components);
  const Index block = block_rows(samples.rows(), context);
  std::vector<Tally> tallies(static_cast<std::size_t>((samples.rows() + block - 1) / block));
  parallel_blocks(
      samples.rows(), block, context,
      [&](Index begin, Index end) {
        try {
          coordinates.middleRows(begin, end - begin) = map.transform_block(
              samples.middleRows(begin, end - begin), tallies[static_cast<std::size_t>(begin / block)]);
        } catch (const InvalidRow& error) {
          throw error.after(begin);
        }
      },
      "placing");
  for (std::size_t b = 0; b < tallies.size(); ++b) tally.absorb(tallies[b], static_cast<Index>(b) * block);
  return coordinates;
}

void require_finite_coordinates(const Matrix& coordinates, std::string_view map) {
  if (coordinates.allFinite()) return;
  for (Index i = 0; i < coordinates.rows(); ++i)  // e.g. samples so large that their squares overflow
    if (!coordinates.row(i).allFinite())
      throw NumericalError(
          fmt::format("{}: row {} has no finite coordinates: its values are beyond the range of "
                      "double precision, scale it like the training samples",
                      map, i));
}

SparseMatrix OutOfSampleMap::codes(const MatrixRef&, const RunContext&) const {
  throw InvalidArgument(
      fmt::format("{} does not reconstruct samples from training samples, so there are no codes: use the extension "
                  "sparse, lvm, lle, mode, codes, or nystrom on a graph",
                  info().name));
}

void save_info(const MapInfo& info, Archive& archive) {
  archive.put_text("name", info.name);
  archive.put_text("promise", name_of(info.promise));
  archive.put("shape", std::vector<std::int64_t>{info.n_features, info.n_components});
}

MapInfo load_info(const Archive& archive) {
  const auto shape = archive.integers("shape");
  constexpr std::int64_t kMost = 1 << 30;
  if (shape.size() != 2 || shape[0] < 1 || shape[0] > kMost || shape[1] < 1 || shape[1] > kMost)
    throw IoError("the shape of the map is out of range");
  return {archive.text("name"), shape[0], shape[1], parse_name<TrainingPromise>(archive.text("promise"))};
}

Matrix load_samples(const Archive& archive, Index n_features) {
  Matrix samples = archive.matrix("samples");
  if (samples.rows() < 1 || samples.cols() != n_features)
    throw IoError("the samples of the map have the wrong number of features");
  return samples;
}

}  // namespace foldout
