import {
  type ChatCommand,
  type ChatEvent,
  type ChatRejection,
  type ChatState,
  chatStream,
  decideChatCommand,
  decodeChatEvent,
  encodeChatEvent,
  evolveChat,
} from '@app/domain';
import { type EventStore, type NewEvent, StoreUnavailable, upcast, WrongExpectedRevision } from '@app/event-store';
import type { Origin } from '@app/ledger';
import { LRUCache } from 'lru-cache';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../platform/errors/app-error.js';
import { APPEND_DEADLINE_MS, appendUntilKnown, storeUnavailable } from '../platform/journal/append-until-known.js';
import { type By, ledToBy, type StreamMetadata, writerOf } from '../platform/journal/stream-metadata.js';

/** The most chats in memory; the least recently used goes first. */
const CACHE_MAX = 5_000;
/** Every conflict means that somebody else's event came first; a chat has two sides and a few processes. */
const CONFLICTS_MAX = 20;

/** A chat as its stream tells it up to a revision. */
export interface ChatRecord {
  readonly chatId: string;
  /** Undefined: there is no such chat. */
  readonly state: ChatState | undefined;
  /** Of the last event, −1 before the first. */
  readonly revision: number;
  readonly times: ChatTimes;
  /** For what follows from the last event; undefined before the first. */
  readonly last?: Origin | undefined;
}

/** A chat that there is. */
export type PresentChat = ChatRecord & { readonly state: ChatState };

export type ChatOutcome =
  | {
      /** None where the command found everything done. */
      readonly events: readonly ChatEvent[];
      readonly record: ChatRecord;
    }
  | { readonly rejection: ChatRejection; readonly record: ChatRecord };

export interface ChatStoreOptions {
  readonly store: EventStore;
  readonly clock: { now(): number };
  readonly metadata: StreamMetadata;
  readonly deadlineMs?: number;
}

/** One command's turn. */
interface Turn {
  /** Of its events. */
  readonly metadata: string;
  /** As `performance.now()` counts. */
  readonly deadline: number;
}

/**
 * The streams `chat-{id}`: load, decide, append with the expected revision, and again from what another process wrote where
 * that was first. States are remembered; a refusal is given only on the newest state that the store has. Commands on one
 * chat take turns within a process.
 */
export class ChatStore {
  private readonly cache = new LRUCache<string, ChatRecord>({ max: CACHE_MAX });
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(private readonly options: ChatStoreOptions) {}

  /** Milliseconds since 1970, as commands are decided by. */
  now(): number {
    return this.options.clock.now();
  }

  /** The chat with everything that was in the store when this was called. */
  async current(chatId: string): Promise<ChatRecord> {
    return this.readOn(this.cache.get(chatId) ?? { chatId, state: undefined, revision: -1, times: {} });
  }

  /** The chat as this process knows it: another process may have gone on with it. What never changes is always right. */
  async known(chatId: string): Promise<ChatRecord> {
    const cached = this.cache.get(chatId);
    return cached ? this.remember(cached) : this.current(chatId);
  }

  /** Whether the same call acted in this chat before. Calls without a cause cannot be told apart. */
  async hasActed(chatId: string, { actor, cause }: By): Promise<boolean> {
    if (cause === undefined) return false;
    for await (const batch of this.options.store.readStream(chatStream(chatId))) {
      for (const { metadata, isForeign } of batch) {
        if (isForeign) continue;
        const by = writerOf(metadata);
        if (by.actor === actor && by.cause === cause) return true;
      }
    }
    return false;
  }

  /** @throws AppError 503 `BUSY`, `UNAVAILABLE` (nothing was done) or `OUTCOME_UNKNOWN` */
  execute(chatId: string, command: ChatCommand, by: By): Promise<ChatOutcome> {
    const deadline = performance.now() + (this.options.deadlineMs ?? APPEND_DEADLINE_MS);
    const before = this.turns.get(chatId) ?? Promise.resolve();
    const metadata = this.options.metadata.of(by);
    const outcome = before.then(() => this.run(chatId, command, { metadata, deadline }));
    const turn = outcome
      .catch(() => undefined)
      .finally(() => {
        if (this.turns.get(chatId) === turn) this.turns.delete(chatId);
      });
    this.turns.set(chatId, turn);
    return outcome;
  }

