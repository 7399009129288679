import { type ChatEvent, chatStream, encodeChatEvent } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { v7 as uuidv7 } from 'uuid';
import { REPLAY_MAX } from './limits.js';
import { MessageReplay } from './message-replay.js';

const common = { chatId: 'chat', initiatorId: 'ada', hostId: 'bob', at: Date.UTC(2026, 0, 1) };
const word: ChatEvent = { ...common, type: 'ChatVerified', side: 'host', isSuccessful: false };
const message = (messageId: string): ChatEvent => ({
  ...common,
  type: 'ChatMessageSent',
  messageId,
  senderId: 'ada',
  side: 'initiator',
  characters: 5,
  exchanges: 0,
  totalCharacters: 5,
  hostCharacters: 0,
});
const times = (count: number, make: (index: number) => ChatEvent): ChatEvent[] =>
  Array.from({ length: count }, (_, index) => make(index));

/**
 * The ids of the messages sent to a socket that knew all up to one message, or none, and the revision of the last one.
 */
async function replayed(events: readonly ChatEvent[], after: string | null) {
  const store = new MemoryEventStore();
  const stored = events.map((event) => ({
    id: uuidv7(),
    type: event.type,
    data: encodeChatEvent(event),
    metadata: '{}',
  }));
  if (stored.length > 0) await store.append(chatStream('chat'), stored, 'none');
  const replay = new MessageReplay(store, { find: async () => new Map() });
  const messages = await replay.messagesAfter('chat', after);
  const ids = messages.map(({ payload }) => (payload['message'] as { id: string }).id);
  return { ids, last: messages.at(-1)?.revision };
}

describe('what a socket missed of a chat', () => {
  it('is the messages after the one it had, oldest first', async () => {
    const events = [message('had'), word, message('one'), message('two')];
    expect(await replayed(events, 'had')).toEqual({ ids: ['one', 'two'], last: 3 });
    expect(await replayed(events, null)).toEqual({ ids: ['had', 'one', 'two'], last: 3 });
    expect(await replayed([], null)).toEqual({ ids: [], last: undefined });
  });

  it.each([REPLAY_MAX - 1, REPLAY_MAX, 3 * REPLAY_MAX])('is there behind %d other events', async (others) => {
    const events = [message('had'), message('one'), ...times(others, () => word)];
    expect(await replayed(events, 'had')).toEqual({ ids: ['one'], last: 1 });
    expect((await replayed(events, null)).ids).toEqual(['had', 'one']);
  });

  it('is the newest messages where there are too many', async () => {
    const events = times(2 * REPLAY_MAX, (index) => (index % 2 === 0 ? word : message(`m${index}`)));
    const more = [message('first'), ...events, message('last')];
    const { ids } = await replayed(more, 'first');
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([REPLAY_MAX, 'm3', 'last']);
  });
});
