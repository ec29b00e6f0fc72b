// SPDX-License-Identifier: Apache-2.0
#include "slepc.h"

#include <fmt/format.h>
#include <slepceps.h>

#include <algorithm>
#include <cmath>

#include "foldout/core/error.h"
#include "linalg/blas.h"

namespace foldout::mpi {
namespace {

static_assert(sizeof(PetscScalar) == sizeof(double), "needs the real version of PETSc");

void check(PetscErrorCode code, const char* what) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw NumericalError(fmt::format("--solve distributed: PETSc failed in {} ({}): use --solve root", what,
                                   text ? text : "unknown error"));
}

// PETSc is started by the first problem.
void start_petsc(MPI_Comm world) {
  PetscBool started = PETSC_FALSE;
  check(SlepcInitialized(&started), "SlepcInitialized");
  if (started) return;
  PETSC_COMM_WORLD = world;
  PetscOptionsSetValue(nullptr, "-no_signal_handler", "true");  // ours remove temporary files
  PetscOptionsSetValue(nullptr, "-skip_petscrc", "true");
  check(SlepcInitializeNoArguments(), "SlepcInitialize");
  check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr), "PetscPushErrorHandler");
}

// PETSc's objects, destroyed at the end of their scope.
template <class Object, PetscErrorCode (*destroy)(Object*)>
class Owned {
 public:
  Owned() = default;
  ~Owned() { destroy(&object_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  [[nodiscard]] Object* address() { return &object_; }
  operator Object() const { return object_; }  // NOLINT(google-explicit-constructor): an argument of PETSc's functions

 private:
  Object object_ = nullptr;
};
using OwnedMat = Owned<Mat, MatDestroy>;
using OwnedVec = Owned<Vec, VecDestroy>;
using OwnedEps = Owned<EPS, EPSDestroy>;
using OwnedNullSpace = Owned<MatNullSpace, MatNullSpaceDestroy>;

std::vector<PetscInt> petsc_ints(const std::vector<int>& values) { return {values.begin(), values.end()}; }

// Fills the matrix and its null vector. The near-null space tells multigrid what is smooth.
void assemble(const MatrixRows& rows, MPI_Comm world, OwnedMat& A, OwnedVec& null_vector) {
  const std::vector<PetscInt> starts = petsc_ints(rows.row_starts), columns = petsc_ints(rows.columns);
  const auto n_rows = static_cast<PetscInt>(rows.n_rows());
  check(MatCreateMPIAIJWithArrays(world, n_rows, n_rows, PETSC_DETERMINE, PETSC_DETERMINE, starts.data(),
                                  columns.data(), rows.values.data(), A.address()),
        "MatCreateMPIAIJWithArrays");
  check(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
  check(MatSetOption(A, MAT_SPD, PETSC_TRUE), "MatSetOption");
  check(MatCreateVecs(A, null_vector.address(), nullptr), "MatCreateVecs");
  double* values = nullptr;
  check(VecGetArray(null_vector, &values), "VecGetArray");
  std::ranges::copy(rows.null_vector, values);
  check(VecRestoreArray(null_vector, &values), "VecRestoreArray");
  OwnedNullSpace smooth;
  check(MatNullSpaceCreate(world, PETSC_FALSE, 1, reinterpret_cast<Vec*>(null_vector.address()), smooth.address()),
        "MatNullSpaceCreate");
  check(MatSetNearNullSpace(A, smooth), "MatSetNearNullSpace");
}

void choose(EPS eps, DistributedSolver solver, double norm) {
  ST st = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  if (solver == DistributedSolver::kKrylovSchur) {
    check(EPSSetType(eps, EPSKRYLOVSCHUR), "EPSSetType");
    check(EPSSetWhichEigenpairs(eps, EPS_SMALLEST_REAL), "EPSSetWhichEigenpairs");
    return;
  }
  check(EPSGetST(eps, &st), "EPSGetST");
  if (solver == DistributedSolver::kShiftInvert) {
    check(EPSSetType(eps, EPSKRYLOVSCHUR), "EPSSetType");
    check(EPSSetTarget(eps, -1e-13 * norm), "EPSSetTarget");
    check(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE), "EPSSetWhichEigenpairs");
    check(STSetType(st, STSINVERT), "STSetType");
    check(STGetKSP(st, &ksp), "STGetKSP");
    check(KSPSetType(ksp, KSPPREONLY), "KSPSetType");
    check(KSPGetPC(ksp, &pc), "KSPGetPC");
    check(PCSetType(pc, PCCHOLESKY), "PCSetType");
    check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS), "PCFactorSetMatSolverType");
    return;
  }
  check(EPSSetType(eps, EPSJD), "EPSSetType");
  check(EPSSetWhichEigenpairs(eps, EPS_SMALLEST_REAL), "EPSSetWhichEigenpairs");
  check(STSetType(st, STPRECOND), "STSetType");
  check(STGetKSP(st, &ksp), "STGetKSP");
  check(KSPSetType(ksp, KSPCG), "KSPSetType");
  constexpr PetscInt kInner = 3;
  check(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, kInner), "KSPSetTolerances");
  check(KSPGetPC(ksp, &pc), "KSPGetPC");
  check(PCSetType(pc, PCGAMG), "PCSetType");
}

