import type { AppError } from './errors/app-error.js';

export interface FairTurnsOptions {
  readonly atOnceMax: number;
  /** How many may wait for one path, and for all together. */
  readonly waitingOfOneMax: number;
  readonly waitingMax: number;
  /** What is told to whoever is sent away. */
  readonly busy: () => AppError;
}

interface Waiter {
  readonly start: () => void;
  readonly refuse: (error: AppError) => void;
}

/** Those who wait, by the first part of their path: branches in the order of their turns, a leaf in the order of arrival. */
interface Queue {
  size: number;
  readonly branches: Map<string, Queue>;
  readonly waiters: Waiter[];
}

/**
 * Lets so much work go on at once, and is fair about the rest. Who asks is a path, such as a site and a network in it: at each
 * part of it the branches take turns, so that a crowd in one branch delays its neighbour by one turn and not by the crowd. When
 * too many wait altogether, the newest of the largest branch is sent away, whoever came last.
 */
export class FairTurns {
  private working = 0;
  private readonly root = newQueue();

  constructor(private readonly options: FairTurnsOptions) {}

  /** @throws AppError where too many wait already */
  async take<T>(path: readonly string[], work: () => Promise<T>): Promise<T> {
    await this.enter(path);
    try {
      return await work();
    } finally {
      // Whoever ends hands their place over: `working` stays as it is.
      const next = takeFirst(this.root);
      if (next) next.start();
      else this.working -= 1;
    }
  }

  private enter(path: readonly string[]): Promise<void> | undefined {
    const { atOnceMax, waitingOfOneMax, waitingMax, busy } = this.options;
    if (this.working < atOnceMax) {
      this.working += 1;
      return undefined;
    }
    if (sizeAt(this.root, path) >= waitingOfOneMax) throw busy();
    return new Promise((start, refuse) => {
      add(this.root, path, { start, refuse });
      if (this.root.size > waitingMax) takeNewestOfLargest(this.root)?.refuse(busy());
    });
  }
}

const newQueue = (): Queue => ({ size: 0, branches: new Map(), waiters: [] });

const sizeAt = (root: Queue, path: readonly string[]): number =>
  path.reduce<Queue | undefined>((queue, part) => queue?.branches.get(part), root)?.size ?? 0;

function add(queue: Queue, [part, ...rest]: readonly string[], waiter: Waiter): void {
  queue.size += 1;
  if (part === undefined) {
    queue.waiters.push(waiter);
    return;
  }
  const branch = queue.branches.get(part) ?? newQueue();
  queue.branches.set(part, branch);
  add(branch, rest, waiter);
}

/** The first waiter of the branch whose turn it is; that branch comes last from now on. */
function takeFirst(queue: Queue): Waiter | undefined {
  const [turn] = queue.branches;
  if (!turn) return shrink(queue, queue.waiters.shift());
  const [part, branch] = turn;
  const waiter = takeFirst(branch);
  queue.branches.delete(part);
  if (branch.size > 0) queue.branches.set(part, branch);
  return shrink(queue, waiter);
}

/** Of equal branches, the one that is furthest from its turn. */
function takeNewestOfLargest(queue: Queue): Waiter | undefined {
  let largest: [string, Queue] | undefined;
  for (const each of queue.branches) if (!largest || each[1].size >= largest[1].size) largest = each;
  if (!largest) return shrink(queue, queue.waiters.pop());
  const [part, branch] = largest;
  const waiter = takeNewestOfLargest(branch);
  if (branch.size === 0) queue.branches.delete(part);
  return shrink(queue, waiter);
}

function shrink(queue: Queue, taken: Waiter | undefined): Waiter | undefined {
  if (taken) queue.size -= 1;
  return taken;
}
