# What tools/quickstart and tools/test share: packages, build folders, how much the machine can do at once. Sourced, never run.
# shellcheck shell=bash

program=${0##*/}
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
logs=$root/build/logs

say() { printf '%s\n' "$*"; }
die() {
  printf '%s: %s\n' "$program" "$*" >&2
  exit 1
}

# ---- the machine ----------------------------------------------------------------------------------------------------

free_mib() { # PATH: what is left on its disk
  local kib
  kib=$(df -k --output=avail -- "$1" | tail -n 1)
  printf '%d' $((kib / 1024))
}

require_space() { # PATH MIB PURPOSE
  local free
  free=$(free_mib "$1")
  ((free >= $2)) || die "not enough space under $1: $3 takes about $2 MiB, $free MiB are free"
}

# As many compilers as cores, but no more than memory holds: the largest file takes about 1 GiB.
compile_jobs() {
  local cores memory_mib key value unit
  cores=$(nproc)
  memory_mib=$((cores * 1536))
  if [[ -r /proc/meminfo ]]; then
    while read -r key value unit; do
      [[ $key == MemAvailable: && $unit == kB ]] && memory_mib=$((value / 1024))
    done </proc/meminfo
  fi
  local fitting=$((memory_mib / 1536))
  ((fitting >= 1)) || fitting=1
  printf '%d' $((cores < fitting ? cores : fitting))
}

# ---- packages -------------------------------------------------------------------------------------------------------

installed() { [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null) == ii* ]]; }

listed_packages() { # GROUP…: their packages, one a line
  local group package purpose
  while read -r group package purpose; do
    [[ -n $purpose && $group != \#* && " $* " == *" $group "* ]] && say "$package"
  done <"$root/tools/packages.txt"
  return 0
}

missing_packages() { # GROUP…
  local package
  for package in $(listed_packages "$@"); do
    installed "$package" || say "$package"
  done
}

system_name() { # "debian 12", or what /etc/os-release says instead
  local ID=unknown VERSION_ID='' file=/etc/os-release
  # shellcheck source=/dev/null
  [[ -r $file ]] && . "$file"
  say "$ID${VERSION_ID:+ $VERSION_ID}"
}

# On another system the package names differ, so nothing is installed; the build goes on with the tools that are there.
accept_other_system() { # NAME GROUP…
  local name=$1 tool
  shift
  say "This is $name; Soya's packages are listed for Debian 12, so $program installs nothing here."
  say "It needs what Debian calls: $(listed_packages "$@" | tr '\n' ' ')"
  for tool in c++ cmake ninja; do
    command -v "$tool" >/dev/null || die "$tool is not there: install it and what stands above, then run $program again"
  done
}

apt_failed() { # LOG: says why, as far as apt-get told
  local unreachable='Failed to fetch|Could not resolve|Temporary failure|Could not connect|Unable to connect|Cannot initiate'
  if grep -m 2 -E "$unreachable" "$1" >&2; then
    die "apt-get cannot reach its package servers: check the network, the proxy and /etc/apt/sources.list*, then run $program again"
  fi
  tail -n 6 "$1" >&2
  if (($(free_mib /var/cache) < 50 || $(free_mib /usr) < 50)); then die "apt-get failed: the disk is full"; fi
  if grep -q 'Unable to locate package' "$1"; then
    die "a package is not in this system's package sources: /etc/apt/sources.list* must list Debian 12 main"
  fi
  die "apt-get failed, as shown above"
}

ensure_packages() { # GROUP…: installs what is missing of them, and says what
  local system
  system=$(system_name)
  if [[ $system != "debian 12"* ]] || ! command -v apt-get >/dev/null; then
    accept_other_system "$system" "$@"
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then
    say "Packages: all there."
    return
  fi
  say "Packages missing, now installed (a minute or two): ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "only root can install packages and there is no sudo: as root, run  apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  require_space /usr $((${#missing[@]} * 60)) "installing them"
  local log options=(-o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 -o Acquire::Retries=2 -o Acquire::http::Timeout=30)
  log=$(mktemp)
  # Stale lists may still do, so a failed update is told only when the installation fails as well.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" -q update </dev/null >"$log" 2>&1 || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" -q -y --no-install-recommends \
    install "${missing[@]}" </dev/null >>"$log" 2>&1 || apt_failed "$log"
  rm -f -- "$log"
}

# ---- building -------------------------------------------------------------------------------------------------------

# Makes the folder for logs, and with it finds out whether the project can be written to.
open_build_folder() {
  mkdir -p -- "$logs" 2>/dev/null || die "cannot create $logs"
  [[ -w $logs ]] || die "cannot write to $logs"
  require_space "$root/build" "$1" "the build"
}

build_failed() { # WHAT
  if (($(free_mib "$root/build") < 50)); then die "$1 failed: the disk that holds $root/build is full"; fi
  die "$1 failed, as shown above"
}

configure() { # NAME CMAKE-ARGUMENT…: prepares build/NAME
  local folder=$root/build/$1 log=$logs/configure-$1.log launcher='' fresh=()
  shift
  command -v ccache >/dev/null && launcher=ccache
  # A folder that was configured elsewhere (the project has been moved or copied) is of no use to CMake.
  if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  cmake -G Ninja -S "$root" -B "$folder" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" "${fresh[@]}" "$@" >"$log" 2>&1 || {
    cat -- "$log" >&2
    build_failed "configuring build/${folder##*/}"
  }
}

build() { # NAME TARGET…
  local name=$1
  shift
  ninja -C "$root/build/$name" -j "$(compile_jobs)" "$@" || build_failed "building build/$name"
}
