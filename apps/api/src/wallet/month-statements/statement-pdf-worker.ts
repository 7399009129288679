import { parentPort, workerData } from 'node:worker_threads';
import { printStatement } from './print-statement.js';
import type { PrintedStatement } from './printed-statement.js';

// Our own thread was given it.
void printStatement(workerData as PrintedStatement).then((pdf) => parentPort?.postMessage(pdf));
