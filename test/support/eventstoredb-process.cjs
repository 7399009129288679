// An EventStoreDB in memory in a process of its own, run from sources.
require('./from-sources.cjs');
require('./eventstoredb-process.ts');
