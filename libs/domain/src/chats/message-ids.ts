interface Link {
  readonly id: string;
  readonly older: Link | undefined;
}

/**
 * The ids of a chat's messages, newest first. Adding one shares all others with the list before, which stays as it is; a
 * look-up walks the list, whose length has a limit (`MESSAGES_PER_CHAT_MAX`).
 */
export class MessageIds {
  static readonly NONE = new MessageIds(undefined, 0);

  private constructor(
    private readonly top: Link | undefined,
    readonly size: number,
  ) {}

  with(id: string): MessageIds {
    return new MessageIds({ id, older: this.top }, this.size + 1);
  }

  has(id: string): boolean {
    for (let link = this.top; link; link = link.older) if (link.id === id) return true;
    return false;
  }

  /** The newest `count`, in the order in which they were sent. */
  last(count: number): string[] {
    const found: string[] = [];
    for (let link = this.top; link && found.length < count; link = link.older) found.push(link.id);
    return found.toReversed();
  }
}
