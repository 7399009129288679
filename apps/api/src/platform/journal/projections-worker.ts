import { parentPort, workerData } from 'node:worker_threads';
import { openEventStore } from '@app/event-store';
import { SignedStore } from '@app/ledger';
import { serveProjections } from '@app/projections';
import type { ProjectionsErrand } from './journal.js';

if (!parentPort) throw new Error('this is the entry of a thread');
const { trust, ...address } = workerData as ProjectionsErrand;
const store = await openEventStore(address);
// The server's own store tells of what nobody signed: here it is not told twice.
await serveProjections(parentPort, trust ? new SignedStore(store, { trust }) : store, address.databaseUrl);
