import { parentPort, workerData } from 'node:worker_threads';
import { openEventStore, type RecordedEvent } from '@app/event-store';
import { SignedStore } from '@app/ledger';
import { serveProjections } from '@app/projections';
import type { ProjectionsErrand } from './journal.js';

if (!parentPort) throw new Error('this is the entry of a thread');
const { trust, ...address } = workerData as ProjectionsErrand;
const store = await openEventStore(address);
// That the ledger stops is told by the server's own store; read models follow streams that it does not.
const onUnsigned = ({ stream, revision }: RecordedEvent) =>
  parentPort?.postMessage({ trouble: `${stream} revision ${revision} is signed by nobody, and passed over` });
await serveProjections(parentPort, trust ? new SignedStore(store, { trust, onUnsigned }) : store, address.databaseUrl);
