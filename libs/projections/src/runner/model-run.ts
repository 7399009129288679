import type { ReadModel, ReadModelApplier } from '../read-model.js';
import type { Checkpoint } from './checkpoints.js';

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;

/** A read model that this process owns, and its position. */
export class ModelRun {
  position: bigint;
  revision: number;
  epoch: bigint;
  version: number;
  /** After a failure it is applied apart from the others, until it succeeds once or nothing is left to apply. */
  failures = 0;
  /**
   * Why it fails. The failure of a batch that it shares with others says nothing about it yet: each of them is tried
   * alone next.
   */
  error: unknown;
  private retryAtMs = 0;
  private current: ReadModelApplier | undefined;

  constructor(
    readonly model: ReadModel,
    checkpoint: Checkpoint,
  ) {
    ({ position: this.position, revision: this.revision, epoch: this.epoch, version: this.version } = checkpoint);
  }

  get name(): string {
    return this.model.name;
  }

  get applier(): ReadModelApplier {
    return (this.current ??= this.model.createApplier({ startsEmpty: this.position < 0n }));
  }

  /** Whether the checkpoint is not where this run left it: somebody else moved or swapped it. */
  differsFrom(checkpoint: Checkpoint): boolean {
    return checkpoint.epoch !== this.epoch;
  }

  /** Begins again from a checkpoint, with empty caches. */
  reload(checkpoint: Checkpoint): void {
    ({ position: this.position, revision: this.revision, epoch: this.epoch, version: this.version } = checkpoint);
    this.current = undefined;
  }

  advanced(position: bigint, revision: number | undefined): void {
    this.position = position;
    this.revision = Math.max(this.revision, revision ?? -1);
    this.recovered();
  }

  recovered(): void {
    this.failures = 0;
    this.error = undefined;
  }

  failed(error: unknown, { isAlone }: { isAlone: boolean }): void {
    if (isAlone) this.error = error;
    this.failures += 1;
    this.current = undefined;
    this.retryAtMs = performance.now() + Math.min(RETRY_MS_MIN * 2 ** (this.failures - 1), RETRY_MS_MAX);
  }

  get isOutdated(): boolean {
    return this.version < this.model.version;
  }

  /** Whether it may be fed now. */
  get isReady(): boolean {
    return !this.isOutdated && this.mayTry;
  }

  /** Whether nothing failed recently. */
  get mayTry(): boolean {
    return this.failures === 0 || performance.now() >= this.retryAtMs;
  }
}
