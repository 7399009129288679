const { default: Sequencer } = require('@jest/test-sequencer');
const { noteOf } = require('./spec-notes.cjs');

const durationMs = ({ path }) => noteOf(path)?.durationMs ?? 0;

/** The quickest spec files first: most mutants die there. */
module.exports = class QuickestFirst extends Sequencer {
  sort(tests) {
    return tests.toSorted((one, other) => durationMs(one) - durationMs(other));
  }
};
