import type { ReadModel } from '../read-model.js';
import { RebuildUnderWay } from '../rebuild/replica.js';

const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 10_000;

interface Failure {
  readonly times: number;
  readonly retryAtMs: number;
  readonly error: unknown;
}

/**
 * Rebuilds that nobody waits for: begun when they are due, and retried when they fail. They do not compare live rows.
 */
export class DueRebuilds {
  private readonly running = new Set<Promise<void>>();
  private readonly names = new Set<string>();
  private readonly failures = new Map<string, Failure>();

  constructor(
    private readonly rebuild: (models: readonly ReadModel[]) => Promise<unknown>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Names that are being rebuilt at the moment. */
  underWay(): Set<string> {
    return new Set(this.names);
  }

  errorOf(name: string): unknown {
    return this.failures.get(name)?.error;
  }

  /** Begins the rebuilds that neither are in progress nor failed a moment ago. */
  begin(models: readonly ReadModel[]): void {
    const now = performance.now();
    const due = models.filter(({ name }) => !this.names.has(name) && (this.failures.get(name)?.retryAtMs ?? 0) <= now);
    if (due.length === 0) return;
    for (const { name } of due) this.names.add(name);
    const ended: Promise<void> = this.run(due).finally(() => {
      for (const { name } of due) this.names.delete(name);
      this.running.delete(ended);
    });
    this.running.add(ended);
  }

  async settled(): Promise<void> {
    await Promise.all(this.running);
  }

  private async run(models: readonly ReadModel[]): Promise<void> {
    try {
      await this.rebuild(models);
      for (const { name } of models) this.failures.delete(name);
    } catch (error) {
      // Another process rebuilds it: nothing is wrong, and the next check finds it done.
      if (error instanceof RebuildUnderWay) return;
      for (const { name } of models) this.failed(name, error);
      this.onError(error);
    }
  }

  private failed(name: string, error: unknown): void {
    const times = (this.failures.get(name)?.times ?? 0) + 1;
    const pauseMs = Math.min(RETRY_MS_MIN * 2 ** (times - 1), RETRY_MS_MAX);
    this.failures.set(name, { times, error, retryAtMs: performance.now() + pauseMs });
  }
}
