/**
 * One process of the long-fork workload, on the built event store: `node long-fork-process.mjs DATABASE_URL
 * EVENTSTORE_URL|-`. On request it appends event after event to a stream of its own, or reads all events over and over.
 * It reports each step to its parent, and ends on request.
 */
import { randomUUID } from 'node:crypto';
import { openEventStore } from '../../dist/libs/event-store/src/index.js';

const [databaseUrl, eventStoreUrl] = process.argv.slice(2);
const store = await openEventStore({ databaseUrl, ...(eventStoreUrl === '-' ? {} : { eventStoreUrl }) });
const ending = new AbortController();

process.on('message', ({ role, stream, streams }) => {
  if (role === 'end') ending.abort();
  if (role === 'write') void write(stream);
  if (role === 'read') void read(streams);
});
process.send({ ready: true });

async function write(stream) {
  let revision = -1;
  while (!ending.signal.aborted) {
    const event = { id: randomUUID(), type: 'Written', data: '{}', metadata: '{}' };
    ({ revision } = await store.append(stream, [event], revision < 0 ? 'none' : revision));
  }
  finish({ written: revision + 1 });
}

/** Reports for each read how many events of each stream it saw, and once, at the end, their order. */
async function read(streams) {
  const reads = [];
  let order = [];
  while (!ending.signal.aborted || order.length === 0) {
    order = [];
    for await (const batch of store.readAll({ streamPrefixes: streams })) {
      for (const event of batch) order.push(`${event.stream} ${event.revision}`);
    }
    reads.push(streams.map((stream) => order.filter((seen) => seen.startsWith(`${stream} `)).length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  finish({ reads, order });
}

function finish(result) {
  process.send(result, () => void store.close().then(() => process.exit(0)));
}
