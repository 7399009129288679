/** Remembers the newest ids, so that what comes twice counts once. */
export class RecentIds {
  private readonly ids = new Set<string>();

  constructor(private readonly max: number) {}

  /** True when this id is new. */
  add(id: string): boolean {
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    for (const oldest of this.ids) {
      if (this.ids.size <= this.max) break;
      this.ids.delete(oldest);
    }
    return true;
  }
}