// The smallest gap between neighbours; values that agree to six digits are one.
double gap_of(const Vector& values) {
  constexpr double kEqual = 1e-6;
  double gap = values[0], last = values[0];
  for (Index i = 1; i < values.size(); ++i) {
    if (values[i] - last > kEqual * values[i]) gap = std::min(gap, values[i] - last);
    last = values[i];
  }
  return gap;
}

Vector values_of(EPS eps, Index n_pairs) {
  Vector values(n_pairs);
  for (PetscInt i = 0; i < n_pairs; ++i) check(EPSGetEigenvalue(eps, i, &values[i], nullptr), "EPSGetEigenvalue");
  std::ranges::sort(values);
  return values;
}

// SLEPc forgets the deflated vector when it starts anew.
Index solve(EPS eps, Vec deflated, EPSConv relative_to, double tolerance, Index n_pairs) {
  constexpr PetscInt kMostIterations = 100000;
  check(EPSSetDeflationSpace(eps, 1, &deflated), "EPSSetDeflationSpace");
  check(EPSSetConvergenceTest(eps, relative_to), "EPSSetConvergenceTest");
  check(EPSSetTolerances(eps, tolerance, kMostIterations), "EPSSetTolerances");
  check(EPSSolve(eps), "EPSSolve");
  PetscInt converged = 0, iterations = 0;
  check(EPSGetConverged(eps, &converged), "EPSGetConverged");
  check(EPSGetIterationNumber(eps, &iterations), "EPSGetIterationNumber");
  if (converged < n_pairs)
    throw NumericalError(fmt::format(
        "--solve distributed: only {} of {} eigenpairs converged to a residual of {:.2g}: use --solve root, "
        "or more neighbours",
        converged, n_pairs, tolerance));
  return iterations;
}

// Goes on from what was found.
void start_from_found(EPS eps, Mat A, Index n_pairs) {
  std::vector<Vec> found(static_cast<std::size_t>(n_pairs), nullptr);
  for (std::size_t i = 0; i < found.size(); ++i) {
    check(MatCreateVecs(A, &found[i], nullptr), "MatCreateVecs");
    check(EPSGetEigenvector(eps, static_cast<PetscInt>(i), found[i], nullptr), "EPSGetEigenvector");
  }
  check(EPSSetInitialSpace(eps, static_cast<PetscInt>(n_pairs), found.data()), "EPSSetInitialSpace");
  for (Vec& vector : found) VecDestroy(&vector);
}

