# bash completion for soya

_soya() {
  local current=${COMP_WORDS[COMP_CWORD]}
  local previous=${COMP_WORDS[COMP_CWORD - 1]}
  local options
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "run check --help --version" -- "$current")
    return
  fi
  case ${COMP_WORDS[1]} in
    run) options="--set --seed --variant --out --json --csv --threads --memory-limit --quiet --help" ;;
    check) options="--set --seed --variant --memory-limit --help" ;;
    *) return ;;
  esac
  case $previous in
    --out)
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return
      ;;
    --set | --seed | --variant | --threads | --memory-limit) return ;;
  esac
  case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
    *) mapfile -t COMPREPLY < <(compgen -d -S / -- "$current"; compgen -f -X '!*.y?(a)ml' -- "$current") ;;
  esac
}

complete -o filenames -o nospace -F _soya soya
