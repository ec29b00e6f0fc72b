// SPDX-License-Identifier: Apache-2.0
#include "neighbor_search.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "linalg/distance.h"

namespace foldout::mpi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The square of a distance is not the sum that it is the root of; two sums may have the same root.
double measure_of(const double* a, const double* b, Index d, double distance, Metric metric) {
  return metric == Metric::kEuclidean ? squared_distance(a, b, d) : distance;
}

// The neighbours of query i in a table, whose samples are those of `where`.
void append(const NeighborTable& table, Index i, const double* query, const LocalSamples& where, Metric metric,
            std::vector<Found>& found) {
  for (std::size_t j = 0; j < static_cast<std::size_t>(table.k); ++j) {
    const int at = table.of(i)[j];
    const double distance = table.distances_of(i)[j];
    found.push_back({measure_of(query, where.rows.row(at).data(), where.rows.cols(), distance, metric), distance,
                     where.indices[static_cast<std::size_t>(at)]});
  }
}

// Lists of at most k neighbours that grow by merging.
class Lists {
 public:
  Lists(Index n, Index k) : lists_(static_cast<std::size_t>(n)), k_(static_cast<std::size_t>(k)) {}

  [[nodiscard]] std::vector<Found>& of(Index i) { return lists_[static_cast<std::size_t>(i)]; }
  /// Beyond this, no candidate of the list is a neighbour.
  [[nodiscard]] double reach(Index i) { return of(i).size() < k_ ? kInfinity : of(i).back().measure; }
  /// `sorted` of them are in order; the others have been appended.
  void merge(Index i, std::size_t sorted) {
    std::vector<Found>& list = of(i);
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(sorted);
    std::sort(middle, list.end());
    std::inplace_merge(list.begin(), middle, list.end());
    if (list.size() > k_) list.resize(k_);
  }
  [[nodiscard]] std::vector<Found> all() && {
    std::vector<Found> found;
    found.reserve(lists_.size() * k_);
    for (std::vector<Found>& list : lists_) {
      found.insert(found.end(), list.begin(), list.end());
      std::vector<Found>().swap(list);
    }
    return found;
  }

 private:
  std::vector<std::vector<Found>> lists_;
  std::size_t k_;
};

// The neighbours among the samples of this rank.
void search_own(const LocalSamples& own, Index k, const NeighborOptions& options, const RunContext& context,
                Lists& lists) {
  const Index n = own.rows.rows();
  if (n < 2) return;
  const NeighborTable table = nearest_neighbors(own.rows, std::min(k, n - 1), options, context);
  for (Index i = 0; i < n; ++i) append(table, i, own.rows.row(i).data(), own, options.metric, lists.of(i));
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
    const NeighborTable table =
        make_neighbor_index(guests.rows, options)->query(own.rows, std::min(k, guests.rows.rows()), context);
    for (Index i = 0; i < own.rows.rows(); ++i) {
      const std::size_t sorted = lists.of(i).size();
      append(table, i, own.rows.row(i).data(), guests, options.metric, lists.of(i));
      lists.merge(i, sorted);
    }
  }
}

// ---- Bisection

// The middle samples of a rank along a feature: an estimate of its distribution.
constexpr std::size_t kQuantiles = 256;

std::vector<double> quantiles(const Matrix& rows, Index feature) {
  std::vector<double> values(rows.rows()), some;
  for (Index i = 0; i < rows.rows(); ++i) values[static_cast<std::size_t>(i)] = rows(i, feature);
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
    samples = {};
    std::vector<std::pair<std::int64_t, const double*>> order;
    const std::vector<std::vector<double>> in = ranks.exchange(out);
    for (const std::vector<double>& part : in)
      for (std::size_t at = 0; at < part.size(); at += static_cast<std::size_t>(d) + 1)
        order.emplace_back(static_cast<std::int64_t>(part[at]), part.data() + at + 1);
    std::ranges::sort(order);
    samples.rows.resize(std::ssize(order), d);
    for (std::size_t i = 0; i < order.size(); ++i) {
      samples.indices.push_back(order[i].first);
      std::copy_n(order[i].second, d, samples.rows.row(static_cast<Index>(i)).data());
    }
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
  const auto index = own.rows.rows() > 0 ? make_neighbor_index(own.rows, options) : nullptr;
  const std::vector<std::vector<double>> asked = ranks.exchange(questions);
  for (std::size_t r = 0; r < n_ranks; ++r) {
    const Index n = std::ssize(asked[r]) / (d + 2);
    if (n == 0) continue;
    const Eigen::Map<const Matrix> in(asked[r].data(), n, d + 2);
    const Matrix queries = in.rightCols(d);
    const NeighborTable table = index->query(queries, std::min(k, own.rows.rows()), context);
    std::vector<Found> found;
    for (Index i = 0; i < n; ++i) {
      found.clear();
      append(table, i, queries.row(i).data(), own, options.metric, found);
      for (const Found& neighbor : found)
        if (neighbor.measure <= in(i, 1))
          for (const double value :
               {in(i, 0), neighbor.measure, neighbor.distance, static_cast<double>(neighbor.index)})
            answers[r].push_back(value);
    }
  }
  for (const std::vector<double>& part : ranks.exchange(answers))
    for (std::size_t at = 0; at < part.size();) {
      const double sample = part[at];
      const auto i = static_cast<Index>(sample);
      const std::size_t sorted = lists.of(i).size();
      for (; at < part.size() && part[at] == sample; at += 4)
        lists.of(i).push_back({part[at + 1], part[at + 2], static_cast<std::int64_t>(part[at + 3])});
      lists.merge(i, sorted);
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
