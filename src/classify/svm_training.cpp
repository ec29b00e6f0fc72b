// SPDX-License-Identifier: Apache-2.0
// min ½αᵀQα − Σα subject to 0 ≤ α_i ≤ C, yᵀα = 0, with Q_ij = y_i y_j exp(−‖x_i−x_j‖²/β): the dual of the soft margin,
// by C.-C. Chang, C.-J. Lin: LIBSVM: A Library for Support Vector Machines, ACM TIST 2 (2011). One problem for each
// pair of classes, as in libsvm itself; here each is a separate call, so that pairs run on all threads. Without
// probabilities libsvm draws no random numbers.
#include "classify/svm_training.h"

#include <svm.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

#include "classify/classifier.h"
#include "core/parallel.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

constexpr double kTolerance = 1e-3;  // of the KKT conditions
constexpr double kCacheMegabytes = 100;
constexpr double kRounding = 1e-14;

// Cancellation inside a problem. libsvm prints a dot every thousand iterations, which is where the progress callback is
// called (by the thread that trains; the others follow it), and where an exception leaves libsvm. Its arrays of that
// problem, some hundred bytes per sample, are not freed then.
struct Watch {
  const RunContext& context;
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> cancelled = false;

  void look() {
    if (cancelled) throw Cancelled();
    if (std::this_thread::get_id() != caller) return;
    try {
      context.tick("support vectors", 0);
    } catch (...) {
      cancelled = true;
      throw;
    }
  }
};
thread_local Watch* t_watch = nullptr;

void watch_libsvm() {
  static const bool done = [] {
    svm_set_print_string_function([](const char*) {
      if (t_watch) t_watch->look();
    });
    return true;
  }();
  (void)done;
}

class Watched {
 public:
  explicit Watched(Watch& watch) { t_watch = &watch; }
  ~Watched() { t_watch = nullptr; }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
};

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

// Places of one class, in the order of the set.
using Group = std::vector<Index>;

struct PairSolution {
  Vector coefficients;  // of the first class, then of the second
  double rho = 0;
};

}  // namespace

struct SvmKernel::Nodes {
  int kernel_type;
  double gamma = 0;
  std::vector<svm_node> all;
  std::vector<svm_node*> rows;

  // `first` nodes, then the values of the row, then the end.
  Nodes(int type, const Matrix& values, std::size_t first) : kernel_type(type) {
    watch_libsvm();
    const auto columns = static_cast<std::size_t>(values.cols()), width = first + columns + 1;
    all.resize(static_cast<std::size_t>(values.rows()) * width);
    for (Index i = 0; i < values.rows(); ++i) {
      svm_node* row = all.data() + static_cast<std::size_t>(i) * width;
      for (std::size_t j = 0; j < columns; ++j)
        row[first + j] = {static_cast<int>(j + 1), values(i, static_cast<Index>(j))};
      row[first + columns] = {-1, 0};
      rows.push_back(row);
    }
  }

  [[nodiscard]] PairSolution solve(const Group& first, const Group& second, double cost) const {
    std::vector<svm_node*> x;
    for (const Group* group : {&first, &second})
      for (const Index place : *group) x.push_back(rows[static_cast<std::size_t>(place)]);
    std::vector<double> y(x.size(), -1);
    std::fill_n(y.begin(), first.size(), 1.0);
    const svm_problem problem{static_cast<int>(x.size()), y.data(), x.data()};
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.kernel_type = kernel_type;
    parameter.gamma = gamma;
    parameter.cache_size = kCacheMegabytes;
    parameter.eps = kTolerance;
    parameter.C = cost;
    parameter.shrinking = 1;
    const std::unique_ptr<svm_model, FreeModel> model(svm_train(&problem, &parameter));
    PairSolution solution{Vector::Zero(static_cast<Index>(x.size())), model->rho[0]};
    for (int i = 0; i < model->l; ++i) solution.coefficients[model->sv_indices[i] - 1] = model->sv_coef[0][i];
    return solution;
  }
};

SvmKernel::SvmKernel(std::unique_ptr<Nodes> nodes) : nodes_(std::move(nodes)) {}
SvmKernel::SvmKernel(SvmKernel&&) noexcept = default;
SvmKernel::~SvmKernel() = default;

SvmKernel::SvmKernel(const Matrix& points, double width) : nodes_(std::make_unique<Nodes>(RBF, points, 0)) {
  nodes_->gamma = 1 / width;
}

// libsvm finds the column of the other point by the number in its first node.
SvmKernel SvmKernel::table(const Matrix& kernel) {
  auto nodes = std::make_unique<Nodes>(PRECOMPUTED, kernel, 1);
  for (std::size_t i = 0; i < nodes->rows.size(); ++i) nodes->rows[i][0] = {0, static_cast<double>(i + 1)};
  return SvmKernel(std::move(nodes));
}

