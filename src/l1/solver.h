// SPDX-License-Identifier: Apache-2.0
// Private: from a sample to a certified code. The simplex runs on all atoms, or on a working set that grows by the
// atoms whose price it violates (column generation), with a tableau in float32 first and then in float64; its answer is
// certified over all atoms.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "foldout/core/types.h"
#include "foldout/l1/l1_coding.h"
#include "l1/certificate.h"
#include "l1/simplex.h"

namespace foldout::l1 {

/// A dictionary with what every solve needs of it.
struct Atoms {
  explicit Atoms(Matrix atoms);

  Matrix rows;
  /// Atoms at unit norm: as columns where the dictionary is priced whole, otherwise as rows.
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_row, unit_floats;
  std::vector<double> inverse_norms, first_entries;
  double largest_norm = 0, typical_norm = 0;
  bool fit_floats = true;  ///< no norm is so large or small that float32 might overflow
  [[nodiscard]] bool whole() const { return by_row.size() > 0 || rows.rows() == 0; }
};

/// The atoms that a simplex works with, copied together where the dictionary is too large to be priced whole at every
/// step. Atoms are only ever added.
class WorkingSet {
 public:
  void clear(Index n_atoms, Index n_rows);
  void add(const Matrix& atoms, std::span<const double> inverse_norms, std::span<const int> chosen);

  [[nodiscard]] bool contains(Index atom) const { return member_[atom] != 0; }
  [[nodiscard]] std::span<const int> atoms() const { return atoms_; }
  [[nodiscard]] Columns columns(double largest_norm) const;

 private:
  std::vector<int> atoms_;
  std::vector<char> member_;
  std::vector<double> by_atom_, inverse_norms_;
  std::vector<float> by_row_;
  Index n_rows_ = 0, room_ = 0;
};

enum class Pricing { kFloats, kDoubles };

/// Holds memory from solve to solve, and nothing else that the next answer could depend on.
class Solver {
 public:
  /// x of about 1 in its largest entry.
  [[nodiscard]] L1Code code(const Atoms& atoms, std::span<const double> x, Index skip, double tolerance);
  [[nodiscard]] L1Code code_exactly(const Atoms& atoms, std::span<const double> x, Index skip, double tolerance);

 private:
  void begin(const Atoms& atoms, std::span<const double> x, Index skip, double price);
  void start_roughly(double price);
  template <typename Real>
  [[nodiscard]] Outcome optimize(Simplex<Real>& simplex, double price);
  template <typename Real>
  [[nodiscard]] bool widen(Simplex<Real>& simplex, double price);
  [[nodiscard]] bool add_violators(double price);
  void keep_best(std::vector<int>& list, std::size_t count, double price) const;
  void price_all(std::span<const double> y, double price, Pricing precision);
  [[nodiscard]] bool outside_is_priced(std::span<const double> y) const;
  void price_for_certificate(Errors errors);
  [[nodiscard]] L1Code certified_vertex(Errors errors);
  [[nodiscard]] L1Code best_vertex(Errors errors, double price, double tolerance);

  const Atoms* atoms_ = nullptr;
  std::span<const double> x_;
  Index skip_ = -1;
  Index limit_ = 0;
  Simplex<float> rough_;
  Simplex<double> simplex_;
  WorkingSet working_;
  std::vector<double> g_;
  std::vector<int> reserve_, violators_;
  std::vector<float> y_floats_, g_floats_;
  std::vector<std::pair<double, int>> near_;  ///< how far atoms are below their price, at unit norm
  /// At `y_priced_`, every atom outside working set and reserve is `slack_` below its price, at unit norm.
  std::vector<double> y_priced_;
  double slack_ = -1;
  double work_ = 0;
};

}  // namespace foldout::l1
