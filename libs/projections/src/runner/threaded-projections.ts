import { Worker } from 'node:worker_threads';
import type { ChannelListener, StoreAddress } from '@app/event-store';
import type { RebuildProgress } from '../rebuild/rebuild.js';
import { hearProgress } from './progress-listener.js';
import { Progress } from './progress.js';
import type { ProjectionLogger } from './projection-runner.js';
import { type ConnectionUse, Projections, type ReadModelStatus } from './projections.js';
import type { Answers, Ask, Said } from './projections-thread.js';

/**
 * How soon a new thread replaces one that ended. By then, or soon after, its read models are free or their leases run
 * out.
 */
const RESTART_MS = 1_000;

export interface ThreadedProjectionsOptions {
  /** The compiled module that calls `serveProjections`. */
  readonly entry: URL;
  /** The addresses of the store and of the database, which also holds the read models. */
  readonly errand: StoreAddress;
  /** As in a runner; the thread has none. */
  readonly listener?: ChannelListener | undefined;
  readonly logger?: ProjectionLogger;
  readonly onRebuildProgress?: (progress: RebuildProgress) => void;
}

interface Asked {
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Feeds read models in a thread of its own, so that making rows, and whole rebuilds, take no time from requests. A
 * thread that fails is replaced by another; until then read models stand still, as with a runner that lost its
 * database.
 */
export class ThreadedProjections extends Projections {
  protected readonly progress = new Progress();
  private worker: Worker | undefined;
  private readonly asked = new Map<number, Asked>();
  private lastAsked = 0;
  private stopHearing: (() => void) | undefined;
  private restart: NodeJS.Timeout | undefined;
  private state: 'new' | 'running' | 'stopped' = 'new';

  constructor(private readonly options: ThreadedProjectionsOptions) {
    super();
  }

  /** @throws Error the failure of the thread's start */
  async start(): Promise<void> {
    const { listener } = this.options;
    this.stopHearing = listener && (await hearProgress(listener, this.progress));
    try {
      await this.launch();
      this.state = 'running';
    } catch (error) {
      this.stopHearing?.();
      await this.worker?.terminate();
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.state === 'stopped') return;
    this.state = 'stopped';
    clearTimeout(this.restart);
    this.endWaits();
    this.stopHearing?.();
    try {
      if (this.worker) await this.ask('stop');
    } catch (error) {
      this.options.logger?.error('the thread that feeds read models did not stop in order', error);
    }
    await this.worker?.terminate();
  }

  status(): Promise<ReadModelStatus[]> {
    return this.ask('status');
  }

  isBetweenVersions(): Promise<boolean> {
    return this.ask('isBetweenVersions');
  }

  requestRebuild(name: string): Promise<void> {
    return this.ask('requestRebuild', name);
  }

  connections(): Promise<ConnectionUse> {
    return this.ask('connections');
  }

  foreignEvents(): Promise<number> {
    return this.ask('foreignEvents');
  }

  unsigned(): Promise<readonly string[]> {
    return this.ask('unsigned');
  }

  protected isFedHere(): boolean {
    return false;
  }

  protected async look(names: readonly string[]): Promise<void> {
    // The result arrives as progress. Without a thread there is none.
    await this.ask('look', names).catch(() => undefined);
  }

  private ask<N extends keyof Answers>(
    name: N,
    ...args: Parameters<Answers[N]>
  ): Promise<Awaited<ReturnType<Answers[N]>>> {
    return new Promise((resolve, reject) => {
      if (!this.worker) {
        reject(new Error('the thread that feeds read models has ended and is being started anew'));
        return;
      }
      const id = (this.lastAsked += 1);
      this.asked.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, args } satisfies Ask);
    });
  }

  private launch(): Promise<void> {
    const worker = new Worker(this.options.entry, { workerData: this.options.errand });
    this.worker = worker;
    worker.on('message', (said: Said) => this.hear(said));
    let reason = new Error('the thread that feeds read models ended');
    worker.on('error', (error) => (reason = error));
    worker.on('exit', () => this.exited(reason));
    return this.ask('start');
  }

  private hear(said: Said): void {
    if ('reached' in said) this.progress.reached(said.names, said.reached);
    else if ('info' in said) this.options.logger?.info(said.info);
    else if ('trouble' in said) this.options.logger?.error(said.trouble, said.error);
    else if ('rebuild' in said) this.options.onRebuildProgress?.(said.rebuild);
    else this.answered(said);
  }

  private answered(said: Extract<Said, { readonly id: number }>): void {
    const asked = this.asked.get(said.id);
    this.asked.delete(said.id);
    if ('failed' in said) asked?.reject(said.failed);
    else asked?.resolve(said.value as never);
  }

  private exited(reason: Error): void {
    this.worker = undefined;
    for (const { reject } of this.asked.values()) reject(reason);
    this.asked.clear();
    if (this.state !== 'running') return;
    this.options.logger?.error('the thread that feeds read models failed', reason);
    this.restart = setTimeout(() => {
      // A thread that does not start is ended, and this is called again.
      this.launch().catch(() => this.worker?.terminate());
    }, RESTART_MS);
  }
}
