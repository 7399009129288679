import { afterEach, expect, jest, test } from '@jest/globals';
import type { Realtime, ServerFrames } from '@/shared/realtime';
import type { ChatView } from './chat-types';
import { readChat, withMessage } from './use-chat';

type Said = ServerFrames['new_message'];
const CHAT = 'c1';

const said = (id: string, totalCharacters: number, chatId = CHAT): Said => ({
  message: {
    id,
    chatId,
    senderId: 'other',
    text: id,
    message: id,
    timestamp: '',
    createdAt: '',
    clientMessageId: null,
  },
  exchangeProgress: { exchangeCount: 0, totalCharacters, percentage: 0, isSuccessful: false },
});

/** A live connection that the test controls. */
function live() {
  const handlers = new Set<(frame: Said) => void>();
  const on = ((_type: string, handler: (frame: Said) => void) => {
    handlers.add(handler);
    return () => handlers.delete(handler);
  }) as unknown as Realtime['on'];
  const says = (frame: Said) => {
    for (const handler of handlers) handler(frame);
  };
  return { on, says, handlers };
}

afterEach(() => {
  jest.restoreAllMocks();
});

test('what is said while a chat is being read is in it, once and in order', async () => {
  const { on, says, handlers } = live();
  let answer = (_response: Response): void => undefined;
  jest.spyOn(globalThis, 'fetch').mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const reading = readChat(CHAT, { on, signal: new AbortController().signal });
  for (const frame of [said('m2', 4), said('m3', 6), said('x', 9, 'another')]) says(frame);
  const served = { messages: [said('m1', 2).message, said('m2', 4).message], totalCharacterCount: 4 };
  answer(Response.json(served));
  const chat: ChatView | null = await reading;
  expect(chat?.messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
  expect(chat?.totalCharacterCount).toBe(6);
  expect(handlers.size).toBe(0);
});

test('progress never goes back, whatever comes late', () => {
  const chat = { messages: [said('m2', 4).message], totalCharacterCount: 4, exchangeCount: 1 } as unknown as ChatView;
  const late = withMessage(chat, said('m1', 2));
  expect([late.totalCharacterCount, late.exchangeCount]).toEqual([4, 1]);
  expect(withMessage(late, said('m3', 6)).totalCharacterCount).toBe(6);
});

test('there is no chat where the server knows of none', async () => {
  const { on, handlers } = live();
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({}, { status: 404 }));
  expect(await readChat(CHAT, { on, signal: new AbortController().signal })).toBeNull();
  expect(handlers.size).toBe(0);
});
