/** Keys of one query at most; more go with the one after it. */
const KEYS_MAX = 500;

/** Finds the values of keys with one query; keys that have none are absent. */
export type FindMany<V> = (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;

interface Waiting<V> {
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Single lookups that share queries: those that come while a query runs go together with the next. Nothing is remembered, so
 * that every answer was read after its question was asked; and the more there are, the less each one costs.
 */
export class GroupedLookups<V> {
  private waiting = new Map<string, Waiting<V>[]>();
  private isRunning = false;

  constructor(private readonly findMany: FindMany<V>) {}

  /** The value of a key, or undefined. @throws whatever its query failed with */
  find(key: string): Promise<V | undefined> {
    return new Promise((resolve, reject) => {
      const others = this.waiting.get(key);
      if (others) others.push({ resolve, reject });
      else this.waiting.set(key, [{ resolve, reject }]);
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.size > 0) await this.ask(this.next());
    this.isRunning = false;
  }

  private next(): ReadonlyMap<string, readonly Waiting<V>[]> {
    const all = this.waiting;
    this.waiting = new Map([...all].slice(KEYS_MAX));
    return this.waiting.size === 0 ? all : new Map([...all].slice(0, KEYS_MAX));
  }

  private async ask(asked: ReadonlyMap<string, readonly Waiting<V>[]>): Promise<void> {
    try {
      const found = await this.findMany([...asked.keys()]);
      for (const [key, waiting] of asked) for (const { resolve } of waiting) resolve(found.get(key));
    } catch (error) {
      for (const waiting of asked.values()) for (const { reject } of waiting) reject(error);
    }
  }
}
