import crypto from 'node:crypto';
import * as uuid from 'uuid';
import { createLoader, type Load, type Plant } from './loader.js';
import type { Owner, Task, World } from './world.js';

/** Of these files each simulated process has instances of its own: they have timers, or a state. */
const OWNED = /^libs\/ledger\//;
/** Of a whole server: also what opens connections, and everything above the ledger. */
export const OWNED_BY_SERVERS =
  /^(libs\/(ledger|projections|event-store\/src\/(index|postgres\/open-pool))|apps\/api)\b/;

export interface ProcessOptions {
  readonly world: World;
  readonly root: string;
  /** Loads what processes share. */
  readonly load: Load;
  /** What the process's wall clock shows, in milliseconds since 1970. */
  readonly wallMs: () => number;
  readonly plant?: Plant | undefined;
  /** Files of which it has instances of its own: those of the ledger when absent. */
  readonly owned?: RegExp;
  /** Modules that it has in the place of others, once there is a process. */
  readonly modules?: (process: SimulatedProcess) => Readonly<Record<string, object>>;
}

const UUID_BYTES = 16;

/** A timer as Node gives it. */
interface Timer {
  task: Task | undefined;
  ref(): Timer;
  unref(): Timer;
}

/** A process with its own modules, timers, clocks and randomness. Once it is killed, nothing of it ever happens again. */
export class SimulatedProcess implements Owner {
  isDead = false;
  readonly load: Load;
  private readonly deaths: (() => void)[] = [];
  private ids = 0;

  constructor(options: ProcessOptions) {
    const { world, root, load, plant, owned = OWNED } = options;
    const random = this.randomness(world);
    this.load = createLoader({
      root,
      plant,
      shared: { load, owns: (file) => owned.test(file) },
      surroundings: { ...this.timers(world), ...clocks(options, world.nowMs), AbortController: controllersOf(world) },
      builtins: {
        'node:crypto': { ...crypto, ...random },
        'node:timers/promises': this.pauses(world),
        uuid: {
          ...uuid,
          v7: () => uuid.v7({ msecs: options.wallMs(), random: random.randomBytes(UUID_BYTES), seq: this.ids++ }),
        },
        ...options.modules?.(this),
      },
    });
  }

  /** Called when it is killed. */
  onDeath(run: () => void): void {
    this.deaths.push(run);
  }

  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const run of this.deaths.splice(0)) run();
  }

  private timers(world: World) {
    const timerOf = (task?: Task): Timer => {
      const timer: Timer = { task, ref: () => timer, unref: () => timer };
      return timer;
    };
    const clear = (timer?: Timer): void => {
      if (timer?.task) timer.task.run = undefined;
    };
    const later = (ms: number, run: () => void) => world.after(ms, run, this);
    return {
      setTimeout: (run: (...given: unknown[]) => void, ms = 1, ...given: unknown[]) =>
        timerOf(later(Math.max(1, ms), () => run(...given))),
      setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) => timerOf(later(0, () => run(...given))),
      setInterval: (run: () => void, ms: number) => {
        const timer = timerOf();
        const again = (): void => {
          timer.task = later(Math.max(1, ms), () => {
            again();
            run();
          });
        };
        again();
        return timer;
      },
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
    };
  }

  private pauses(world: World) {
    const pause = (ms = 1, value?: unknown, { signal }: { readonly signal?: AbortSignal } = {}) =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          task.run = undefined;
          reject(new Error('The operation was aborted'));
        };
        const task = world.after(
          Math.max(1, ms),
          () => {
            signal?.removeEventListener('abort', abort);
            resolve(value);
          },
          this,
        );
        if (signal?.aborted) abort();
        else signal?.addEventListener('abort', abort, { once: true });
      });
    return { setTimeout: pause, setImmediate: (value?: unknown) => pause(0, value) };
  }

  private randomness({ random }: World) {
    const randomBytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => random.below(256)));
    return { randomBytes, randomUUID: () => uuid.v4({ random: randomBytes(UUID_BYTES) }) };
  }
}

/** What nobody aborts would be kept by this process, with all that listens: at the end of the run everything is over. */
function controllersOf(world: World) {
  return class SimulatedAbortController extends AbortController {
    constructor() {
      super();
      world.atEnd(() => this.abort());
    }
  };
}

function clocks({ world, wallMs }: ProcessOptions, bootedAtMs: number) {
  class SimulatedDate extends Date {
    constructor(...given: [] | [number | string]) {
      super(...((given.length === 0 ? [wallMs()] : given) as [number]));
    }

    static override now(): number {
      return wallMs();
    }
  }
  // As a copy: `Math` itself belongs to everybody.
  const SimulatedMath: object = Object.create(Math, { random: { value: () => world.random.next() } });
  return { Date: SimulatedDate, Math: SimulatedMath, performance: { now: () => world.nowMs - bootedAtMs } };
}
