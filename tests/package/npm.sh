#!/usr/bin/env bash
# `npm.sh BUILD SOURCE`: installs and runs the npm package in a separate project, without a network.
set -euo pipefail

for tool in npm npx node; do command -v $tool > /dev/null || { echo "$tool is not installed"; exit 77; }; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
package=$("$2/packaging/npm" "$1" "$work")
(cd "$work" && sha256sum --check --quiet "$(basename "$package").sha256")
export HOME=$work npm_config_offline=true npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false

expect() { # CODE PATTERN COMMAND...
  local code=0
  "${@:3}" > "$work/out" 2>&1 || code=$?
  [ "$code" = "$1" ] && grep -q "$2" "$work/out" || { echo "'${*:3}' ended with $code: $(cat "$work/out")"; exit 1; }
}

mkdir "$work/project"
cd "$work/project"
echo '{"name": "project", "private": true}' > package.json
expect 0 '' npm install --save-dev "$package"
expect 0 '^splitproof: CONFORMS  1 recording, ' npx splitproof run --only openai.chat/text-plain
expect 0 '' npx splitproof explain ANT-05
sed '1,/^A stream that violates it:$/d' "$work/out" | tail -n +2 > broken.sse
expect 1 '^broken.sse: ANT-05 must: ' npx splitproof check broken.sse
expect 0 '' npx splitproof self-test --only openai.chat/text-plain
expect 0 '^splitproof [0-9]' npx --package "$package" -- splitproof --version
# Static programs come with the licences of what they contain.
[ "$(tar -tzf "$package" | grep -v '^package/licenses/' | sort | tr '\n' ' ')" = \
  "package/LICENSE package/README.md package/bin/splitproof package/bin/splitproof-self-test package/package.json $(
    [ ! -e "$1/splitproof.linked" ] || echo 'package/splitproof.cdx.json ')" ]
