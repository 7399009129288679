import { parentPort, workerData } from 'node:worker_threads';
import { serveProjections } from '@app/projections';

if (!parentPort) throw new Error('this is the entry of a thread');
await serveProjections(parentPort, workerData as Parameters<typeof serveProjections>[1]);
