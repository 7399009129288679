import { Inject, Injectable } from '@nestjs/common';
import {
  CHAT_STREAM_PREFIX,
  CHATS_PER_KARMA,
  type ChatEventType,
  decodeChatEvent,
  decodeMemberEvent,
  MEMBER_STREAM_PREFIX,
  type MemberEvent,
} from '@app/domain';
import { type EventStore, type RecordedEvent, upcast } from '@app/event-store';
import type { Origin } from '@app/ledger';
import type { Pool, PoolClient } from 'pg';
import { MemberRelations } from '../../members/member-relations.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { asSoleOwner } from '../../platform/database/sole-owner.js';
import { ledToBy } from '../../platform/journal/stream-metadata.js';
import { EVENT_STORE } from '../../platform/journal/injected-journal.js';
import { Rounds } from '../../platform/rounds.js';
import { ChatBlocks } from '../chat-blocks.js';
import { ChatReadModels } from '../chat-read-models.js';
import { ChatSettlement } from '../chat-settlement.js';
import { type ChatTask, ChatTasks } from './chat-tasks.js';

/** Any number: one process of an installation follows the chats. */
const PROCESS_LOCK = 7_266_182_010;
const NAME = 'chats';
const SAVE_EVERY_MS = 1_000;
const AGAIN_MS = 1_000;
/** The process polls the read model of members' counts for this long, then retries the task. */
const COUNTED_WAIT_MS = 5_000;

/** Events after which the ledger owes a chat something. */
const BRING_DUTIES: ReadonlySet<string> = new Set<ChatEventType>([
  'ChatRequestAbandoned',
  'ChatDeclined',
  'ChatRequestExpired',
  'ChatSucceeded',
  'ChatTerminated',
  'ChatRated',
  'ChatCompleted',
]);

/**
 * Finishes what an event asks for and a crash may have left undone (rule ledger-33): money of chats that have
 * ended, rewards of those that were rated, Karma, follows, requests between members who blocked each other. It follows all
 * chats from where it had come, at least once each; everything it does may be done twice.
 */
@Injectable()
export class ChatProcess extends Rounds {
  constructor(
    @InjectPool() private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly settlement: ChatSettlement,
    private readonly readModels: ChatReadModels,
    private readonly relations: MemberRelations,
    private readonly blocks: ChatBlocks,
  ) {
    super({ everyMs: AGAIN_MS }, 'following the chats');
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return asSoleOwner({ pool: this.pool, lock: PROCESS_LOCK, signal }, (ending) => this.follow(ending));
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const tasks = new ChatTasks({ signal, onError: (task, error, outcome) => this.failed(task, error, outcome) });
    let reached = await this.load();
    let savedAt = performance.now();
    const save = async (): Promise<void> => {
      savedAt = performance.now();
      const oldest = tasks.oldest;
      if (reached !== undefined) await this.save(oldest === undefined ? reached : oldest - 1n);
    };
    const subscription = this.store.subscribeAll({
      ...(reached === undefined ? {} : { after: reached }),
      streamPrefixes: [CHAT_STREAM_PREFIX, MEMBER_STREAM_PREFIX],
      signal,
    });
    for await (const batch of subscription) {
      for (const recorded of batch) {
        for (const task of this.tasksOf(recorded)) await tasks.add(task);
        reached = recorded.position;
      }
      if (performance.now() - savedAt >= SAVE_EVERY_MS) await save();
    }
    await tasks.ended();
    await save();
  }

  private tasksOf(recorded: RecordedEvent): ChatTask[] {
    if (recorded.stream.startsWith(MEMBER_STREAM_PREFIX)) return this.memberTasks(recorded);
    const { type, position, stream } = recorded;
    if (!BRING_DUTIES.has(type)) return [];
    const ledBy = ledToBy(recorded);
    const chatId = stream.slice(CHAT_STREAM_PREFIX.length);
    const settle = async (): Promise<void> => void (await this.settlement.settleChat(chatId, ledBy));
    const tasks: ChatTask[] = [{ name: `${type} of chat ${chatId}`, position, run: settle }];
    if (type === 'ChatCompleted') {
      tasks.push({ name: `Karma of chat ${chatId}`, position, run: () => this.mintKarma(chatId, position, ledBy) });
    }
    if (type === 'ChatRated') {
      const event = decodeChatEvent(type, upcast(type, recorded.data));
      if (event.type === 'ChatRated' && event.follow) {
        const run = () => this.relations.followAfterRating(event, ledBy);
        tasks.push({ name: `follow by ${event.raterId}`, position, run });
      }
    }
    return tasks;
  }

  private memberTasks(recorded: RecordedEvent): ChatTask[] {
    const { type, data, position } = recorded;
    if (type !== ('MemberBlocked' satisfies MemberEvent['type'])) return [];
    const { memberId, otherId } = decodeMemberEvent(type, upcast(type, data));
    const run = async (): Promise<void> => void (await this.blocks.endRequests(memberId, otherId, ledToBy(recorded)));
    return [{ name: `block by ${memberId}`, position, run }];
  }

  /** One Karma on a member's every fifth completed chat, counted by the read model (rule chats-27). */
  private async mintKarma(chatId: string, position: bigint, ledBy: Origin): Promise<void> {
    if (!(await this.readModels.countedUpTo(position, COUNTED_WAIT_MS))) throw new Error('not counted yet');
    for (const { userId, n } of await this.readModels.memberChats.countsOf(chatId)) {
      if (n % CHATS_PER_KARMA !== 0) continue;
      await this.settlement.mintKarma(userId, n, ledBy);
    }
  }

  private failed({ name }: ChatTask, error: unknown, outcome: 'again' | 'given-up'): void {
    if (outcome === 'again') this.logger.warn({ err: error }, `${name} is retried`);
    else this.logger.error({ err: error }, `${name} was given up; what is unsettled is swept`);
  }

  private async load(): Promise<bigint | undefined> {
    const { rows } = await this.pool.query<{ position: string }>('select position from chat_process where name = $1', [
      NAME,
    ]);
    return rows[0] && BigInt(rows[0].position);
  }

  private async save(position: bigint): Promise<void> {
    await this.pool.query(
      `insert into chat_process as p (name, position) values ($1, $2)
       on conflict (name) do update set position = greatest(p.position, excluded.position), updated_at = clock_timestamp()`,
      [NAME, position],
    );
  }
}

/** Up to which position the chats were followed; −1 where nobody has yet. Where public is not on the search path as well. */
export async function followedChats(client: PoolClient): Promise<bigint> {
  const { rows } = await client.query<{ position: string }>(
    'select max(position) as position from public.chat_process',
  );
  return BigInt(rows[0]?.position ?? -1);
}

/** They are followed from this position on, which is another store's. */
export async function followChatsAfter(client: PoolClient, position: bigint): Promise<void> {
  await client.query('update public.chat_process set position = $1', [position]);
}
