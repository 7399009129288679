import { Worker } from 'node:worker_threads';
import type { StoreAddress } from '@app/event-store';
import type { Logger } from 'pino';
import type { Config } from '../config.js';

const RESTART_MS = 10_000;

/** Keeps the thread that writes snapshots alive; its loss costs a slower start and nothing else. */
export class SnapshotWorker {
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

  private launch(): void {
    const { config, databaseUrl, logger } = this.options;
    const workerData: StoreAddress = { databaseUrl, eventStoreUrl: config.eventStoreUrl };
    this.worker = new Worker(this.entry, { workerData });
    this.worker.on('error', (error) => logger.warn({ err: error }, 'the snapshot worker failed'));
    this.worker.on('exit', () => {
      if (this.stopping) return;
      this.restart = setTimeout(() => this.launch(), RESTART_MS);
      this.restart.unref();
    });
    this.worker.unref();
  }
}
