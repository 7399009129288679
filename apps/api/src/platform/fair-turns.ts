import { AppError } from './errors/app-error.js';

export interface FairTurnsOptions {
  readonly atOnceMax: number;
  /** How much of one path's work runs at once; unlimited by default. */
  readonly atOnceOfOneMax?: number;
  /** How many may wait per path, and in all. */
  readonly waitingOfOneMax: number;
  readonly waitingMax: number;
  /** The longest wait; unlimited by default. */
  readonly waitMsMax?: number;
  /** The refusal when all places are taken. */
  readonly busy: () => AppError;
  /** The refusal when too many wait for the same path; 429 by default. */
  readonly tooManyOfOne?: () => AppError;
}

interface Waiter {
  readonly leaf: string;
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
 * too many wait altogether, the newest of the largest branch is sent away, whoever came last. `p-limit` knows neither callers
 * nor an end to its queue.
 */
export class FairTurns {
  private working = 0;
  private readonly workingOf = new Map<string, number>();
  private readonly root = newQueue();

  constructor(private readonly options: FairTurnsOptions) {}

  /** @throws AppError where too many wait already */
  async take<T>(path: readonly string[], work: () => Promise<T>): Promise<T> {
    const end = await this.begin(path);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /**
   * As `take`, for work that ends elsewhere: the answer ends the turn, once, however often it is called.
   * @throws AppError where too many wait already
   */
  async begin(path: readonly string[]): Promise<() => void> {
    const leaf = path.join(' ');
    await this.enter(path, leaf);
    let ended = false;
    return () => {
      if (!ended) this.leave(leaf);
      ended = true;
    };
  }

  private enter(path: readonly string[], leaf: string): Promise<void> | undefined {
    const { waitingOfOneMax, waitingMax, waitMsMax, busy, tooManyOfOne = tooManyAtOnce } = this.options;
    if (this.hasRoom() && this.hasRoomFor(leaf)) {
      this.start(leaf);
      return undefined;
    }
    if (sizeAt(this.root, path) >= waitingOfOneMax) throw tooManyOfOne();
    return new Promise<void>((start, refuse) => {
      const waiter = { leaf, start, refuse };
      add(this.root, path, waiter);
      if (waitMsMax !== undefined) this.sendAwayAfter(waitMsMax, path, waiter);
      if (this.root.size > waitingMax) takeNewestOfLargest(this.root)?.refuse(busy());
    });
  }

  private sendAwayAfter(ms: number, path: readonly string[], waiter: Waiter): void {
    const { busy, tooManyOfOne = tooManyAtOnce } = this.options;
    setTimeout(() => {
      if (!remove(this.root, path, waiter)) return;
      const isOwnCrowd = sizeAt(this.root, path) > 0 || !this.hasRoomFor(waiter.leaf);
      waiter.refuse(isOwnCrowd ? tooManyOfOne() : busy());
    }, ms).unref();
  }

  private leave(leaf: string): void {
    this.working -= 1;
    const left = this.workingOfLeaf(leaf) - 1;
    if (left > 0) this.workingOf.set(leaf, left);
    else this.workingOf.delete(leaf);
    // Each end makes room for one: others wait because of their own limit.
    const next = takeFirst(this.root, (waiter) => this.hasRoomFor(waiter.leaf));
    if (!next) return;
    this.start(next.leaf);
    next.start();
  }

  private start(leaf: string): void {
    this.working += 1;
    this.workingOf.set(leaf, this.workingOfLeaf(leaf) + 1);
  }

  private hasRoom(): boolean {
    return this.working < this.options.atOnceMax;
  }

  private hasRoomFor(leaf: string): boolean {
    const { atOnceMax, atOnceOfOneMax = atOnceMax } = this.options;
    return this.workingOfLeaf(leaf) < atOnceOfOneMax;
  }

  private workingOfLeaf(leaf: string): number {
    return this.workingOf.get(leaf) ?? 0;
  }
}

const tooManyAtOnce = (): AppError =>
  new AppError(429, 'TOO_MANY_REQUESTS', 'You are sending too many requests at once. Please wait a moment.', {
    retryAfterSeconds: 1,
  });

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

/** False: it does not wait any more. */
function remove(queue: Queue, [part, ...rest]: readonly string[], waiter: Waiter): boolean {
  if (part === undefined) {
    const at = queue.waiters.indexOf(waiter);
    if (at >= 0) shrink(queue, ...queue.waiters.splice(at, 1));
    return at >= 0;
  }
  const branch = queue.branches.get(part);
  if (!branch || !remove(branch, rest, waiter)) return false;
  queue.size -= 1;
  if (branch.size === 0) queue.branches.delete(part);
  return true;
}

/** The first that may start, of the branch whose turn it is; that branch comes last from now on. */
function takeFirst(queue: Queue, mayStart: (waiter: Waiter) => boolean): Waiter | undefined {
  const [first] = queue.waiters;
  if (first && mayStart(first)) return shrink(queue, queue.waiters.shift());
  // As many branches are passed over at most as there is work going on.
  for (const [part, branch] of queue.branches) {
    const waiter = takeFirst(branch, mayStart);
    if (!waiter) continue;
    queue.branches.delete(part);
    if (branch.size > 0) queue.branches.set(part, branch);
    return shrink(queue, waiter);
  }
  return undefined;
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

function shrink(queue: Queue, taken?: Waiter): Waiter | undefined {
  if (taken) queue.size -= 1;
  return taken;
}
