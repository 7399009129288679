/** How the server's V8 is set; the Dockerfile's command says the same. */
export const V8_FLAGS = [
  // Commands under way outlive a small young generation: collecting it took a third of the ledger's time.
  '--max-semi-space-size=64',
  // After a burst V8 makes parts of requests among the old objects at once, which then keep every request alive until the next
  // full collection: each collection of the young ones took 28 ms instead of 4.
  '--no-allocation-site-pretenuring',
];
