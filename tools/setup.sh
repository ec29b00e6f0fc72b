#!/usr/bin/env bash
# Installs missing dependencies on Debian and Ubuntu; elsewhere it lists them.
# `setup.sh test` also installs what the tests of pages and wheels use, `setup.sh check` what `make check` needs besides, and
# `setup.sh fuzz` and `setup.sh mpi` what `make fuzz` and `make mpi` need.
set -eu

needed=(g++ cmake ninja-build pkg-config libeigen3-dev libopenblas-dev libspectra-dev libnanoflann-dev libhnswlib-dev
        libsvm-dev libcli11-dev nlohmann-json3-dev libfmt-dev libmatio-dev libzip-dev libpng-dev libjpeg-dev libtiff-dev
        libxxhash-dev librsvg2-dev zlib1g-dev libgtest-dev libbenchmark-dev pybind11-dev python3-dev)
# The Python package needs scikit-learn, its tests use pandas, the tests of pages a browser, and that of the wheel a virtual
# environment; without them those tests are skipped.
useful=(python3-sklearn python3-pandas)
tests=(chromium chromium-driver python3-selenium python3-pip python3-venv python3-wheel)
case "${1:-}" in
  "") ;;
  test) useful+=("${tests[@]}") ;;
  check) needed+=(clang-format clang-tidy git valgrind); useful+=("${tests[@]}") ;;
  fuzz) needed+=(clang) ;;
  mpi) needed+=(libopenmpi-dev openmpi-bin libslepc-real-dev python3-numpy); useful+=(python3-dask python3-distributed) ;;
  *) echo "setup: unknown argument '$1': test, check, fuzz, mpi, or nothing" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
  if command -v cmake >/dev/null 2>&1 && command -v ninja >/dev/null 2>&1; then
    echo "setup: no apt on this machine; continuing with the installed packages. foldout requires (Debian names):"
    echo "  ${needed[*]}"
    exit 0
  fi
  echo "setup: this machine has no apt. Install these packages (Debian names), then try again:" >&2
  echo "  ${needed[*]}" >&2
  exit 1
fi

installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
missing=()
for package in "${needed[@]}"; do installed "$package" || missing+=("$package"); done
wanted=()
for package in "${useful[@]}"; do installed "$package" || wanted+=("$package"); done
[ $((${#missing[@]} + ${#wanted[@]})) -eq 0 ] && exit 0

run=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    [ ${#missing[@]} -eq 0 ] && exit 0
    echo "setup: these packages are missing, and only root can install them: ${missing[*]}" >&2
    exit 1
  fi
  run=(sudo)
fi
echo "setup: installing ${missing[*]} ${wanted[*]}"
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -q
[ ${#missing[@]} -eq 0 ] || "${run[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
for package in "${wanted[@]}"; do  # one by one: not every distribution has all of them
  "${run[@]}" apt-get install -y -q --no-install-recommends "$package" ||
    echo "setup: $package cannot be installed; the tests that need it will be skipped"
done
