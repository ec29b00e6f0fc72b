// SPDX-License-Identifier: Apache-2.0
#include "neighbor_search.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "core/rows.h"
#include "linalg/distance.h"

namespace foldout::mpi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The square of a distance is not the sum that it is the root of; two sums may have the same root.
double measure_of(const double* a, const double* b, Index d, double distance, Metric metric) {
  return metric == Metric::kEuclidean ? squared_distance(a, b, d) : distance;
}

// The neighbours of query i in a table, whose samples are those of `where`.
template <class Sink>
void visit_neighbors(const NeighborTable& table, Index i, const double* query, const LocalSamples& where, Metric metric,
                     const Sink& sink) {
  for (std::size_t j = 0; j < static_cast<std::size_t>(table.k); ++j) {
    const int at = table.of(i)[j];
    const double distance = table.distances_of(i)[j];
    sink(Found{measure_of(query, where.rows.row(at).data(), where.rows.cols(), distance, metric), distance,
               where.indices[static_cast<std::size_t>(at)]});
  }
}

// The k nearest found so far of every sample, in order.
class Lists {
 public:
  Lists(Index n, Index k) : found_(static_cast<std::size_t>(n * k)), counts_(static_cast<std::size_t>(n), 0), k_(k) {}

  /// Beyond this, no candidate is a neighbour.
  [[nodiscard]] double reach(Index i) const {
    return count(i) < k_ ? kInfinity : found_[static_cast<std::size_t>(i * k_ + k_ - 1)].measure;
  }
  /// `candidates` in order.
  void merge(Index i, const std::vector<Found>& candidates) {
    const auto list = found_.begin() + i * k_;
    merged_.clear();
    std::merge(list, list + count(i), candidates.begin(), candidates.end(), std::back_inserter(merged_));
    const Index kept = std::min(k_, std::ssize(merged_));
    std::copy_n(merged_.begin(), kept, list);
    counts_[static_cast<std::size_t>(i)] = static_cast<int>(kept);
  }
  [[nodiscard]] std::vector<Found> all() && { return std::move(found_); }

 private:
  [[nodiscard]] Index count(Index i) const { return counts_[static_cast<std::size_t>(i)]; }

  std::vector<Found> found_, merged_;
  std::vector<int> counts_;
  Index k_;
};

// Adds the neighbours of the samples of this rank in a table to their lists.
void add(const NeighborTable& table, const LocalSamples& own, const LocalSamples& where, Metric metric, Lists& lists) {
  std::vector<Found> candidates;
  for (Index i = 0; i < own.rows.rows(); ++i) {
    candidates.clear();
    visit_neighbors(table, i, own.rows.row(i).data(), where, metric,
                    [&](const Found& found) { candidates.push_back(found); });
    lists.merge(i, candidates);
  }
}

// The neighbours among the samples of this rank.
void search_own(const LocalSamples& own, Index k, const NeighborOptions& options, const RunContext& context,
                Lists& lists) {
  const Index n = own.rows.rows();
  if (n < 2) return;
  add(nearest_neighbors(own.rows, std::min(k, n - 1), options, context), own, own, options.metric, lists);
}

// ---- A ring

std::vector<double> packed(const LocalSamples& samples) {
  std::vector<double> out(samples.indices.begin(), samples.indices.end());
  out.insert(out.end(), samples.rows.data(), samples.rows.data() + samples.rows.size());
  return out;
}

LocalSamples unpacked(const std::vector<double>& in, Index d) {
  const Index n = std::ssize(in) / (d + 1);
  return {Eigen::Map<const Matrix>(in.data() + n, n, d), {in.begin(), in.begin() + n}};
}

void search_ring(const LocalSamples& own, Index k, const NeighborOptions& options, const Ranks& ranks,
                 const RunContext& context, Lists& lists) {
  const Index d = own.rows.cols();
  const auto next = static_cast<std::size_t>((ranks.rank() + ranks.size() - 1) % ranks.size());
  std::vector<double> visiting = packed(own);
  for (int step = 1; step < ranks.size(); ++step) {
    std::vector<std::vector<double>> out(static_cast<std::size_t>(ranks.size()));
    out[next] = std::move(visiting);
    visiting.clear();
    for (std::vector<double>& in : ranks.exchange(out))
      if (!in.empty()) visiting = std::move(in);
    const LocalSamples guests = unpacked(visiting, d);
    if (guests.rows.rows() == 0 || own.rows.rows() == 0) continue;
    add(make_neighbor_index(guests.rows, options)->query(own.rows, std::min(k, guests.rows.rows()), context), own,
        guests, options.metric, lists);
  }
}

// ---- Bisection

// An estimate of the distribution of the samples of a rank along a feature: some of its values, in order.
constexpr std::size_t kQuantiles = 256;

