// SPDX-License-Identifier: Apache-2.0
#include "rank_rows.h"

#include <algorithm>

namespace foldout::mpi {
namespace {

// Nodes of an ordered sum as numbers, for a message; integers below 2⁵³ are exact.

void pack(const OrderedSum::Node& node, std::vector<double>& out) {
  SparseMatrix sparse = node.value.sparse;
  sparse.makeCompressed();
  const Matrix& dense = node.value.dense;
  for (const Index number : {node.first, Index{node.level}, dense.rows(), dense.cols(), sparse.rows(), sparse.cols(),
                             static_cast<Index>(sparse.nonZeros())})
    out.push_back(static_cast<double>(number));
  out.insert(out.end(), dense.data(), dense.data() + dense.size());
  if (sparse.size() == 0) return;
  for (Index i = 0; i <= sparse.rows(); ++i) out.push_back(sparse.outerIndexPtr()[i]);
  for (Index i = 0; i < sparse.nonZeros(); ++i) out.push_back(sparse.innerIndexPtr()[i]);
  out.insert(out.end(), sparse.valuePtr(), sparse.valuePtr() + sparse.nonZeros());
}

OrderedSum::Node unpack(const double*& in) {
  const auto number = [&] { return static_cast<Index>(*in++); };
  OrderedSum::Node node;
  node.first = number();
  node.level = static_cast<int>(number());
  const Index rows = number(), cols = number(), sparse_rows = number(), sparse_cols = number(), filled = number();
  node.value.dense = Eigen::Map<const Matrix>(in, rows, cols);
  in += rows * cols;
  node.value.sparse = SparseMatrix(sparse_rows, sparse_cols);
  if (node.value.sparse.size() == 0) return node;
  SparseMatrix& sparse = node.value.sparse;
  sparse.resizeNonZeros(filled);
  for (Index i = 0; i <= sparse_rows; ++i) sparse.outerIndexPtr()[i] = static_cast<int>(number());
  for (Index i = 0; i < filled; ++i) sparse.innerIndexPtr()[i] = static_cast<int>(number());
  std::copy_n(in, filled, sparse.valuePtr());
  in += filled;
  return node;
}

std::vector<double> packed(const std::vector<OrderedSum::Node>& nodes) {
  std::vector<double> out;
  for (const OrderedSum::Node& node : nodes) pack(node, out);
  return out;
}

void add_packed(const std::vector<double>& nodes, OrderedSum& sum) {
  for (const double* at = nodes.data(); at != nodes.data() + nodes.size();) sum.add(unpack(at));
}

}  // namespace

std::vector<Index> divided(Index n_rows, int n_ranks) {
  const Index n_parts = (n_rows + SampleRows::kPart - 1) / SampleRows::kPart;
  std::vector<Index> firsts;
  for (Index r = 0; r <= n_ranks; ++r)
    firsts.push_back(std::min(n_rows, (n_parts * r + n_ranks - 1) / n_ranks * SampleRows::kPart));
  return firsts;
}

std::size_t owner_of(Index row, const std::vector<Index>& firsts) {
  return static_cast<std::size_t>(std::ranges::upper_bound(firsts, row) - firsts.begin()) - 1;
}

Matrix RankRows::rows(const std::vector<Index>& picked) const {
  std::vector<double> mine;
  for (const Index row : picked)
    if (const Index i = row - first(); i >= 0 && i < samples_.rows())
      mine.insert(mine.end(), samples_.row(i).data(), samples_.row(i).data() + width());
  const std::vector<double> all = ranks_.gathered(mine);
  // The rows of each rank, in the order of `picked`.
  std::vector<Index> next(firsts_.size(), 0);
  for (const Index row : picked) next[owner_of(row, firsts_) + 1] += 1;
  for (std::size_t r = 1; r < next.size(); ++r) next[r] += next[r - 1];
  Matrix rows(std::ssize(picked), width());
  for (Index i = 0; i < rows.rows(); ++i) {
    const Index at = next[owner_of(picked[static_cast<std::size_t>(i)], firsts_)]++;
    rows.row(i) = Eigen::Map<const Eigen::RowVectorXd>(all.data() + at * width(), width());
  }
  return rows;
}

std::unique_ptr<SampleRows> RankRows::some(const std::vector<Index>& picked) const {
  const Matrix all = rows(picked);
  const std::vector<Index> firsts = divided(all.rows(), ranks_.size());
  const auto rank = static_cast<std::size_t>(ranks_.rank());
  return std::make_unique<RankRows>(all.middleRows(firsts[rank], firsts[rank + 1] - firsts[rank]), all.rows(), ranks_);
}

// Neighbouring ranks join their nodes, then pairs of pairs, and so on; rank 0 has the sum in the end.
Sums RankRows::total(OrderedSum of_held) const {
  ranks_.meet();
  for (int step = 1; step < ranks_.size(); step *= 2) {
    if (ranks_.rank() % (2 * step) == step) {
      ranks_.send(packed(of_held.nodes()), ranks_.rank() - step);
      break;
    }
    if (ranks_.rank() % (2 * step) == 0 && ranks_.rank() + step < ranks_.size())
      add_packed(ranks_.receive(ranks_.rank() + step), of_held);
  }
  std::vector<double> sum;
  if (ranks_.is_root()) sum = packed({{0, 0, std::move(of_held).total()}});
  sum = ranks_.gathered(sum);
  const double* at = sum.data();
  return unpack(at).value;
}

}  // namespace foldout::mpi
