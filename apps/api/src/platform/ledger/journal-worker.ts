import { parentPort, workerData } from 'node:worker_threads';
import { serveJournal } from '@app/ledger';

if (!parentPort) throw new Error('this is the entry of a thread');
await serveJournal(parentPort, workerData as Parameters<typeof serveJournal>[1]);
