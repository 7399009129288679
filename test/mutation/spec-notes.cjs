const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/** What the run without a mutant has shown of each spec file: how long it takes, and the tests that are in it. */
const FILE = path.join(__dirname, 'spec-notes.json');

/** @type {Record<string, { durationMs: number, tests: string[] }> | undefined} */
let read;

/** The spec that killed the last mutant: the next one is most often in the same lines, where it knows best. */
let lastKiller;

const notes = () => (read ??= existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

module.exports = {
  noteOf: (spec) => notes()[spec],
  lastKiller: () => lastKiller,
  noteKiller: (spec) => {
    lastKiller = spec;
  },
  note: (spec, durationMs, tests) => {
    notes()[spec] = { durationMs, tests };
    writeFileSync(FILE, JSON.stringify(read));
  },
};
