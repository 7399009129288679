/**
 * A message on its way: `waiting` for the server's acknowledgement, `sent` until it comes back as a message of the chat, or
 * `failed` with the server's sentence.
 */
export interface OutgoingMessage {
  readonly clientMessageId: string;
  readonly chatId: string;
  readonly text: string;
  readonly status: 'waiting' | 'sent' | 'failed';
  /** Why it failed. */
  readonly error?: string;
  readonly writtenAt: string;
}

/**
 * What was typed and has not come back yet, in the order typed. A message keeps its `clientMessageId` however often it
 * is sent, so that the server takes it once.
 */
export class Outbox {
  private readonly messages = new Map<string, OutgoingMessage>();

  add(message: Pick<OutgoingMessage, 'clientMessageId' | 'chatId' | 'text' | 'writtenAt'>): void {
    this.messages.set(message.clientMessageId, { ...message, status: 'waiting' });
  }

  /** The server has it, and will tell of it. Answers its chat, or undefined when nothing waited under this id. */
  acknowledge(clientMessageId: string): string | undefined {
    const message = this.messages.get(clientMessageId);
    if (message) this.messages.set(clientMessageId, { ...message, status: 'sent' });
    return message?.chatId;
  }

  /** It is one of the chat's messages now, or was given up: answers its chat, or undefined when nothing was kept under this id. */
  settle(clientMessageId: string): string | undefined {
    const message = this.messages.get(clientMessageId);
    this.messages.delete(clientMessageId);
    return message?.chatId;
  }

  /**
   * The server refused it; it stays, for the member to try again or to discard.
   * Answers its chat, or undefined when nothing waited under this id.
   */
  fail(clientMessageId: string, error: string): string | undefined {
    const message = this.messages.get(clientMessageId);
    if (message?.status !== 'waiting') return undefined;
    this.messages.set(clientMessageId, { ...message, status: 'failed', error });
    return message.chatId;
  }

  /** A failed message waits again: the caller sends what this answers. */
  retry(clientMessageId: string): OutgoingMessage | undefined {
    const message = this.messages.get(clientMessageId);
    if (message?.status !== 'failed') return undefined;
    const { clientMessageId: id, chatId, text, writtenAt } = message;
    const again: OutgoingMessage = { clientMessageId: id, chatId, text, writtenAt, status: 'waiting' };
    this.messages.set(id, again);
    return again;
  }

  ofChat(chatId: string): readonly OutgoingMessage[] {
    return [...this.messages.values()].filter((message) => message.chatId === chatId);
  }

  /** What a new connection sends again, oldest first. */
  waiting(): readonly OutgoingMessage[] {
    return [...this.messages.values()].filter(({ status }) => status === 'waiting');
  }
}