SvmTrainingSet::SvmTrainingSet(const LabelledPoints& training) : order_(training.labels.size()) {
  const Matrix& X = training.points;
  const auto label = [&](Index i) { return training.labels[static_cast<std::size_t>(i)]; };
  std::iota(order_.begin(), order_.end(), Index{0});
  std::ranges::stable_sort(order_, [&](Index a, Index b) {
    if (label(a) != label(b)) return label(a) < label(b);
    return std::lexicographical_compare(X.row(a).begin(), X.row(a).end(), X.row(b).begin(), X.row(b).end());
  });
  places_.points.resize(X.rows(), X.cols());
  for (Index place = 0; place < X.rows(); ++place) {
    places_.points.row(place) = X.row(row_of(place));
    places_.labels.push_back(label(row_of(place)));
  }
  const double largest = X.cwiseAbs().maxCoeff();
  const Eigen::RowVectorXd mean = places_.points.colwise().mean();
  places_.points.rowwise() -= mean;
  if (places_.points.cwiseAbs().maxCoeff() <= kRounding * largest) places_.points.setZero();  // all coincide
  if (X.rows() > 1) mean_squared_distance_ = 2 * places_.points.squaredNorm() / static_cast<double>(X.rows() - 1);
  if (mean_squared_distance_ > 0) places_.points /= std::sqrt(mean_squared_distance_);
}

SvmMachine SvmTrainingSet::train(double cost, double width, const RunContext& context) const {
  std::vector<Index> all(places_.labels.size());
  std::iota(all.begin(), all.end(), Index{0});
  SvmMachine machine = SvmKernel(places_.points, width).train(places_.labels, all, cost, context);
  machine.width = width;
  return machine;
}

namespace {

struct Pair {
  std::size_t a, b;
};

std::vector<Pair> all_pairs(std::size_t n_classes) {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < n_classes; ++a)
    for (std::size_t b = a + 1; b < n_classes; ++b) pairs.push_back({a, b});
  return pairs;
}

// Places with a nonzero coefficient in any pair are support vectors, with a column for each other class.
void assemble(const std::vector<Group>& groups, const std::vector<Pair>& pairs,
              const std::vector<PairSolution>& solutions, SvmMachine& machine) {
  const auto others = static_cast<Index>(groups.size()) - 1;
  std::vector<Matrix> table;
  table.reserve(groups.size());
  for (const Group& group : groups) table.push_back(Matrix::Zero(static_cast<Index>(group.size()), others));
  machine.rho.resize(static_cast<Index>(pairs.size()));
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [a, b] = pairs[p];
    table[a].col(static_cast<Index>(b) - 1) = solutions[p].coefficients.head(table[a].rows());
    table[b].col(static_cast<Index>(a)) = solutions[p].coefficients.tail(table[b].rows());
    machine.rho[static_cast<Index>(p)] = solutions[p].rho;
  }
  std::vector<Eigen::RowVectorXd> kept;
  for (std::size_t c = 0; c < groups.size(); ++c)
    for (std::size_t i = 0; i < groups[c].size(); ++i)
      if (const auto row = table[c].row(static_cast<Index>(i)); (row.array() != 0).any()) {
        machine.support.push_back(groups[c][i]);
        kept.emplace_back(row);
      }
  machine.coefficients.resize(static_cast<Index>(kept.size()), others);
  for (std::size_t i = 0; i < kept.size(); ++i) machine.coefficients.row(static_cast<Index>(i)) = kept[i];
}

}  // namespace

SvmMachine SvmKernel::train(const std::vector<int>& labels, std::span<const Index> points, double cost,
                            const RunContext& context) const {
  SvmMachine machine;
  machine.cost = cost;
  std::vector<Group> groups;
  for (const Index point : points) {
    const int label = labels[static_cast<std::size_t>(point)];
    if (machine.classes.empty() || machine.classes.back() != label) {
      machine.classes.push_back(label);
      groups.emplace_back();
    }
    groups.back().push_back(point);
  }
  const std::vector<Pair> pairs = all_pairs(groups.size());
  std::vector<PairSolution> solutions(pairs.size());
  Watch watch{context};
  parallel_for(
      static_cast<Index>(pairs.size()), context,
      [&](Index p) {
        const auto at = static_cast<std::size_t>(p);
        const Watched watched(watch);
        solutions[at] = nodes_->solve(groups[pairs[at].a], groups[pairs[at].b], cost);
      },
      "support vectors");
  assemble(groups, pairs, solutions, machine);
  return machine;
}

}  // namespace foldout
