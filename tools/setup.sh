#!/usr/bin/env bash
# Installs missing dependencies on Debian and Ubuntu; elsewhere it lists them.
# `setup.sh check` also installs what `make check` needs, `setup.sh fuzz` what `make fuzz` needs.
set -eu

needed=(g++ cmake ninja-build pkg-config libeigen3-dev libopenblas-dev libspectra-dev libnanoflann-dev libhnswlib-dev
        libsvm-dev libcli11-dev nlohmann-json3-dev libfmt-dev libmatio-dev libzip-dev libpng-dev libjpeg-dev libtiff-dev
        libxxhash-dev librsvg2-dev zlib1g-dev libgtest-dev libbenchmark-dev pybind11-dev python3-dev)
case "${1:-}" in
  "") ;;
  check) needed+=(clang-format clang-tidy git) ;;
  fuzz) needed+=(clang) ;;
  *) echo "setup: unknown argument '$1': check, fuzz, or nothing" >&2; exit 2 ;;
esac
# The Python package needs scikit-learn, its tests use pandas, and the tests of pages a browser; without them those tests
# are skipped.
useful=(python3-sklearn python3-pandas chromium chromium-driver python3-selenium)

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

missing=()
for package in "${needed[@]}" "${useful[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

run=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "setup: these packages are missing, and only root can install them: ${missing[*]}" >&2
    exit 1
  fi
  run=(sudo)
fi
echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -q
"${run[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