SolvedRows solution_of(EPS eps, Mat A, Index n_rows, Index n_pairs) {
  std::vector<std::pair<double, PetscInt>> order;
  for (PetscInt i = 0; i < n_pairs; ++i) {
    double value = 0;
    check(EPSGetEigenvalue(eps, i, &value, nullptr), "EPSGetEigenvalue");
    order.emplace_back(value, i);
  }
  std::ranges::sort(order);
  SolvedRows solved{Vector(n_pairs), Matrix(n_rows, n_pairs)};
  OwnedVec vector;
  check(MatCreateVecs(A, vector.address(), nullptr), "MatCreateVecs");
  for (Index j = 0; j < n_pairs; ++j) {
    const auto& [value, from] = order[static_cast<std::size_t>(j)];
    solved.values[j] = value;
    check(EPSGetEigenvector(eps, from, vector, nullptr), "EPSGetEigenvector");
    const double* entries = nullptr;
    check(VecGetArrayRead(vector, &entries), "VecGetArrayRead");
    solved.vectors.col(j) = Eigen::Map<const Vector>(entries, n_rows);
    check(VecRestoreArrayRead(vector, &entries), "VecRestoreArrayRead");
  }
  return solved;
}

}  // namespace

void end_petsc() {
  PetscBool started = PETSC_FALSE;
  check(SlepcInitialized(&started), "SlepcInitialized");
  if (started) check(SlepcFinalize(), "SlepcFinalize");
}

std::string_view name_of(DistributedSolver solver) {
  switch (solver) {
    case DistributedSolver::kJacobiDavidson:
      return "slepc_jacobi_davidson";
    case DistributedSolver::kKrylovSchur:
      return "slepc_krylov_schur";
    default:
      return "slepc_shift_invert";
  }
}

SolvedRows smallest_pairs(const MatrixRows& rows, Index n_pairs, DistributedSolver solver, const Ranks& ranks,
                          const RunContext& context) {
  if (rows.n > PETSC_MAX_INT || rows.columns.size() > static_cast<std::size_t>(PETSC_MAX_INT))
    throw InvalidArgument(
        fmt::format("--solve distributed: {} samples exceed the {}-bit indices of this PETSc: build "
                    "with libslepc64-real-dev",
                    rows.n, 8 * sizeof(PetscInt)));
  ranks.meet();
  context.tick("eigenvectors", 0);
  const BlasGuard one_thread;
  start_petsc(ranks.world());
  OwnedMat A;
  OwnedVec null_vector;
  assemble(rows, ranks.world(), A, null_vector);
  double norm = 0;
  check(MatNorm(A, NORM_INFINITY, &norm), "MatNorm");
  OwnedEps eps;
  check(EPSCreate(ranks.world(), eps.address()), "EPSCreate");
  check(EPSSetOperators(eps, A, nullptr), "EPSSetOperators");
  check(EPSSetProblemType(eps, EPS_HEP), "EPSSetProblemType");
  check(EPSSetDimensions(eps, static_cast<PetscInt>(n_pairs), PETSC_DEFAULT, PETSC_DEFAULT), "EPSSetDimensions");
  choose(eps, solver, norm);
  check(EPSSetFromOptions(eps), "EPSSetFromOptions");  // PETSC_OPTIONS

  // First to a few digits, which show the gap, then to a residual relative to it.
  constexpr double kDigits = 1e-4, kOfGap = 3e-8, kRounding = 1e-15;
  Index iterations = solve(eps, null_vector, EPS_CONV_REL, kDigits, n_pairs);
  const double gap = gap_of(values_of(eps, n_pairs));
  start_from_found(eps, A, n_pairs);
  iterations += solve(eps, null_vector, EPS_CONV_ABS, std::max(kOfGap * gap, kRounding * norm), n_pairs);
  SolvedRows solved = solution_of(eps, A, rows.n_rows(), n_pairs);
  solved.gap = gap_of(solved.values);
  solved.iterations = iterations;
  return solved;
}

}  // namespace foldout::mpi
