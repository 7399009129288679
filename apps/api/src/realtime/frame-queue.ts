import { setTimeout as pause } from 'node:timers/promises';
import { FRAME_BYTES_WAITING_MAX, FRAMES_WAITING_MAX } from './limits.js';

interface BucketOptions {
  readonly perSecond: number;
  readonly atOnce: number;
  /** Monotonic milliseconds; a parameter for tests. */
  readonly now?: () => number;
}

/** Lets `atOnce` frames pass immediately, and then `perSecond` each second; the rest wait their turn. */
export class TokenBucket {
  private tokens: number;
  private filledAt: number;
  private readonly now: () => number;

  constructor(private readonly options: BucketOptions) {
    this.now = options.now ?? (() => performance.now());
    this.tokens = options.atOnce;
    this.filledAt = this.now();
  }

  /** Takes one, and returns in how many milliseconds it may be used: 0 for now. */
  take(): number {
    const { perSecond, atOnce } = this.options;
    const now = this.now();
    this.tokens = Math.min(atOnce, this.tokens + ((now - this.filledAt) * perSecond) / 1000) - 1;
    this.filledAt = now;
    return this.tokens >= 0 ? 0 : (-this.tokens * 1000) / perSecond;
  }
}

export interface FrameQueueOptions<F> {
  readonly bucket: TokenBucket;
  /** Never rejects. */
  readonly work: (frame: F) => Promise<void>;
  /** Called when a frame has to wait because too many came. */
  readonly onSlowed: () => void;
  /** Called when too many wait: no more frames are taken. */
  readonly onFlood: () => void;
}

interface Waiting<F> {
  readonly frame: F;
  readonly bytes: number;
}

/** Handles the frames of one socket one after the other, no faster than its bucket allows. */
export class FrameQueue<F> {
  private waiting: Waiting<F>[] = [];
  private bytes = 0;
  private isRunning = false;
  private readonly ended = new AbortController();

  constructor(private readonly options: FrameQueueOptions<F>) {}

  push(frame: F, bytes: number): void {
    if (this.ended.signal.aborted) return;
    this.waiting.push({ frame, bytes });
    this.bytes += bytes;
    if (this.waiting.length > FRAMES_WAITING_MAX || this.bytes > FRAME_BYTES_WAITING_MAX) {
      this.end();
      this.options.onSlowed();
      this.options.onFlood();
    } else if (!this.isRunning) {
      void this.run();
    }
  }

  /** Drops the waiting frames; the current one is finished. */
  end(): void {
    this.ended.abort();
    this.waiting = [];
    this.bytes = 0;
  }

  private async run(): Promise<void> {
    const { bucket, work, onSlowed } = this.options;
    const { signal } = this.ended;
    this.isRunning = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      this.bytes -= next.bytes;
      const waitMs = bucket.take();
      if (waitMs > 0) {
        onSlowed();
        await pause(waitMs, undefined, { signal }).catch(() => undefined);
      }
      if (signal.aborted) break;
      await work(next.frame);
    }
    this.isRunning = false;
  }
}