std::vector<double> quantiles(const Matrix& rows, Index feature) {
  constexpr std::size_t kLooked = 16 * kQuantiles;
  const auto n = static_cast<std::size_t>(rows.rows());
  std::vector<double> values, some;
  for (std::size_t i = 0; i < std::min(n, kLooked); ++i)
    values.push_back(rows(static_cast<Index>(n <= kLooked ? i : i * n / kLooked), feature));
  std::ranges::sort(values);
  for (std::size_t q = 0; q < kQuantiles && !values.empty(); ++q)
    some.push_back(values[values.size() * (2 * q + 1) / (2 * kQuantiles)]);
  some.resize(kQuantiles, kInfinity);
  return some;
}

// The least and the greatest value of each feature; without samples, the reverse of everything.
std::vector<double> box_of(const Matrix& rows) {
  std::vector<double> box(static_cast<std::size_t>(2 * rows.cols()), kInfinity);
  for (Index f = 0; f < rows.cols(); ++f) {
    const auto at = static_cast<std::size_t>(2 * f);
    box[at] = rows.rows() > 0 ? rows.col(f).minCoeff() : kInfinity;
    box[at + 1] = rows.rows() > 0 ? rows.col(f).maxCoeff() : -kInfinity;
  }
  return box;
}

// The ranks that still divide samples among themselves.
struct Group {
  std::size_t begin = 0, end = 1;
  [[nodiscard]] std::size_t size() const { return end - begin; }
  [[nodiscard]] std::size_t middle() const { return begin + size() / 2; }
};

// The feature along which the samples of a group extend farthest.
Index longest_feature(const std::vector<double>& boxes, const Group& group, Index d) {
  Index longest = 0;
  double most = -kInfinity;
  for (Index f = 0; f < d; ++f) {
    double low = kInfinity, high = -kInfinity;
    for (std::size_t r = group.begin; r < group.end; ++r) {
      low = std::min(low, boxes[r * static_cast<std::size_t>(2 * d) + static_cast<std::size_t>(2 * f)]);
      high = std::max(high, boxes[r * static_cast<std::size_t>(2 * d) + static_cast<std::size_t>(2 * f) + 1]);
    }
    if (high - low > most) {
      most = high - low;
      longest = f;
    }
  }
  return longest;
}

// Where to cut so that the lower ranks of the group get their share.
double cut_of(const std::vector<double>& all_quantiles, const std::vector<std::int64_t>& counts, const Group& group) {
  std::vector<std::pair<double, double>> weighted;
  double total = 0;
  for (std::size_t r = group.begin; r < group.end; ++r)
    for (std::size_t q = 0; q < kQuantiles && counts[r] > 0; ++q) {
      const double weight = static_cast<double>(counts[r]) / kQuantiles;
      weighted.emplace_back(all_quantiles[r * kQuantiles + q], weight);
      total += weight;
    }
  std::ranges::sort(weighted);
  double left = total * static_cast<double>(group.size() / 2) / static_cast<double>(group.size());
  for (const auto& [value, weight] : weighted)
    if ((left -= weight) < 0) return value;
  return kInfinity;
}

// Samples from several ranks, each in the order of its indices, in one such order.
LocalSamples joined(const std::vector<std::vector<double>>& parts, Index d) {
  const auto stride = static_cast<std::size_t>(d) + 1;
  std::vector<std::pair<std::int64_t, const double*>> order;
  for (const std::vector<double>& part : parts) {
    const auto middle = std::ssize(order);
    for (std::size_t at = 0; at < part.size(); at += stride)
      order.emplace_back(static_cast<std::int64_t>(part[at]), part.data() + at + 1);
    std::inplace_merge(order.begin(), order.begin() + middle, order.end());
  }
  LocalSamples samples{Matrix(std::ssize(order), d), std::vector<std::int64_t>(order.size())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    samples.indices[i] = order[i].first;
    std::copy_n(order[i].second, d, samples.rows.row(static_cast<Index>(i)).data());
  }
  return samples;
}

// Every rank gets the samples in a box of its own.
LocalSamples bisected(LocalSamples samples, const Ranks& ranks) {
  const Index d = samples.rows.cols();
  const auto rank = static_cast<std::size_t>(ranks.rank()), n_ranks = static_cast<std::size_t>(ranks.size());
  Group group{0, n_ranks};
  for (std::size_t widest = n_ranks; widest > 1; widest = (widest + 1) / 2) {
    const std::vector<double> boxes = ranks.gathered(box_of(samples.rows));
    const std::vector<std::int64_t> counts = ranks.all_of(samples.rows.rows());
    const Index feature = longest_feature(boxes, group, d);
    const std::vector<double> all_quantiles = ranks.gathered(quantiles(samples.rows, feature));
    const double cut = cut_of(all_quantiles, counts, group);
    std::vector<std::vector<double>> out(n_ranks);
    for (std::vector<double>& part : out)
      part.reserve(static_cast<std::size_t>(2 * samples.rows.rows() * (d + 1)) / n_ranks);
    std::size_t low = rank, high = rank;  // the samples of a rank are spread evenly
    for (Index i = 0; i < samples.rows.rows(); ++i) {
      std::size_t to = rank;
      if (group.size() > 1) {
        const bool is_low = samples.rows(i, feature) < cut;
        const std::size_t n_low = group.middle() - group.begin, n_high = group.end - group.middle();
        to = is_low ? group.begin + low++ % n_low : group.middle() + high++ % n_high;
      }
      out[to].push_back(static_cast<double>(samples.indices[static_cast<std::size_t>(i)]));
      out[to].insert(out[to].end(), samples.rows.row(i).data(), samples.rows.row(i).data() + d);
    }
    samples = joined(ranks.exchange(out), d);
    if (group.size() > 1)
      group = rank < group.middle() ? Group{group.begin, group.middle()} : Group{group.middle(), group.end};
  }
  return samples;
}

