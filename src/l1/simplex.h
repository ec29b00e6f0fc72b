// SPDX-License-Identifier: Apache-2.0
// Private: a primal simplex for min price·‖a‖₁ + ‖e‖₁ subject to A a + e = x, where the columns of A are atoms.
//
// A vertex is given by as many atoms S as rows Z on which the error is zero. With B = A[Z,S]:
//   values     a_S = B⁻¹ x_Z,  e = x − A_S a_S       the basic values v = (e outside Z; a_S), signs s times costs
//   prices     y_i = sign e_i outside Z,  Bᵀ y_Z = price·sign a_S − A[¬Z,S]ᵀ y;   g = Aᵀ y
//   tableau    T = [A_S B⁻¹; −B⁻¹]: column q says how all values move when the error on row Z_q grows from zero
// It is optimal when |y_Z| ≤ 1 and |g| ≤ price: then no error and no atom is worth bringing in.
#pragma once

#include <span>
#include <vector>

#include "foldout/core/types.h"
#include "l1/factor.h"
#include "l1/kernels.h"
#include "l1/step.h"

namespace foldout::l1 {

/// Views of the atoms that a simplex may use: as they are, each atom contiguous; and at unit norm in float32,
/// each row of A contiguous, to look for atoms whose price is then computed in full precision.
struct Columns {
  const double* by_atom = nullptr;  ///< atom j starts at by_atom + j · n_rows
  const float* by_row = nullptr;    ///< row i of A starts at by_row + i · row_stride
  Index row_stride = 0;
  Index count = 0;
  std::span<const double> inverse_norms;  ///< 1/‖d_j‖, 0 for an atom of zeros
  double largest_norm = 0;
  Index barred = -1;  ///< a column that must not be used
};

enum class Outcome { kOptimal, kLimit, kBroken };

/// `Real` is the precision of the tableau. Values and prices are always in double precision.
template <typename Real>
class Simplex {
 public:
  /// a = 0, e = x.
  void start(const Columns& columns, std::span<const double> x, double price);
  /// From a = 0 to the vertex of another simplex for the same problem; values of zero take its signs. False: it is no
  /// vertex in full precision, and nothing has changed.
  template <typename Other>
  [[nodiscard]] bool move_to(const Simplex<Other>& other);
  /// From there again, with a larger perturbation.
  void restart();
  /// More atoms behind the ones there were.
  void extend(const Columns& columns);
  /// Another price for the atoms, at the same vertex.
  void set_price(double price);

  /// Pivots until no error and no atom of `columns` is worth bringing in, or the pivots reach `limit`.
  [[nodiscard]] Outcome run(Index limit);
  /// The true x in place of a perturbed one, everything else from a new factorisation of B; the signs remain, so that
  /// the prices are still optimal. False: B is singular.
  [[nodiscard]] bool settle();
  /// Aᵀ y of all columns at unit norm, summed in float32 in one go: to be called after settle() only.
  [[nodiscard]] std::span<const float> unit_prices();
  /// The signs and prices that belong to the settled values.
  void correct_signs();
  /// From now on atoms are looked for in full precision.
  void look_closely() { closely_ = true; }
  /// Moves values of (about) zero off zero, so that steps have a length.
  void perturb();

  [[nodiscard]] const Columns& columns() const { return columns_; }
  [[nodiscard]] std::span<const double> prices() const { return y_; }
  [[nodiscard]] std::span<const int> atoms() const { return S_; }
  [[nodiscard]] std::span<const double> coefficients() const {
    return std::span(values_).subspan(static_cast<std::size_t>(n_rows_), S_.size());
  }
  [[nodiscard]] Index pivots() const { return pivots_; }
  [[nodiscard]] double multiply_adds() const { return work_; }

 private:
  struct Entering {
    int atom = -1;   ///< a column of A, or
    int place = -1;  ///< a place q in Z
    double sign = 0;
    double price = 0;  ///< y or g
  };

  template <typename>
  friend class Simplex;

  struct Promise {
    double excess = 0;
    int at = -1;  ///< an atom
  };

  [[nodiscard]] Outcome pivot(const Entering& entering);
  void begin(const Columns& columns, std::span<const double> x, double price);
  void find_direction(const Entering& entering);
  void flip(std::span<const Crossing> passed);
  void watch_progress(double decrease);
  // Pricing: what to bring in.
  [[nodiscard]] Entering choose();
  [[nodiscard]] Entering best_row(double& score);
  [[nodiscard]] Entering best_atom(double& score);
  [[nodiscard]] bool nothing_to_bring_in();
  void look_for_atoms();
  void find_promising();
  void find_promising_closely();
  void keep_most_promising();
  void set_limit(Index atom);
  void update_atom_prices();
  // Exchange: the tableau from one basis to the next.
  void exchange(const Entering& entering, const Step& step);
  void move_prices(const Step& step, double pivot);
  void add_place(int row, const Entering& entering);
  void replace_atom(Index position, const Entering& entering, double pivot);
  void replace_row(Index place, int row);
  void remove_place(Index place, Index position);
  void seat(int atom, Index position);
  void unseat(int atom);
  // Refresh: the same from scratch.
  [[nodiscard]] bool factorize();
  [[nodiscard]] bool refresh();
  void compute_values();
  void compute_prices();
  void reserve(Index k_needed);

  [[nodiscard]] Index k() const { return static_cast<Index>(S_.size()); }
  [[nodiscard]] static Index padded(Index n) { return (n + kLanes - 1) / kLanes * kLanes; }
  [[nodiscard]] Real* column(Index q) { return tableau_.data() + q * stride_; }
  [[nodiscard]] const double* atom(Index j) const { return columns_.by_atom + j * n_rows_; }

  Columns columns_;
  Index n_rows_ = 0;
  double price_ = 1;
  std::vector<double> x_, target_;  ///< the true right side, and the perturbed one in use
  std::vector<int> S_, Z_;
  std::vector<int> place_of_row_, position_of_atom_;  ///< inverse of Z and S; -1
  std::vector<double> values_, costs_;                ///< v and s: n_rows errors (0 on Z), k coefficients, zeros
  std::vector<Real> tableau_;                         ///< n_rows + k rows, then zeros; k columns, `stride_` apart
  Index stride_ = 0;
  bool tableau_is_current_ = true;
  Factor factor_;
  std::vector<double> y_, y_priced_;
  std::vector<float> g_, limit_;  ///< Aᵀ y_priced_ for atoms of unit norm, and what it may reach; ∞ for atoms in use
  float margin_ = 0;              ///< beyond what rounding to float32 can do to g
  bool closely_ = false;
  double stale_score_ = 0;               ///< of the best atom when atoms were last priced
  std::vector<Real> norms_;              ///< of the atoms of S, then zeros
  double tolerance_ = 0, rounding_ = 0;  ///< what |g| may exceed the price by; its part that no price scales
  Index pivots_ = 0, since_refresh_ = 0, zero_steps_ = 0;
  int lost_ = 0;      ///< pivots in a row that could not be made
  double shake_ = 0;  ///< size of the next perturbation
  unsigned draws_ = 0;
  double work_ = 0;
  // scratch
  std::vector<double> direction_, row_, weights_, exact_;
  std::vector<Real> products_, factors_;
  std::vector<float> excess_, changes_;
  std::vector<Promise> promising_;
  StepScratch step_;
  std::vector<int> rows_;
  std::vector<int> all_;  ///< 0, 1, 2, …
};

}  // namespace foldout::l1
