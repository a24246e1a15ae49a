# bash completion for soya

# What a command takes: its options, the kinds of their values, the kind of everything else.
# Written from the commands' declarations: UPDATE_SNAPSHOTS=1 bin/unit_tools renews it.
_soya_commands="run check plan headroom topology compare sweep import explain schema"
_soya_family() {
  case $1 in
    sweep) second="run merge status plot fit" ;;
  esac
}
_soya_command() {
  case $1 in
    "run")
      options="--set --seed --variant --out --json --csv --threads --memory-limit --quiet --help"
      values="--set:PATH=VALUE --seed:N --variant:NAME --out:DIR --threads:N --memory-limit:SIZE"
      operand="SCENARIO"
      ;;
    "check")
      options="--set --seed --variant --memory-limit --help"
      values="--set:PATH=VALUE --seed:N --variant:NAME --memory-limit:SIZE"
      operand="SCENARIO"
      ;;
    "plan")
      options="--set --seed --variant --after-faults --json --help"
      values="--set:PATH=VALUE --seed:N --variant:NAME"
      operand="SCENARIO"
      ;;
    "headroom")
      options="--rate --length --delay --per-kilometre --reverse-rate --table --mtu --vlan --ipv6 --response --cell --set --seed --variant --quiet --memory-limit --all --json --threads --help"
      values="--rate:RATE --length:LENGTH --delay:TIME --per-kilometre:TIME --reverse-rate:RATE --table:FILE --mtu:SIZE --response:TIME --cell:SIZE --set:PATH=VALUE --seed:N --variant:NAME --memory-limit:SIZE --threads:N"
      operand="SCENARIO"
      ;;
    "topology")
      options="--set --variant --to --out --json --families --help"
      values="--set:PATH=VALUE --variant:NAME --to:FORMAT --out:FILE"
      operand="FILE"
      ;;
    "compare")
      options="--with --seeds --set --seed --json --threads --memory-limit --quiet --help"
      values="--with:PATH=VALUE --seeds:N --set:PATH=VALUE --seed:N --threads:N --memory-limit:SIZE"
      operand="AB"
      ;;
    "sweep run")
      options="--out --shard --threads --set --seed --retry-crashed --count --dry-run --slurm --partition --time --shards --at-once --array-size --sbatch --memory-limit --quiet --help"
      values="--out:DIR --shard:I/N --threads:N --set:PATH=VALUE --seed:N --partition:NAME --time:TIME --shards:N --at-once:N --array-size:N --sbatch:OPTION --memory-limit:SIZE"
      operand="SWEEP"
      ;;
    "sweep merge")
      options="--out --json --help"
      values="--out:DIR"
      operand="DIR"
      ;;
    "sweep status")
      options="--missing --shards --json --help"
      values="--shards:N"
      operand="DIR"
      ;;
    "sweep plot")
      options="--x --y --by --color --where --log --title --out --csv --help"
      values="--x:COLUMN --y:NAME --by:COLUMN[,COLUMN] --color:QUANTITY --where:CONDITION --log:x|y|xy|color --title:TEXT --out:FILE.svg"
      operand="STORE--xCOLUMN--yQUANTITY"
      ;;
    "sweep fit")
      options="--y --terms --beside --where --json --help"
      values="--y:QUANTITY --terms:TERMS --beside:QUANTITY --where:CONDITION"
      operand="STORE--yQUANTITY--termsTERMS"
      ;;
    "import")
      options="--speed --cable --out --help"
      values="--speed:RATE --cable:LENGTH --out:FILE"
      operand="sonic-buffersFILE"
      ;;
    "explain")
      options="--paths --help"
      values=""
      operand="KEY"
      ;;
    "schema")
      options="--help"
      values=""
      operand="scenario|topology|sweep"
      ;;
  esac
}
# End of what is written.

# Every key as `soya explain` and --set take it.
_soya_keys() {
  "${COMP_WORDS[0]}" explain --paths 2>/dev/null
}

_soya_values() { # KIND
  case $1 in
    SCENARIO | SWEEP) compgen -d -S / -- "$current"; compgen -f -X '!*.y?(a)ml' -- "$current" ;;
    KEY) compgen -W "$(_soya_keys)" -- "$current" ;;
    PATH=VALUE) compgen -W "$(_soya_keys | sed 's/\[\]/[0]/g; /\*/d; s/$/=/')" -- "$current" ;;
    DIR | STORE) compgen -d -- "$current" ;;
    *FILE) compgen -W "${1%FILE}" -- "$current"; compgen -f -- "$current" ;; # FILE, or a word before it
    *\|*) compgen -W "${1//|/ }" -- "$current" ;;
  esac
}

_soya() {
  local current=${COMP_WORDS[COMP_CWORD]}
  local previous=${COMP_WORDS[COMP_CWORD - 1]}
  local options="" values="" operand="" kind pair command=${COMP_WORDS[1]} second=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$_soya_commands --help --version" -- "$current")
    return
  fi
  _soya_family "$command"
  if [ -n "$second" ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then
      mapfile -t COMPREPLY < <(compgen -W "$second --help" -- "$current")
      return
    fi
    command="$command ${COMP_WORDS[2]}"
  fi
  _soya_command "$command"
  kind=$operand
  for pair in $values; do
    if [ "$previous" = "${pair%%:*}" ]; then kind=${pair#*:}; fi
  done
  if [ "$previous" = "=" ]; then return; fi
  case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
    *) mapfile -t COMPREPLY < <(_soya_values "$kind") ;;
  esac
}

complete -o filenames -o nospace -F _soya soya