double squared_gap(const double* sample, const double* box, Index d) {
  double sum = 0;
  for (Index f = 0; f < d; ++f) {
    const double gap = std::max({0.0, box[2 * f] - sample[f], sample[f] - box[2 * f + 1]});
    sum += gap * gap;
  }
  return sum;
}

// The samples that may be within a squared distance of any query: those in the box of the queries, or near it.
LocalSamples within_reach(const LocalSamples& samples, const Matrix& queries, double reach) {
  constexpr double kRounding = 1 + 1e-12;
  const std::vector<double> box = box_of(queries);
  LocalSamples near;
  std::vector<Index> picked;
  for (Index i = 0; i < samples.rows.rows(); ++i)
    if (squared_gap(samples.rows.row(i).data(), box.data(), queries.cols()) <= reach * kRounding) picked.push_back(i);
  near.rows = rows_of(samples.rows, picked);
  for (const Index i : picked) near.indices.push_back(samples.indices[static_cast<std::size_t>(i)]);
  return near;
}

// Asks the other ranks about samples whose neighbours may lie in their boxes.
void search_beyond(const LocalSamples& own, Index k, const NeighborOptions& options, const Ranks& ranks,
                   const RunContext& context, Lists& lists) {
  const Index d = own.rows.cols();
  const auto width = static_cast<std::size_t>(d), n_ranks = static_cast<std::size_t>(ranks.size());
  constexpr double kSlack = 1 + 1e-12;  // the gap is rounded
  const std::vector<double> boxes = ranks.gathered(box_of(own.rows));
  std::vector<std::vector<double>> questions(n_ranks);  // sample, reach, features
  for (Index i = 0; i < own.rows.rows(); ++i)
    for (std::size_t r = 0; r < n_ranks; ++r) {
      const double* box = boxes.data() + r * 2 * width;
      const double* sample = own.rows.row(i).data();
      if (static_cast<int>(r) == ranks.rank() || box[0] > box[1]) continue;
      if (squared_gap(sample, box, d) > lists.reach(i) * kSlack + std::numeric_limits<double>::min()) continue;
      questions[r].push_back(static_cast<double>(i));
      questions[r].push_back(lists.reach(i));
      questions[r].insert(questions[r].end(), sample, sample + d);
    }
  std::vector<std::vector<double>> answers(n_ranks);  // sample, measure, distance, index
  const std::vector<std::vector<double>> asked = ranks.exchange(questions);
  for (std::size_t r = 0; r < n_ranks; ++r) {
    const Index n = std::ssize(asked[r]) / (d + 2);
    if (n == 0) continue;
    const Eigen::Map<const Matrix> in(asked[r].data(), n, d + 2);
    const Matrix queries = in.rightCols(d);
    const LocalSamples near = within_reach(own, queries, in.col(1).maxCoeff());
    if (near.rows.rows() == 0) continue;
    const NeighborTable table =
        make_neighbor_index(near.rows, options)->query(queries, std::min(k, near.rows.rows()), context);
    for (Index i = 0; i < n; ++i)
      visit_neighbors(table, i, queries.row(i).data(), near, options.metric, [&](const Found& found) {
        if (found.measure > in(i, 1)) return;
        for (const double value : {in(i, 0), found.measure, found.distance, static_cast<double>(found.index)})
          answers[r].push_back(value);
      });
  }
  std::vector<Found> candidates;
  for (const std::vector<double>& part : ranks.exchange(answers))
    for (std::size_t at = 0; at < part.size();) {
      const double sample = part[at];
      candidates.clear();
      for (; at < part.size() && part[at] == sample; at += 4)
        candidates.push_back({part[at + 1], part[at + 2], static_cast<std::int64_t>(part[at + 3])});
      lists.merge(static_cast<Index>(sample), candidates);
    }
}

bool by_bisection(Index n_features, const NeighborOptions& options) {
  constexpr Index kFeatures = 10;  // above, nearly every sample is near the faces of a box
  return n_features <= kFeatures && options.metric == Metric::kEuclidean;
}

}  // namespace

LocalTable search_neighbors(LocalSamples samples, Index k, const NeighborOptions& options, const Ranks& ranks,
                            const RunContext& context) {
  const bool bisect = by_bisection(samples.rows.cols(), options);
  if (bisect) samples = bisected(std::move(samples), ranks);
  Lists lists(samples.rows.rows(), k);
  search_own(samples, k, options, context, lists);
  if (bisect)
    search_beyond(samples, k, options, ranks, context, lists);
  else
    search_ring(samples, k, options, ranks, context, lists);
  return {std::move(samples), std::move(lists).all()};
}

}  // namespace foldout::mpi
