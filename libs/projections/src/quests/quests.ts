import {
  type ChatEvent,
  isCounting,
  messagesCounted,
  messageWaits,
  QUEST_COUNTING_STREAM,
  type QuestCreated,
  type QuestRule,
  questStepsOfChat,
  questStepsOfLedger,
  type WaitingMessages,
} from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';

/** What the counting of a quest needs of it. */
type RunningQuest = Pick<QuestCreated, 'rule' | 'target' | 'reward' | 'startsAt' | 'endsAt' | 'at' | 'adminId'>;

/** How many members have begun with a quest, completed it, claimed its reward. */
interface Figures {
  readonly members: number;
  readonly completed: number;
  readonly claimed: number;
}

const NOBODY: Figures = { members: 0, completed: 0, claimed: 0 };

interface Progress {
  /** A number, or minor units of NOVA; it goes on beyond the target. */
  readonly count: bigint;
  readonly completedAt: string | null;
  readonly claimedAt: string | null;
}

const NONE: Progress = { count: 0n, completedAt: null, claimedAt: null };

/** Quests, and how far every member is with them (rules quests-2, quests-3). */
export const quests: ReadModel = {
  name: 'quests',
  version: 3,
  streamPrefixes: ['ledger', 'chat-', 'quest-', QUEST_COUNTING_STREAM],
  tables: ['quests', 'quest_progress', 'quest_messages', 'quest_counting'],
  ddl: `
    create table quests (
      quest_id text collate "C" primary key,
      rule text collate "C" not null,
      target bigint not null,
      reward bigint not null,
      starts_ms bigint not null,
      ends_ms bigint not null,
      created_ms bigint not null,
      admin_id text collate "C" not null,
      members integer not null,
      completed integer not null,
      claimed integer not null
    );
    create table quest_progress (
      user_id text collate "C" not null,
      quest_id text collate "C" not null,
      count bigint not null,
      completed_at timestamptz,
      claimed_at timestamptz,
      primary key (user_id, quest_id)
    ) with (fillfactor = 80);
    create table quest_messages (
      chat_id text collate "C" primary key,
      waiting text not null
    );
    create table quest_counting (
      rule text collate "C" primary key,
      since timestamptz not null
    );
  `,
  indexes: `
    create index quests_ends on quests (ends_ms);
  `,
  createApplier: (options) => new QuestsApplier(options),
};

