import type { ChatEvent } from '@app/domain';
import { announcementsOf, exchangeProgress, newMessage } from './chat-announcements.js';

const common = { chatId: 'chat', initiatorId: 'ada', hostId: 'bob', at: Date.UTC(2026, 0, 1) };
const counts = { exchanges: 2, totalCharacters: 90, hostCharacters: 40 };
const said = (event: ChatEvent) =>
  announcementsOf(event, (id) => id.toUpperCase()).map(({ to, type, payload }) => [to.join(), type, payload]);

describe('what an event of a chat says to whom', () => {
  const chatId = 'chat';

  it('a request: to the host, by the initiator’s name', () => {
    expect(said({ ...common, type: 'ChatRequested', price: 125_000n, acceptBy: 1 })).toEqual([
      ['bob', 'chat_requested', { chatId, message: 'ADA would like to chat with you.' }],
      ['ada,bob', 'chat_updated', { chatId, status: 'requested' }],
    ]);
  });

  it('an acceptance: to the initiator, in the words of the toast', () => {
    expect(said({ ...common, type: 'ChatAccepted', verifyBy: 1 })).toEqual([
      ['ada', 'chat_accepted', { chatId, message: 'Your chat request was accepted!' }],
      ['ada,bob', 'chat_updated', { chatId, status: 'active' }],
    ]);
  });

  it.each([
    ['declined', { ...common, type: 'ChatDeclined' }],
    ['expired', { ...common, type: 'ChatRequestExpired' }],
    ['expired', { ...common, type: 'ChatRequestAbandoned' }],
    ['successful', { ...common, ...counts, type: 'ChatSucceeded', rateBy: 1 }],
  ] as [string, ChatEvent][])('an end: to both, as %s', (status, event) => {
    expect(said(event)).toEqual([
      ['ada,bob', 'chat_ended', { chatId, status }],
      ['ada,bob', 'chat_updated', { chatId, status }],
    ]);
  });

  it('a termination: to both, naming the member', () => {
    const event = { ...common, ...counts, type: 'ChatTerminated', by: 'host', cause: 'exit', due: 0n } as const;
    expect(said(event)[0]).toEqual(['ada,bob', 'chat_terminated', { chatId, terminatedBy: 'bob' }]);
    expect(said({ ...event, by: 'initiator' })[0]?.[2]).toEqual({ chatId, terminatedBy: 'ada' });
  });

  it('a nudge: to the other side alone', () => {
    const event = { ...common, type: 'ChatNudged', side: 'host' } as const;
    expect(said(event)).toEqual([['ada', 'chat_nudged', { chatId, message: 'BOB is waiting for you.' }]]);
    expect(said({ ...event, side: 'initiator' })).toMatchObject([['bob', 'chat_nudged', expect.anything()]]);
  });

  it('a message whose text was erased is empty', () => {
    const event = {
      ...common,
      ...counts,
      type: 'ChatMessageSent',
      messageId: 'm',
      senderId: 'ada',
      side: 'initiator',
      characters: 5,
    } as const;
    expect(said(event)).toEqual([]);
    expect(newMessage(event, undefined)).toMatchObject({
      message: { id: 'm', text: '', message: '', clientMessageId: null, createdAt: '2026-01-01T00:00:00.000Z' },
    });
  });

  it('the progress, never over 100 and successful only with both', () => {
    const progress = (exchanges: number, totalCharacters: number) =>
      exchangeProgress({ exchanges, totalCharacters, hostCharacters: 0 });
    expect(progress(2, 90)).toEqual({ exchangeCount: 2, totalCharacters: 90, percentage: 35, isSuccessful: false });
    expect(progress(5, 299)).toMatchObject({ percentage: 99, isSuccessful: false });
    expect(progress(4, 3_000)).toMatchObject({ percentage: 90, isSuccessful: false });
    expect(progress(50, 3_000)).toMatchObject({ percentage: 100, isSuccessful: true });
  });
});
