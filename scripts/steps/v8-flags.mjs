/** The server's V8 flags; the Dockerfile's command has the same. */
export const V8_FLAGS = [
  // Commands in progress outlive a small young generation: collecting it took a third of the ledger's time.
  '--max-semi-space-size=64',
  // After a burst V8 allocates parts of requests directly in the old generation. They then keep every request alive
  // until the next full collection: each collection of the young generation took 28 ms instead of 4.
  '--no-allocation-site-pretenuring',
];
