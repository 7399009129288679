/**
 * Sends a notice about a key at once, and then one for each interval while there is more to tell, the last change
 * included.
 */
export class PacedNotices {
  /** Keys whose last notice was less than an interval ago, and whether there is more to tell. */
  private readonly resting = new Map<string, boolean>();

  constructor(
    private readonly intervalMs: number,
    private readonly say: (key: string) => void,
  ) {}

  notify(key: string): void {
    if (this.resting.has(key)) this.resting.set(key, true);
    else this.sayAndRest(key);
  }

  private sayAndRest(key: string): void {
    this.say(key);
    this.resting.set(key, false);
    setTimeout(() => this.rested(key), this.intervalMs).unref();
  }

  private rested(key: string): void {
    const hasMore = this.resting.get(key);
    this.resting.delete(key);
    if (hasMore) this.sayAndRest(key);
  }
}
