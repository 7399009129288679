// A proxy that lets everything wait a little, in a process of its own, run from sources.
require('./from-sources.cjs');
require('./delaying-proxy.ts');
