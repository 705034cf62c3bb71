#!/bin/sh
# Makes the archive of one older version: make.sh COMMIT [FOLDER]
#
# Builds the program of the commit (in FOLDER, kept, or in a temporary folder), lets it evaluate the example of that
# commit with and without links, and packs the archive without `tmp/`. Provenance holds times, so a second run gives
# other bytes; that is why the archives are kept here.
set -eu
commit=$1
here=$(cd "$(dirname "$0")" && pwd)
folder=${2:-$(mktemp -d)}
mkdir -p "$folder"
git -C "$here/../.." archive --format=tar "$commit" |
    tar x -C "$folder"
if [ ! -x "$folder/qassay" ]; then
    short=$(git -C "$here" rev-parse --short=12 "$commit")
    (cd "$folder" && QASSAY_GIT_COMMIT=$short cargo build --offline --bin qassay)
    cp "${CARGO_TARGET_DIR:-$folder/target}/debug/qassay" "$folder/qassay"
fi
cd "$folder"
rm -rf archive
evaluate() { ./qassay evaluate datasets/example/gold.json "$@" --archive archive --quiet >/dev/null; }
example=datasets/example
if ./qassay evaluate --help | grep -q -- --experiment; then
    # The groups of many experiment types make large graphs: one type is enough.
    evaluate $example/borealis.json -x AT
    evaluate $example/aurora.json --links $example/same-as.nt -x QA
    evaluate $example/aurora.json --links $example/same-as.nt --profile gerbil -x QA
    evaluate $example/borealis.json --profile qald
else
    evaluate $example/borealis.json
    evaluate $example/aurora.json --links $example/same-as.nt
    evaluate $example/borealis.json --profile qald,nliwod
fi
tar c --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$folder" --exclude=archive/tmp archive |
    gzip -9n >"$here/$commit.tar.gz"
ls -l "$here/$commit.tar.gz"
