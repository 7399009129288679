import { type ChatCommand, chatStream } from '@app/domain';
import {
  AppendOutcomeUnknown,
  type AppendResult,
  type ExpectedRevision,
  MemoryEventStore,
  type NewEvent,
  StoreUnavailable,
} from '@app/event-store';
import { v7 as uuidv7 } from 'uuid';
import { StreamMetadata } from '../platform/journal/stream-metadata.js';
import { type ChatOutcome, ChatStore } from './chat-store.js';

const BY = { actor: 'process' } as const;
const [INITIATOR, HOST] = [uuidv7(), uuidv7()];

/** A store that does what it is told with the next appends. */
class UnreliableStore extends MemoryEventStore {
  readonly appends: (readonly NewEvent[])[] = [];
  /** For each append to come: written and said so, written and not said, or neither. */
  plan: ('lose-answer' | 'unavailable')[] = [];
  beforeAppend: (() => Promise<unknown>) | undefined;

  override async append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const { beforeAppend } = this;
    this.beforeAppend = undefined;
    await beforeAppend?.();
    this.appends.push(events);
    const fault = this.plan.shift();
    if (fault === 'unavailable') throw new StoreUnavailable('away');
    const result = await super.append(stream, events, expected);
    if (fault === 'lose-answer') throw new AppendOutcomeUnknown('no answer');
    return result;
  }
}

const request = (chatId: string): ChatCommand => ({
  type: 'RequestChat',
  chatId,
  initiatorId: INITIATOR,
  hostId: HOST,
  price: 125_000n,
});

const typesOf = (outcome: ChatOutcome): string[] =>
  'rejection' in outcome ? [outcome.rejection.code] : outcome.events.map(({ type }) => type);

describe('chats in their streams', () => {
  let now: number;
  let events: UnreliableStore;
  let chats: ChatStore;
  let chatId: string;

  beforeEach(() => {
    now = 1_800_000_000_000;
    events = new UnreliableStore();
    chats = new ChatStore({
      store: events,
      clock: { now: () => now },
      metadata: new StreamMetadata(2),
      deadlineMs: 300,
    });
    chatId = uuidv7();
  });

  const stored = async (): Promise<string[]> => {
    const types: string[] = [];
    for await (const batch of events.readStream(chatStream(chatId))) types.push(...batch.map(({ type }) => type));
    return types;
  };
  const anotherServer = (): ChatStore =>
    new ChatStore({ store: events, clock: { now: () => now }, metadata: new StreamMetadata(2) });

  it('decides, appends and remembers', async () => {
    expect(typesOf(await chats.execute(chatId, request(chatId), BY))).toEqual(['ChatRequested']);
    const { state, revision } = await chats.known(chatId);
    expect([state?.status, revision]).toEqual(['requested', 0]);
    expect((await anotherServer().current(chatId)).state).toEqual(state);
  });

  it('writes one ending when both sides end a chat at once, on different servers', async () => {
    await chats.execute(chatId, request(chatId), BY);
    const other = anotherServer();
    await other.current(chatId);
    const [declined, accepted] = await Promise.all([
      chats.execute(chatId, { type: 'DeclineChat', memberId: HOST }, BY),
      other.execute(chatId, { type: 'AcceptChat', memberId: HOST }, BY),
    ]);
    expect(await stored()).toHaveLength(2);
    expect([...typesOf(declined), ...typesOf(accepted)]).toContain('CHAT_NOT_REQUESTED');
  });

  it('refuses nothing on a state that another server has left behind', async () => {
    await chats.execute(chatId, request(chatId), BY);
    await anotherServer().execute(chatId, { type: 'AcceptChat', memberId: HOST }, BY);
    const said = { messageId: uuidv7(), characters: 5, nonBlankCharacters: 5 };
    const outcome = await chats.execute(chatId, { type: 'SendChatMessage', memberId: HOST, ...said }, BY);
    expect(typesOf(outcome)).toEqual(['ChatMessageSent']);
  });

  it('decides again on what another server wrote between decision and append', async () => {
    await chats.execute(chatId, request(chatId), BY);
    const other = anotherServer();
    events.beforeAppend = () => other.execute(chatId, { type: 'DeclineChat', memberId: HOST }, BY);
    const outcome = await chats.execute(chatId, { type: 'AcceptChat', memberId: HOST }, BY);
    expect(typesOf(outcome)).toEqual(['CHAT_NOT_REQUESTED']);
    expect(await stored()).toEqual(['ChatRequested', 'ChatDeclined']);
  });

  it('repeats the identical append until the outcome is known', async () => {
    events.plan = ['lose-answer', 'unavailable'];
    expect(typesOf(await chats.execute(chatId, request(chatId), BY))).toEqual(['ChatRequested']);
    expect(events.appends).toHaveLength(3);
    expect(new Set(events.appends.map((append) => JSON.stringify(append))).size).toBe(1);
    expect(await stored()).toEqual(['ChatRequested']);
  });

  it('says at the deadline whether something may have happened', async () => {
    events.plan = Array.from({ length: 50 }, () => 'unavailable' as const);
    await expect(chats.execute(chatId, request(chatId), BY)).rejects.toMatchObject({
      statusCode: 503,
      code: 'UNAVAILABLE',
    });
    events.plan = ['lose-answer', ...events.plan];
    await expect(chats.execute(chatId, request(chatId), BY)).rejects.toMatchObject({
      statusCode: 503,
      code: 'OUTCOME_UNKNOWN',
    });
    events.plan = [];
    expect(typesOf(await chats.execute(chatId, request(chatId), BY))).toEqual(['CHAT_EXISTS']);
  });

  it('lets commands on one chat take turns, and keeps the order of a fast writer', async () => {
    await chats.execute(chatId, request(chatId), BY);
    await chats.execute(chatId, { type: 'AcceptChat', memberId: HOST }, BY);
    const ids = Array.from({ length: 30 }, () => uuidv7());
    const send = (messageId: string) =>
      chats.execute(
        chatId,
        { type: 'SendChatMessage', memberId: INITIATOR, messageId, characters: 1, nonBlankCharacters: 1 },
        BY,
      );
    await Promise.all(ids.map(send));
    expect((await chats.known(chatId)).state?.messageIds.last(100)).toEqual(ids);
    expect(events.appends).toHaveLength(32);
  });

  it('keeps time from running backwards within a chat', async () => {
    await chats.execute(chatId, request(chatId), BY);
    now -= 60_000;
    await chats.execute(chatId, { type: 'AcceptChat', memberId: HOST }, BY);
    expect((await anotherServer().current(chatId)).state?.acceptedAt).toBe(1_800_000_000_000);
  });
});
