# Commands in a root folder, for scripts with a root folder $root and a folder $work.

fail() { echo "$(basename "$0"): $*" >&2; exit 1; }

inside() { # COMMAND...: in the root, with its own processes, mounts and network
  local user=()
  [ "$(id -u)" = 0 ] || user=(--user --map-root-user)
  unshare "${user[@]}" --mount --pid --net --fork --propagation private sh -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" || exit 77
    PATH=$PATH:/usr/sbin; ip link set lo up 2>/dev/null
    exec chroot "$0" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"' \
    "$root" "$@" > "$work/out" 2>&1
}

expect() { # CODE COMMAND...
  local code=0
  inside "${@:2}" || code=$?
  [ "$code" != 77 ] || { echo "this system lets nobody make a root of his own: $(cat "$work/out")"; exit 77; }
  [ "$code" = "$1" ] || fail "'${*:2}' ended with $code: $(cat "$work/out")"
}

says() { grep -q -- "$1" "$work/out" || fail "'$1' is not in: $(cat "$work/out")"; }
