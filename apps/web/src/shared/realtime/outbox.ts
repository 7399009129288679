/**
 * A message on its way: `waiting` for the server's acknowledgement, `sent` until it comes back as a message of the
 * chat, or `failed` with the server's sentence.
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
 * The messages that were typed and have not come back yet, in the order typed. A message keeps its `clientMessageId`
 * however often it is sent, so that the server accepts it once.
 */
export class Outbox {
  private readonly messages = new Map<string, OutgoingMessage>();

  add(message: Pick<OutgoingMessage, 'clientMessageId' | 'chatId' | 'text' | 'writtenAt'>): void {
    this.messages.set(message.clientMessageId, { ...message, status: 'waiting' });
  }

  /**
   * The server has the message and will announce it. Returns its chat, or undefined if no message waited under this id.
   */
  acknowledge(clientMessageId: string): string | undefined {
    const message = this.messages.get(clientMessageId);
    if (message) this.messages.set(clientMessageId, { ...message, status: 'sent' });
    return message?.chatId;
  }

  /**
   * The message is now one of the chat's, or was given up. Returns its chat, or undefined if no message had this id.
   */
  settle(clientMessageId: string): string | undefined {
    const message = this.messages.get(clientMessageId);
    this.messages.delete(clientMessageId);
    return message?.chatId;
  }

  /**
   * The server refused the message; it stays, for the member to retry or discard. Returns its chat, or undefined if no
   * message waited under this id.
   */
  fail(clientMessageId: string, error: string): string | undefined {
    const message = this.messages.get(clientMessageId);
    if (message?.status !== 'waiting') return undefined;
    this.messages.set(clientMessageId, { ...message, status: 'failed', error });
    return message.chatId;
  }

  /** A failed message waits again; the caller sends the returned message. */
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

  /** The messages that a new connection sends again, oldest first. */
  waiting(): readonly OutgoingMessage[] {
    return [...this.messages.values()].filter(({ status }) => status === 'waiting');
  }
}
