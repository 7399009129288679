import { parentPort, workerData } from 'node:worker_threads';
import { servePeriodAudit } from './threaded-period-audit.js';

if (!parentPort) throw new Error('this is the entry of a thread');
servePeriodAudit(parentPort, workerData as Parameters<typeof servePeriodAudit>[1]);
