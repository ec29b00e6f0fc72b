#!/usr/bin/env bash
# Runs every fuzz target for SECONDS_EACH seconds (default 60), with the corpus it found before.
set -eu
bin=$1
for target in "$bin"/fuzz_*; do
  corpus=$bin/corpus/$(basename "$target")
  mkdir -p "$corpus"
  echo "$(basename "$target")"
  "$target" -max_total_time="${SECONDS_EACH:-60}" -rss_limit_mb=4096 -timeout=20 -print_final_stats=0 "$corpus" 2>&1 | tail -1
done
