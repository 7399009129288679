/**
 * The ids of a chat's messages, newest first. Adding one shares all others with the list before, which stays as it is; a
 * look-up walks the list, whose length has a limit (`MESSAGES_PER_CHAT_MAX`).
 */
export class MessageIds {
  static readonly NONE = new MessageIds(undefined, undefined, 0);

  private constructor(
    private readonly newest: string | undefined,
    private readonly older: MessageIds | undefined,
    readonly size: number,
  ) {}

  with(id: string): MessageIds {
    return new MessageIds(id, this, this.size + 1);
  }

  /** The newest so many, in the order in which they were sent. */
  last(count: number): string[] {
    const found: string[] = [];
    for (let ids: MessageIds | undefined = this; ids?.newest !== undefined && found.length < count; ids = ids.older) {
      found.push(ids.newest);
    }
    return found.reverse();
  }

  has(id: string): boolean {
    if (this.newest === id) return true;
    for (let ids = this.older; ids; ids = ids.older) if (ids.newest === id) return true;
    return false;
  }
}
