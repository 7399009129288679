import { parentPort, workerData } from 'node:worker_threads';
import { openEventStore, type RecordedEvent } from '@app/event-store';
import { markOf, SignedStore } from '@app/ledger';
import { serveProjections } from '@app/projections';
import type { ProjectionsErrand } from './journal.js';

if (!parentPort) throw new Error('this is the entry of a thread');
const { trust, ...address } = workerData as ProjectionsErrand;
const store = await openEventStore(address);
// That the ledger stops is told by its writer. Read models follow streams that nothing else follows.
const onUnsigned = ({ stream, revision, metadata }: RecordedEvent) => {
  const by = markOf(metadata)?.key ?? 'nobody';
  parentPort?.postMessage({ trouble: `${stream} revision ${revision}, signed by ${by}, is passed over` });
};
await serveProjections(parentPort, trust ? new SignedStore(store, { trust, onUnsigned }) : store, address.databaseUrl);
