import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { FairTurns } from '../../platform/fair-turns.js';
import { PDF_WORKER } from './pdf-worker-entry.js';
import type { PrintedStatement } from './printed-statement.js';

/** How many statements this server prints at once, and how many may wait: of one member, and of all members. */
const AT_ONCE_MAX = 2;
const WAITING_OF_MEMBER_MAX = 2;
const WAITING_MAX = 50;
const WAIT_MS_MAX = 20_000;
/** The longest statement takes a few seconds. */
const PRINT_MS_MAX = 30_000;
const HEAP_MB_MAX = 256;

/** Prints statements, each in a thread of its own with limits of time and memory: no request waits for another's pages. */
@Injectable()
export class StatementPrinter {
  private readonly turns = new FairTurns({
    atOnceMax: AT_ONCE_MAX,
    atOnceOfOneMax: 1,
    waitingOfOneMax: WAITING_OF_MEMBER_MAX,
    waitingMax: WAITING_MAX,
    waitMsMax: WAIT_MS_MAX,
    busy,
  });

  /** @throws AppError 429, 503 too many statements are being printed, or this one takes too long */
  print(memberId: string, statement: () => Promise<PrintedStatement>): Promise<Buffer> {
    return this.turns.take([memberId], async () => inThread(await statement()));
  }
}

function inThread(workerData: PrintedStatement): Promise<Buffer> {
  const worker = new Worker(PDF_WORKER, { workerData, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX } });
  return new Promise<Buffer>((resolve, reject) => {
    const deadline = setTimeout(() => {
      reject(busy());
      void worker.terminate();
    }, PRINT_MS_MAX);
    worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)));
    worker.once('error', reject);
    worker.once('exit', (code) => {
      clearTimeout(deadline);
      reject(new Error(`the thread that prints a statement ended with ${code}`));
    });
  });
}

const busy = (): AppError =>
  new AppError(503, 'BUSY', 'Many statements are being printed right now. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });
