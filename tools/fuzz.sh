#!/usr/bin/env bash
# Runs every fuzz target for SECONDS_EACH seconds (default 60), with its seeds and the corpus of earlier runs. A finding
# is saved in the folder of the corpus and printed; the script then fails at its end.
set -u
bin=$1
failed=0
for target in "$bin"/fuzz_*; do
  name=$(basename "$target")
  corpus=$bin/corpus/$name
  mkdir -p "$corpus"
  seeds=$bin/seeds_${name#fuzz_}
  if [ -x "$seeds" ]; then "$seeds" "$corpus" || exit 1; fi
  if "$target" -max_total_time="${SECONDS_EACH:-60}" -rss_limit_mb=4096 -malloc_limit_mb=2048 -timeout=20 -max_len=65536 \
    -artifact_prefix="$corpus/" "$corpus" > "$corpus.log" 2>&1; then
    echo "$name: $(tail -1 "$corpus.log")"
  else
    echo "$name: FAILED, see $corpus.log"
    tail -40 "$corpus.log"
    failed=1
  fi
done
exit $failed
