const { default: Sequencer } = require('@jest/test-sequencer');
const { lastKiller, noteOf } = require('./spec-notes.cjs');

const durationMs = ({ path }) => (path === lastKiller() ? -1 : (noteOf(path)?.durationMs ?? 0));

/** The spec file that killed the last mutant first, then the quickest: most mutants die there. */
module.exports = class QuickestFirst extends Sequencer {
  sort(tests) {
    return tests.toSorted((one, other) => durationMs(one) - durationMs(other));
  }
};