  private async run(chatId: string, command: ChatCommand, turn: Turn): Promise<ChatOutcome> {
    let record = this.cache.get(chatId);
    let isCurrent = false;
    for (let conflicts = 0; conflicts < CONFLICTS_MAX;) {
      if (performance.now() >= turn.deadline) throw busy();
      if (!record) {
        record = await this.current(chatId);
        isCurrent = true;
      }
      const decision = decideChatCommand(record.state, command, this.now());
      const hasEvents = 'events' in decision && decision.events.length > 0;
      if (!hasEvents && isCurrent) return { ...decision, record };
      if (!hasEvents) {
        record = undefined;
        continue;
      }
      try {
        return { events: decision.events, record: await this.append(record, decision.events, turn) };
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        conflicts += 1;
        record = undefined;
      }
    }
    throw busy();
  }

  private async append(record: ChatRecord, decided: readonly ChatEvent[], turn: Turn): Promise<ChatRecord> {
    const events = decided.map((event) => newEvent(event, turn.metadata));
    await appendUntilKnown(this.options.store, {
      stream: chatStream(record.chatId),
      events,
      expected: record.revision < 0 ? 'none' : record.revision,
      deadline: turn.deadline,
    });
    return this.remember(follow(record, decided, { last: events.at(-1) }));
  }

  private async readOn(from: ChatRecord): Promise<ChatRecord> {
    let record = from;
    try {
      const options = { from: from.revision + 1 };
      for await (const batch of this.options.store.readStream(chatStream(from.chatId), options)) {
        const own = batch.filter(({ isForeign }) => !isForeign);
        const events = own.map(({ type, data }) => decodeChatEvent(type, upcast(type, data)));
        record = follow(record, events, { revision: batch.at(-1)?.revision, last: own.at(-1) });
      }
    } catch (error) {
      throw error instanceof StoreUnavailable ? storeUnavailable(error) : error;
    }
    return record.state === undefined ? record : this.remember(record);
  }

  /** Keeps the newest record: reads and appends of one process may finish in any order. */
  private remember(record: ChatRecord): ChatRecord {
    const { chatId } = record;
    const cached = this.cache.get(chatId);
    const newest = cached && cached.revision > record.revision ? cached : record;
    this.cache.set(chatId, newest);
    return newest;
  }
}

function follow(
  record: ChatRecord,
  events: readonly ChatEvent[],
  end: { readonly revision?: number | undefined; readonly last: NewEvent | undefined },
): ChatRecord {
  let { state, times } = record;
  for (const event of events) {
    state = evolveChat(state, event);
    times = followTimes(times, event);
  }
  const { revision = record.revision + events.length, last } = end;
  return { chatId: record.chatId, state, revision, times, last: last ? ledToBy(last) : record.last };
}

const newEvent = (event: ChatEvent, metadata: string): NewEvent => ({
  id: uuidv7(),
  type: event.type,
  data: encodeChatEvent(event),
  metadata,
});

const busy = (): AppError =>
  new AppError(503, 'BUSY', 'Too much is happening in this chat. Nothing was done; please try again.', {
    retryAfterSeconds: 1,
  });

/** When a chat came to its end, milliseconds since 1970: shown to members, of no account to the rules. */
interface ChatTimes {
  /** Declined, expired, terminated or successful. */
  readonly endedAt?: number;
  readonly completedAt?: number;
}

/** The times with one more event. */
function followTimes(times: ChatTimes, { type, at }: ChatEvent): ChatTimes {
  switch (type) {
    case 'ChatRequestAbandoned':
    case 'ChatDeclined':
    case 'ChatRequestExpired':
    case 'ChatSucceeded':
    case 'ChatTerminated':
      return { ...times, endedAt: at };
    case 'ChatCompleted':
      return { ...times, completedAt: at };
    case 'ChatRequested':
    case 'ChatAccepted':
    case 'ChatMessageSent':
    case 'ChatVerified':
    case 'ChatNudged':
    case 'ChatRated':
      return times;
  }
}
