import {
  type ChatEvent,
  isCounting,
  messagesCounted,
  messageWaits,
  QUEST_COUNTING_STREAM,
  type QuestRule,
  questStepsOfChat,
  questStepsOfLedger,
  type WaitingMessages,
} from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { type Cached, CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import {
  bigint,
  integer,
  looseText,
  nullable,
  type RowOf,
  safeInteger,
  Table,
  tablesOf,
  text,
  textOf,
  timestamp,
} from '../tables/table.js';

/**
 * The parts of a quest that counting needs, and how many members have begun it, completed it, and claimed its reward.
 */
const questTable = new Table('quests', {
  columns: {
    questId: text,
    rule: textOf<QuestRule>(),
    target: bigint,
    reward: bigint,
    startsMs: safeInteger,
    endsMs: safeInteger,
    createdMs: safeInteger,
    adminId: text,
    members: integer,
    completed: integer,
    claimed: integer,
  },
  key: ['questId'],
  indexes: { quests_ends: '(ends_ms)' },
});
type Quest = Omit<RowOf<typeof questTable>, 'questId'>;

const questProgress = new Table('quest_progress', {
  columns: {
    userId: text,
    questId: text,
    /** A plain count, or minor units of NOVA; it continues beyond the target. */
    count: bigint,
    completedAt: nullable(timestamp),
    claimedAt: nullable(timestamp),
  },
  key: ['userId', 'questId'],
  indexes: { quest_progress_completed: '(completed_at) where completed_at is not null' },
  fillfactor: 80,
});

const NONE = { count: 0n, completedAt: null, claimedAt: null };

/** Messages that count once their chat is successful, by chat: JSON of `WaitingMessages`. */
const questMessages = new Table('quest_messages', { columns: { chatId: text, waiting: looseText }, key: ['chatId'] });

/** Since when messages wait for that. Without a row they count when they are sent. */
const countingTable = new Table('quest_counting', {
  columns: { rule: textOf<QuestRule>(), since: timestamp },
  key: ['rule'],
});

/** Quests, and every member's progress with them (rules quests-2, quests-3). */
export const quests: ReadModel = {
  name: 'quests',
  version: 4,
  streamPrefixes: ['ledger', 'chat-', 'quest-', QUEST_COUNTING_STREAM],
  ...tablesOf(questTable, questProgress, questMessages, countingTable),
  createApplier: (options) => new QuestsApplier(options),
};

const MESSAGES: QuestRule = 'messages_sent';
/**
 * Events of a chat after which its messages wait, count, or never count. The chat takes no messages after the last two.
 */
const MESSAGES_OF_CHAT: ReadonlySet<ChatEvent['type']> = new Set([
  'ChatMessageSent',
  'ChatSucceeded',
  'ChatTerminated',
]);

/** A step of one member with one quest. */
interface CountedStep {
  readonly questId: string;
  readonly userId: string;
  readonly amount: bigint;
  readonly time: string;
}

class QuestsApplier implements ReadModelApplier {
  private readonly quests: Cached<typeof questTable>;
  private readonly progress: Cached<typeof questProgress>;
  private readonly messages: Cached<typeof questMessages>;
  private readonly counting: Cached<typeof countingTable>;

  constructor(options: ApplierOptions) {
    // Each event is compared with every quest (`stepsOf`), so none may leave the cache.
    const all = { ...options, cachedRowsMax: Number.POSITIVE_INFINITY };
    this.quests = new CachedTable(questTable, all);
    this.progress = new CachedTable(questProgress, options);
    this.messages = new CachedTable(questMessages, options);
    this.counting = new CachedTable(countingTable, all);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    // Loads all quests: there are few, and each event must be compared with every one.
    await this.quests.loadAll(client);
    await this.counting.loadAll(client);
    await this.messages.load(
      client,
      events.flatMap(({ chat }) => (chat && MESSAGES_OF_CHAT.has(chat.type) ? chat.chatId : [])),
    );
    const steps = events.flatMap((event) => this.stepsOf(event));
    const claims = events.flatMap(({ ledger, time }) =>
      ledger?.type === 'QuestRewardClaimed' ? [{ userId: ledger.userId, questId: ledger.questId, time }] : [],
    );
    await this.progress.load(
      client,
      [...steps, ...claims].map(({ userId, questId }) => keyOf(userId, questId)),
    );
    for (const step of steps) this.count(step);
    for (const claim of claims) this.claim(claim);
    await writeTables(client, [this.progress, this.messages], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.quests, this.progress, this.messages, this.counting], 'all');
  }

  private stepsOf({ ledger, chat, quest, questCounting, time }: ProjectedEvent): CountedStep[] {
    if (questCounting) this.counting.set(MESSAGES, { since: time });
    if (quest) {
      const { questId, rule, target, reward, adminId, startsAt: startsMs, endsAt: endsMs, at: createdMs } = quest;
      const times = { startsMs, endsMs, createdMs };
      this.quests.set(questId, { rule, target, reward, adminId, ...times, members: 0, completed: 0, claimed: 0 });
      return [];
    }
    if (chat && MESSAGES_OF_CHAT.has(chat.type)) return this.messagesOf(chat).map((step) => ({ ...step, time }));
    const event = ledger ?? chat;
    const steps = [...(ledger ? questStepsOfLedger(ledger) : []), ...(chat ? questStepsOfChat(chat) : [])];
    if (!event || steps.length === 0) return [];
    const counted: CountedStep[] = [];
    for (const [questId, running] of this.quests.entries()) {
      if (!running || !isCounting(timesOf(running), event.at)) continue;
      for (const { userId, rule, amount } of steps) {
        if (rule === running.rule) counted.push({ questId, userId, amount, time });
      }
    }
    return counted;
  }

  private messagesOf(event: ChatEvent): Omit<CountedStep, 'time'>[] {
    const running = [...this.quests.entries()].flatMap(([questId, quest]) =>
      quest?.rule === MESSAGES && isCounting(timesOf(quest), event.at) ? [{ questId, ...timesOf(quest) }] : [],
    );
    const waiting = waitingIn(this.messages.get(event.chatId));
    if (event.type === 'ChatMessageSent') {
      if (this.counting.get(MESSAGES) === undefined) {
        return running.map(({ questId }) => ({ questId, userId: event.senderId, amount: 1n }));
      }
      const after = messageWaits(waiting ?? new Map(), event, running);
      if (after.size > 0) this.messages.set(event.chatId, { waiting: asJson(after) });
      return [];
    }
    if (waiting) this.messages.delete(event.chatId);
    return waiting && event.type === 'ChatSucceeded' ? [...messagesCounted(waiting, event, running)] : [];
  }

  private count({ questId, userId, amount, time }: CountedStep): void {
    const key = keyOf(userId, questId);
    const [quest, before] = [this.quests.get(questId), this.progress.get(key)];
    if (!quest) return;
    const count = (before?.count ?? 0n) + amount;
    const completes = !before?.completedAt && count >= quest.target;
    this.progress.set(key, { ...(before ?? NONE), count, ...(completes && { completedAt: time }) });
    if (before && !completes) return;
    this.quests.set(questId, {
      ...quest,
      members: quest.members + (before ? 0 : 1),
      completed: quest.completed + (completes ? 1 : 0),
    });
  }

  private claim({ questId, userId, time }: Omit<CountedStep, 'amount'>): void {
    const key = keyOf(userId, questId);
    const [quest, before] = [this.quests.get(questId), this.progress.get(key)];
    this.progress.set(key, { ...(before ?? NONE), claimedAt: time });
    if (!quest) return;
    this.quests.set(questId, {
      ...quest,
      members: quest.members + (before ? 0 : 1),
      claimed: quest.claimed + (before?.claimedAt ? 0 : 1),
    });
  }
}

const timesOf = ({ startsMs: startsAt, endsMs: endsAt, createdMs: at }: Quest) => ({ startsAt, endsAt, at });

const keyOf = (userId: string, questId: string): string => userId + KEY_SEPARATOR + questId;

const waitingIn = (row: { readonly waiting: string } | undefined): WaitingMessages | undefined =>
  row && new Map(JSON.parse(row.waiting) as [string, { initiator: number; host: number }][]);

const asJson = (waiting: WaitingMessages): string =>
  JSON.stringify([...waiting].toSorted(([a], [b]) => (a < b ? -1 : 1)));
