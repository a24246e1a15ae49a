# The parts of tools/test beside the release tests. Sourced after lib-setup.sh. Each part is a function whose exit status
# counts; `part` runs it, shows and keeps its output, times it and remembers how it ended.
# shellcheck shell=bash source=tools/lib-setup.sh
: "${root:?}" "${logs:?}"

declare -A part_status=() part_seconds=()
part_names=()

part() { # NAME FUNCTION
  local name=$1 start=$SECONDS status
  say ""
  say "== $name"
  set +e
  (
    set -e
    "$2"
  ) 2>&1 | tee -- "$logs/$name.log"
  status=${PIPESTATUS[0]}
  set -e
  part_names+=("$name")
  part_status[$name]=$status
  part_seconds[$name]=$((SECONDS - start))
  say "== $name: $( ((status == 0)) && echo passed || echo FAILED), $((part_seconds[$name] / 60)) min $((part_seconds[$name] % 60)) s"
}

# A folder of tests for ctest: all of build/release, and one test per part that repeats how the part ended.
write_summary_tests() { # FOLDER
  local name
  mkdir -p -- "$1"
  {
    say "subdirs([==[$root/build/release]==])"
    for name in "${part_names[@]}"; do
      say "add_test([==[part: $name]==] bash -c [==[tail -n 60 -- \"\$1\"; exit \$2]==] part" \
        "[==[$logs/$name.log]==] ${part_status[$name]})"
      say "set_tests_properties([==[part: $name]==] PROPERTIES LABELS part)"
    done
  } >"$1/CTestTestfile.cmake"
}

release_build() {
  configure release --preset release
  build release
}

sanitizers() {
  configure dev --preset dev -DSOYA_UNITY=ON
  build dev tests_unit tests_bench_top tests_property
  SOYA_PROPERTY_SEEDS=${SOYA_PROPERTY_SEEDS:-20} UBSAN_OPTIONS=print_stacktrace=1 \
    ctest --test-dir "$root/build/dev" --output-on-failure --no-tests=error -j "$(compile_jobs)" \
    -L '^(unit|bench_top|property)$'
}

# Partitions of one run under the thread sanitizer.
threads() {
  configure tsan --preset tsan -DSOYA_UNITY=ON
  build tsan partitions
  SOYA_PROPERTY_SEEDS=20 TSAN_OPTIONS=halt_on_error=1 "$root/build/tsan/bin/partitions"
}

# The same bytes of summary.json from both compilers, for every scenario that is shipped, and of points.csv for the sweeps
# that take seconds.
gcc_equals_clang() {
  configure clang --preset clang -DSOYA_UNITY=ON
  build clang soya
  local scenario name compiler out=$root/build/compare differing=0
  rm -rf -- "$out"
  mkdir -p -- "$out"
  for scenario in "$root"/scenarios/*.yaml; do
    name=$(basename -- "$scenario" .yaml)
    for compiler in release clang; do
      (
        status=0
        "$root/build/$compiler/bin/soya" run "$scenario" --json --quiet --out "$out/$compiler-$name" \
          >"$out/$compiler-$name.json" 2>"$out/$compiler-$name.err" || status=$?
        say "exit status $status" >>"$out/$compiler-$name.json"
      ) &
    done
    wait
    if cmp -- "$out/release-$name.json" "$out/clang-$name.json"; then
      say "$name: equal, $(tail -n 1 -- "$out/release-$name.json")"
    else
      say "$name: differs"
      differing=1
    fi
  done
  for name in oversubscription queue-depth-300km; do
    for compiler in release clang; do
      "$root/build/$compiler/bin/soya" sweep run "$root/scenarios/sweeps/$name.yaml" --quiet --out "$out/sweep-$compiler-$name" >/dev/null
    done
    if cmp -- "$out/sweep-release-$name/points.csv" "$out/sweep-clang-$name/points.csv"; then
      say "sweep $name: equal"
    else
      say "sweep $name: differs"
      differing=1
    fi
  done
  return $differing
}

# The files to look at: changed since the base, or all of them where git cannot tell.
tidy_files() {
  local base=${SOYA_TIDY_BASE:-} file files
  if [[ -z $base ]]; then
    base=$(git merge-base HEAD origin/main 2>/dev/null) || base=''
    # On the main branch itself the last commit is what has changed.
    if [[ -z $base || $base == "$(git rev-parse HEAD 2>/dev/null)" ]]; then
      base=$(git rev-parse --verify --quiet HEAD~1) || base=''
    fi
  fi
  if [[ -n $base ]] && files=$(git diff --name-only --diff-filter=d "$base" && git ls-files --others --exclude-standard); then
    say "changed since $(git rev-parse --short "$base"):" >&2
  else
    say "no history here: all files" >&2
    files=$(find sim tools tests -name '*.cpp' -o -name '*.hpp')
  fi
  while read -r file; do
    case $file in
      *.cpp) ;;
      *.hpp) file=${file%.hpp}.cpp ;;
      *) continue ;;
    esac
    if [[ $file =~ ^(sim|tools|tests)/ && -f $file ]]; then say "$file"; fi
  done <<<"$files" | sort -u
}

tidy() {
  local files
  files=$(tidy_files)
  if [[ -z $files ]]; then
    say "no C++ file has changed"
    return
  fi
  say "$files"
  tr '\n' '\0' <<<"$files" | xargs -0 -n 1 -P "$(compile_jobs)" clang-tidy -p "$root/build/release" --quiet
}

# A sweep as an array of a real Slurm on this machine; only where SOYA_TEST_SLURM=1 asks for it.
slurm() {
  "$root/tests/slurm/run" "$root/build/release/bin/soya"
}

# What a packet-hop costs. Time depends on what else the machine does and is printed only; instructions do not, and have a
# budget: those that g++ 12 in release took, and 3 % more.
cost() {
  "$root/build/release/bin/bench" --scale 0.1 --repeat 3 --budgets "$root/tests/bench/budgets.json"
}
