#!/bin/sh
# Builds the checkout of this script and makes a release of its commit: the folder releases/<commit> next to the checkout,
# to which the link `current` leads. Processes that run keep the release of their start (docs/deploy.md).
set -eu
cd "$(dirname "$0")/.."
home=$(dirname "$PWD")
commit=$(git rev-parse --short HEAD)
release=$home/releases/$commit

# Processes may run from a release that is there.
if [ ! -d "$release" ]; then
  npm run build -- --production
  rm -rf "$release.unfinished"
  mkdir -p "$release.unfinished"
  # As in the image: the bundle of the server has all packages but these two.
  node scripts/lib/image-packages.mjs "$release.unfinished/node_modules" reflect-metadata sharp
  cp -R dist package.json "$release.unfinished"
  mv "$release.unfinished" "$release"
fi
ln -sfn "$release" "$home/current"
echo "The release is $commit."
