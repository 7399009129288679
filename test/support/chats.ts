import { ChatClock } from '../../apps/api/src/chats/chat-messages.js';
import type { TestAnswer, TestApi, TestMember } from './api.js';

/** 60 characters: five exchanges of these are a success. */
export const LONG_TEXT = 'This is a friendly message of exactly sixty characters, yes.';
/** Within the limits of rule ratings-1. */
export const REVIEW = 'A very good talk about boats, birds and the weather, thank you.';
export const EXPLANATION = 'We talked past each other for most of the time.';

/** Moves the time by which chats are decided. The ledger's own time is not affected. */
export function moveChatTime(api: TestApi): { forward(ms: number): void; restore(): void } {
  const clock = api.nova.app.get(ChatClock);
  const real = clock.now.bind(clock);
  let shift = 0;
  const spy = jest.spyOn(clock, 'now').mockImplementation(() => real() + shift);
  return { forward: (ms) => void (shift += ms), restore: () => spy.mockRestore() };
}

export const send = (member: TestMember, chatId: string, message: unknown, more: object = {}): Promise<TestAnswer> =>
  member.browser.post(`/api/chats/${chatId}/messages`, { message, ...more });

export interface Talk {
  readonly chatId: string;
  readonly initiator: TestMember;
  readonly host: TestMember;
}

/** Makes this many exchanges, each with a message from either side. Returns the last answer. */
export async function talk(
  { chatId, initiator, host }: Talk,
  exchanges: number,
  text = LONG_TEXT,
): Promise<TestAnswer> {
  let last: TestAnswer | undefined;
  for (let done = 0; done < exchanges; done++) {
    for (const member of [initiator, host]) {
      last = await send(member, chatId, text);
      if (last.status !== 201) throw new Error(`sending failed: ${last.status} ${JSON.stringify(last.body)}`);
    }
  }
  if (!last) throw new Error('nothing was said');
  return last;
}

export const rate = (member: TestMember, chatId: string, more: object = {}): Promise<TestAnswer> =>
  member.browser.post(`/api/chats/${chatId}/rate`, { rating: 90, comment: REVIEW, follow: false, ...more });

/** What a member has, in Nova. */
export const wallet = async (member: TestMember) => (await member.browser.get('/api/nova/balance')).body;
