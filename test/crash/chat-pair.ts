import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Answer, Member } from './member.js';

interface ChatState {
  readonly id: string;
  readonly status: string;
  readonly myRating: number | null;
  readonly messages: readonly unknown[];
}

const REVIEW = 'Fifty characters are needed here, and here they all are.';
const EXPLANATION = 'Thirty characters are needed here.';
const TEXT = 'Something that is said to move this chat along a bit.';
const OPEN = new Set(['requested', 'active', 'successful']);
const FINISH_TRIES_MAX = 60;

/** Two members who keep chatting, whatever happens to the server. They retry calls without an answer. */
export class ChatPair {
  private chatId: string | undefined;
  /** The key of the request that was sent and not answered, or of the next one. */
  private key = uuidv7();
  private isUnanswered = false;
  /** Steps that were answered, so that a test can tell that something happened. */
  steps = 0;

  constructor(
    readonly initiator: Member,
    readonly host: Member,
    private readonly below: (limit: number) => number,
  ) {}

  async talk(until: { readonly over: boolean }): Promise<void> {
    while (!until.over) {
      await this.step().catch(() => sleep(50));
      await sleep(this.below(10));
    }
  }

  /** Ends everything that is open: afterwards nothing may be held for these two. */
  async finish(): Promise<void> {
    for (let tries = 0; tries < FINISH_TRIES_MAX; tries += 1) {
      const isOver = await this.end().catch(() => false);
      if (isOver) return;
      await sleep(250);
    }
    throw new Error(`chat ${this.chatId ?? 'of nobody'} could not be ended`);
  }

  private async step(): Promise<void> {
    const chat = await this.current();
    if (!chat || !OPEN.has(chat.status)) await this.request();
    else if (chat.status === 'requested') await this.answer(chat.id);
    else if (chat.status === 'active') await this.say(chat);
    else await this.rate(chat.id);
    this.steps += 1;
  }

  private async current(): Promise<ChatState | undefined> {
    if (this.chatId === undefined) return undefined;
    const { body } = expectNoFailure(await this.initiator.call<ChatState>('GET', `/api/chats/${this.chatId}`));
    return body;
  }

  private async request(): Promise<void> {
    this.isUnanswered = true;
    const { status, body } = expectNoFailure(
      await this.initiator.call<{ chatId?: string }>('POST', '/api/chats/initiate', {
        body: { hostId: this.host.id },
        key: this.key,
      }),
    );
    this.key = uuidv7();
    this.isUnanswered = false;
    if (body.chatId !== undefined) this.chatId = body.chatId;
    else if (status === 409) await sleep(200);
  }

  private async answer(chatId: string): Promise<void> {
    expectNoFailure(await this.host.call('POST', `/api/chats/${chatId}/accept`, { body: {} }));
  }

  private async say({ id, messages }: ChatState): Promise<void> {
    if (this.below(15) === 0) {
      const leaver = this.below(2) === 0 ? this.host : this.initiator;
      expectNoFailure(await leaver.call('POST', `/api/chats/${id}/exit`, { body: {} }));
      return;
    }
    const speaker = messages.length % 2 === 0 ? this.initiator : this.host;
    const body = { message: TEXT, clientMessageId: uuidv7() };
    expectNoFailure(await speaker.call('POST', `/api/chats/${id}/messages`, { body }));
  }

  private async rate(chatId: string): Promise<void> {
    const rating = 50 + this.below(50);
    const body = { rating, comment: REVIEW, follow: false, explanation: EXPLANATION };
    for (const side of [this.initiator, this.host]) {
      expectNoFailure(await side.call('POST', `/api/chats/${chatId}/rate`, { body }));
    }
  }

  private async end(): Promise<boolean> {
    // The request may have taken effect: then its chat is open, and only the answer with its id was lost.
    if (this.isUnanswered) await this.request();
    const chat = await this.current();
    if (!chat || !OPEN.has(chat.status)) return true;
    if (chat.status === 'successful') await this.rate(chat.id);
    else expectNoFailure(await this.initiator.call('POST', `/api/chats/${chat.id}/exit`, { body: {} }));
    return false;
  }
}

/** After a 4xx the next step does something else; after a 5xx it tries again. */
function expectNoFailure<T>(answer: Answer<T>): Answer<T> {
  if (answer.status >= 500) throw new Error(`answered ${answer.status}`);
  return answer;
}
