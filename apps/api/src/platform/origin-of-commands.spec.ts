import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = path.resolve('apps/api/src');
/** Something that a person or an application does, which a request has led to. */
const DONE_BY_SOMEBODY = /\bactor: `(?:member|admin|app):/g;
/** Where it comes from; a dry run writes nothing. */
const ORIGIN = /\bcorrelationId\b|\.\.\.calledBy\(|\.\.\.ledBy\b|\bdryRun: true\b/;
/** What may be left out is forgotten: undefined is to be said. */
const LEFT_OUT = /\b(?:requestId|correlationId|ledBy)\?:/;

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('spec.ts'))
  .map((file) => ({ file, text: readFileSync(path.join(SOURCES, file), 'utf8') }));

/** The object literal that has a place in it: braces of templates come in pairs as well. */
function literalAround(text: string, place: number): string {
  const edge = (from: number, step: 1 | -1): number => {
    const [opens, closes] = step === 1 ? ['{', '}'] : ['}', '{'];
    let at = from;
    for (let depth = 0; at >= 0 && at < text.length; at += step) {
      if (text[at] === opens) depth += 1;
      if (text[at] === closes && depth-- === 0) break;
    }
    return at;
  };
  return text.slice(edge(place, -1), edge(place, 1) + 1);
}

test('whatever somebody does is written with the id of its request', () => {
  const acts = sources.flatMap(({ file, text }) =>
    [...text.matchAll(DONE_BY_SOMEBODY)].map(({ index }) => ({ file, literal: literalAround(text, index) })),
  );
  expect(acts.length).toBeGreaterThan(20);
  expect(acts.filter(({ literal }) => !ORIGIN.test(literal))).toEqual([]);
});

test('no parameter for it may be left out', () => {
  // The second tells what metadata that was written has.
  const found = sources.filter(({ text }) => LEFT_OUT.test(text)).map(({ file }) => file);
  expect(found).toEqual(['platform/journal/stream-metadata.ts']);
});
