import { Worker } from 'node:worker_threads';
import type { StoreAddress } from '@app/event-store';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { JournalKeys } from './journal-keys.js';

/** What the thread is told. */
export interface SnapshotErrand extends StoreAddress {
  readonly keys: ConstructorParameters<typeof JournalKeys>;
}

const RESTART_MS = 10_000;
/** A journal that other rules wrote would have a sentence for every event. */
const BREACHES_TOLD = 20;

/** Keeps the thread that writes snapshots alive; its loss costs a slower start and nothing else. */
export class SnapshotWorker {
  /** Events since the newest snapshot that no command can have made. */
  breaches = 0;
  private worker: Worker | undefined;
  private stopping = false;
  private restart: NodeJS.Timeout | undefined;

  constructor(
    private readonly entry: URL,
    private readonly options: { readonly config: Config; readonly databaseUrl: string; readonly logger: Logger },
  ) {
    this.launch();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    await this.worker?.terminate();
  }

  private tell(sentence: string): void {
    this.breaches += 1;
    if (this.breaches > BREACHES_TOLD) return;
    this.options.logger.error(
      `the journal holds an event that no command of the ledger makes (${sentence}): run verify, which names all of them`,
    );
  }

  private launch(): void {
    const { config, databaseUrl, logger } = this.options;
    const { folder, given } = config.journalKeys;
    const workerData: SnapshotErrand = { databaseUrl, eventStoreUrl: config.eventStoreUrl, keys: [folder, given] };
    this.worker = new Worker(this.entry, { workerData });
    this.worker.on('message', (sentence: string) => this.tell(sentence));
    this.worker.on('error', (error) => logger.warn({ err: error }, 'the snapshot worker failed'));
    this.worker.on('exit', () => {
      if (this.stopping) return;
      this.restart = setTimeout(() => this.launch(), RESTART_MS);
      this.restart.unref();
    });
    this.worker.unref();
  }
}
