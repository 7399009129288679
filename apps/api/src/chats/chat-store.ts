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
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../platform/errors/app-error.js';
import { APPEND_DEADLINE_MS, appendUntilKnown, storeUnavailable } from '../platform/journal/append-until-known.js';
import { setNewest } from '../platform/newest-entries.js';
import { type ChatTimes, followTimes } from './chat-times.js';

/** Chats remembered at most; the longest unused goes first. */
const CACHE_MAX = 5_000;
/** Every conflict means that somebody else's event came first; a chat has two sides and a few processes. */
const CONFLICTS_MAX = 20;

/** Who asks, for the events' metadata. */
export interface ChatActor {
  /** `member:{id}` or `process`. */
  readonly actor: string;
  readonly requestId?: string | undefined;
  /** Of a call with an `Idempotency-Key`: see `causeOfKey`. */
  readonly cause?: string | undefined;
}

/** A chat as its stream tells it up to a revision. */
export interface ChatRecord {
  readonly chatId: string;
  /** Undefined: there is no such chat. */
  readonly state: ChatState | undefined;
  /** Of the last event, −1 before the first. */
  readonly revision: number;
  readonly times: ChatTimes;
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
  readonly deadlineMs?: number;
}

/** One command's turn. */
interface Turn {
  readonly by: ChatActor;
  /** As `performance.now()` counts. */
  readonly deadline: number;
}

/**
 * The streams `chat-{id}`: load, decide, append with the expected revision, and again from what another process wrote where
 * that was first. States are remembered; a refusal is given only on the newest state that the store has. Commands on one
 * chat take turns within a process.
 */
export class ChatStore {
  private readonly cache = new Map<string, ChatRecord>();
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

  /** Whether the same call did something in this chat before. One without a cause cannot be told from others. */
  async hasActed(chatId: string, { actor, cause }: ChatActor): Promise<boolean> {
    if (cause === undefined) return false;
    for await (const batch of this.options.store.readStream(chatStream(chatId))) {
      for (const { metadata, isForeign } of batch) {
        if (isForeign) continue;
        const by = JSON.parse(metadata) as ChatActor;
        if (by.actor === actor && by.cause === cause) return true;
      }
    }
    return false;
  }

  /** @throws AppError 503 `BUSY`, `UNAVAILABLE` (nothing was done) or `OUTCOME_UNKNOWN` */
  execute(chatId: string, command: ChatCommand, by: ChatActor): Promise<ChatOutcome> {
    const deadline = performance.now() + (this.options.deadlineMs ?? APPEND_DEADLINE_MS);
    const before = this.turns.get(chatId) ?? Promise.resolve();
    const outcome = before.then(() => this.run(chatId, command, { by, deadline }));
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

  private async append(record: ChatRecord, events: readonly ChatEvent[], { by, deadline }: Turn): Promise<ChatRecord> {
    await appendUntilKnown(this.options.store, {
      stream: chatStream(record.chatId),
      events: events.map((event) => newEvent(event, by)),
      expected: record.revision < 0 ? 'none' : record.revision,
      deadline,
    });
    return this.remember(follow(record, events));
  }

  private async readOn(from: ChatRecord): Promise<ChatRecord> {
    let record = from;
    try {
      const options = { from: from.revision + 1 };
      for await (const batch of this.options.store.readStream(chatStream(from.chatId), options)) {
        const events = batch
          .filter(({ isForeign }) => !isForeign)
          .map(({ type, data }) => decodeChatEvent(type, upcast(type, data)));
        record = follow(record, events, batch.at(-1)?.revision);
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
    setNewest(this.cache, [chatId, newest], CACHE_MAX);
    return newest;
  }
}

function follow(
  record: ChatRecord,
  events: readonly ChatEvent[],
  revision = record.revision + events.length,
): ChatRecord {
  let { state, times } = record;
  for (const event of events) {
    state = evolveChat(state, event);
    times = followTimes(times, event);
  }
  return { chatId: record.chatId, state, revision, times };
}

const newEvent = (event: ChatEvent, { actor, requestId, cause }: ChatActor): NewEvent => ({
  id: uuidv7(),
  type: event.type,
  data: encodeChatEvent(event),
  metadata: JSON.stringify({ actor, requestId, cause }),
});

const busy = (): AppError =>
  new AppError(503, 'BUSY', 'Too much is happening in this chat: nothing was done, please try again.', {
    retryAfterSeconds: 1,
  });
