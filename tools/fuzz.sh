#!/usr/bin/env bash
# fuzz.sh BIN SECONDS: runs every fuzz target in the folder BIN for SECONDS seconds, from its seeds, the corpus in
# fuzz/corpus and that of earlier runs in BIN/corpus. It prints runs and edges covered; a finding is kept in BIN/corpus
# and printed, and the script then fails at its end.
set -u
bin=$1
seconds=${2:-60}
kept=$(dirname "$0")/../fuzz/corpus
failed=0
total=0
for target in "$bin"/fuzz_*; do
  name=$(basename "$target")
  corpus=$bin/corpus/$name
  mkdir -p "$corpus"
  case $name in
    fuzz_io_*) "$bin/seeds_io" "${name#fuzz_io_}" "$corpus" || exit 1 ;;
    fuzz_model_file) "$bin/seeds_model_file" "$corpus" || exit 1 ;;
  esac
  if [ -d "$kept/${name#fuzz_}" ]; then cp "$kept/${name#fuzz_}"/* "$corpus/"; fi
  if "$target" -max_total_time="$seconds" -print_final_stats=1 -rss_limit_mb=4096 -malloc_limit_mb=2048 -timeout=20 \
    -max_len=65536 -artifact_prefix="$corpus/" "$corpus" > "$corpus.log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$corpus.log")
    total=$((total + runs))
    echo "$name: $runs runs, $(grep -o 'cov: [0-9]*' "$corpus.log" | tail -1 | tr -dc 0-9) edges covered"
  else
    echo "$name: FAILED, see $corpus.log"
    tail -40 "$corpus.log"
    failed=1
  fi
done
echo "fuzz: $total runs"
exit $failed