const MESSAGES: QuestRule = 'messages_sent';
/** Events of a chat after which its messages wait, count, or never will: it takes none after the last two. */
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
  private readonly quests: CachedTable<RunningQuest & Figures>;
  private readonly progress: CachedTable<Progress>;
  /** Messages that count once their chat is successful, by chat. */
  private readonly messages: CachedTable<WaitingMessages>;
  /** Since when messages wait for that; without a row they count as they are sent. */
  private readonly counting: CachedTable<string>;
  private loaded: boolean;

  constructor(options: ApplierOptions) {
    this.loaded = options.startsEmpty;
    this.quests = new CachedTable<RunningQuest & Figures>({
      table: 'quests',
      key: [['quest_id', 'text']],
      values: [
        ['rule', 'text'],
        ['target', 'bigint'],
        ['reward', 'bigint'],
        ['starts_ms', 'bigint'],
        ['ends_ms', 'bigint'],
        ['created_ms', 'bigint'],
        ['admin_id', 'text'],
        ['members', 'integer'],
        ['completed', 'integer'],
        ['claimed', 'integer'],
      ],
      read: ([rule = '', target = '0', reward = '0', startsAt, endsAt, at, adminId = '', ...figures]) => ({
        rule: rule as QuestRule,
        target: BigInt(target),
        reward: BigInt(reward),
        startsAt: Number(startsAt),
        endsAt: Number(endsAt),
        at: Number(at),
        adminId,
        members: Number(figures[0]),
        completed: Number(figures[1]),
        claimed: Number(figures[2]),
      }),
      cells: ({ rule, target, reward, startsAt, endsAt, at, adminId, members, completed, claimed }) => [
        rule,
        target,
        reward,
        startsAt,
        endsAt,
        at,
        adminId,
        members,
        completed,
        claimed,
      ],
      ...options,
      // Each event is held against every one of them (`stepsOf`): none may be forgotten.
      cachedRowsMax: Number.POSITIVE_INFINITY,
    });
    this.progress = new CachedTable<Progress>({
      table: 'quest_progress',
      key: [
        ['user_id', 'text'],
        ['quest_id', 'text'],
      ],
      values: [
        ['count', 'bigint'],
        ['completed_at', 'timestamptz'],
        ['claimed_at', 'timestamptz'],
      ],
      read: ([count, completedAt, claimedAt]: readonly (string | null)[]) => ({
        count: BigInt(count ?? 0),
        completedAt: completedAt ?? null,
        claimedAt: claimedAt ?? null,
      }),
      cells: ({ count, completedAt, claimedAt }) => [count, completedAt, claimedAt],
      ...options,
    });
    this.messages = waitingTable(options);
    this.counting = countingTable(options);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    // All of them: there are few, and each event must be held against every one.
    if (!this.loaded) await this.quests.loadWhere(client, 'true');
    if (!this.loaded) await this.counting.loadWhere(client, 'true');
    this.loaded = true;
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
    if (questCounting) this.counting.set(MESSAGES, time);
    if (quest) {
      const { questId, type: _, ...running } = quest;
      this.quests.set(questId, { ...running, ...NOBODY });
      return [];
    }
    if (chat && MESSAGES_OF_CHAT.has(chat.type)) return this.messagesOf(chat).map((step) => ({ ...step, time }));
    const event = ledger ?? chat;
    const steps = [...(ledger ? questStepsOfLedger(ledger) : []), ...(chat ? questStepsOfChat(chat) : [])];
    if (!event || steps.length === 0) return [];
    const counted: CountedStep[] = [];
    for (const [questId, running] of this.quests.entries()) {
      if (!running || !isCounting(running, event.at)) continue;
      for (const { userId, rule, amount } of steps) {
        if (rule === running.rule) counted.push({ questId, userId, amount, time });
      }
    }
    return counted;
  }

  private messagesOf(event: ChatEvent): Omit<CountedStep, 'time'>[] {
    const running = [...this.quests.entries()].flatMap(([questId, quest]) =>
      quest?.rule === MESSAGES && isCounting(quest, event.at) ? [{ questId, ...quest }] : [],
    );
    const waiting = this.messages.get(event.chatId);
    if (event.type === 'ChatMessageSent') {
      if (this.counting.get(MESSAGES) === undefined) {
        return running.map(({ questId }) => ({ questId, userId: event.senderId, amount: 1n }));
      }
      const after = messageWaits(waiting ?? new Map(), event, running);
      if (after.size > 0) this.messages.set(event.chatId, after);
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

const keyOf = (userId: string, questId: string): string => userId + KEY_SEPARATOR + questId;

const waitingTable = (options: ApplierOptions): CachedTable<WaitingMessages> =>
  new CachedTable<WaitingMessages>({
    table: 'quest_messages',
    key: [['chat_id', 'text']],
    values: [['waiting', 'text']],
    read: ([waiting = '[]']) => new Map(JSON.parse(waiting) as [string, { initiator: number; host: number }][]),
    cells: (waiting) => [JSON.stringify([...waiting].toSorted(([a], [b]) => (a < b ? -1 : 1)))],
    ...options,
  });

const countingTable = (options: ApplierOptions): CachedTable<string> =>
  new CachedTable({
    table: 'quest_counting',
    key: [['rule', 'text']],
    values: [['since', 'timestamptz']],
    read: ([since = '']) => since,
    cells: (since) => [since],
    ...options,
    cachedRowsMax: Number.POSITIVE_INFINITY,
  });
