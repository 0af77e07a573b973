#!/usr/bin/env bash
# Installs the Debian packages that tests need and this machine lacks, as root or through sudo. Without apt-get it only names them.
# Go 1.26, which Debian does not have yet, is not among them: https://go.dev/dl
set -euo pipefail

packages=()
need() {
  command -v "$1" >/dev/null || packages+=("$2")
}
need git git
need openssl openssl
need fish fish
need zsh zsh
need buildah buildah
need javac default-jdk-headless
need mvn maven
need python3 python3
python3 -m pip --version >/dev/null 2>&1 || packages+=(python3-pip)

[ ${#packages[@]} -gt 0 ] || exit 0
if ! command -v apt-get >/dev/null; then
  echo "tests need programs that are not installed: ${packages[*]}" >&2
  exit 0
fi
echo "installing ${packages[*]}"
sudo=()
[ "$(id -u)" = 0 ] || sudo=(sudo)
"${sudo[@]}" apt-get update --quiet --quiet
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --quiet --no-install-recommends "${packages[@]}"
