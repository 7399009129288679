const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/** What the run without a mutant has shown of each spec file: how long it takes, and the tests that are in it. */
const FILE = path.join(__dirname, 'spec-notes.json');

/** @type {Record<string, { durationMs: number, tests: string[] }> | undefined} */
let read;

const notes = () => (read ??= existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

module.exports = {
  noteOf: (spec) => notes()[spec],
  note: (spec, durationMs, tests) => {
    notes()[spec] = { durationMs, tests };
    writeFileSync(FILE, JSON.stringify(read));
  },
};
