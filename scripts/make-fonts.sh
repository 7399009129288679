#!/usr/bin/env bash
# Cuts the fonts that almost every screen loads: the characters of Western and of other European languages, the weights and
# the features that the product uses. Rarer characters come from the packages' own files.
# Writes apps/web/src/styles/fonts/*.woff2, whose unicode-ranges stand in apps/web/src/styles/fonts.css.
set -euo pipefail

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npm install --prefix "$work" --no-audit --no-fund --silent subset-font@2.9.0
cat > "$work/cut.mjs" <<'JS'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';

const PACKAGES = 'node_modules/@fontsource-variable';
const OUT = 'apps/web/src/styles/fonts';
const WEIGHTS = { inter: { min: 400, max: 700, default: 400 }, sora: 600 };
const FEATURES = ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'cv11', 'ss03'];

/** All characters of a CSS unicode-range. */
const charactersOf = (range) =>
  range
    .split(',')
    .flatMap((part) => {
      const [from, to = from] = part.trim().slice(2).split('-').map((code) => Number.parseInt(code, 16));
      return Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n));
    })
    .join('');

const css = readFileSync('apps/web/src/styles/fonts.css', 'utf8');
mkdirSync(OUT, { recursive: true });
for (const [, face] of css.matchAll(/@font-face \{([^}]+)\}/g)) {
  const name = /fonts\/([\w-]+)\.woff2/.exec(face)[1];
  const [, range] = /unicode-range:([^;]+);/.exec(face);
  const family = name.split('-')[0];
  const source = name === 'inter-european' ? 'inter-latin-ext' : `${family}-latin`;
  const cut = await subsetFont(
    readFileSync(`${PACKAGES}/${family}/files/${source}-wght-normal.woff2`),
    charactersOf(range),
    { targetFormat: 'woff2', variationAxes: { wght: WEIGHTS[family] }, keepFeatures: FEATURES, noHinting: true },
  );
  writeFileSync(`${OUT}/${name}.woff2`, cut);
  console.log(`${name}: ${cut.length} bytes`);
}
JS
node "$work/cut.mjs"
