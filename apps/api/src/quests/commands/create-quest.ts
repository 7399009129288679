import { decideQuest, decodeQuestEvent, encodeQuestEvent, type QuestCreated, questStream } from '@app/domain';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { MemberDirectory } from '../../identity/member-directory.js';
import type { Call } from '../../platform/current-call.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { derivedId } from '../../platform/derived-id.js';
import { AppError, keyReused } from '../../platform/errors/app-error.js';
import { DecidedStreams, type StreamRules } from '../../platform/journal/decided-streams.js';
import { toMinor } from '../../wallet/nova-amount.js';
import { type NewQuestDto, readMoment } from '../new-quest.dto.js';
import { fromCount } from '../quest-amounts.js';
import { creatorName, toAdminQuest } from '../quest-views.js';
import type { AdminQuestDto } from '../quests.dto.js';
import { Quests, type QuestWords } from '../quests.js';

type NewQuest = Omit<QuestCreated, 'type' | 'at'>;

/** Creates quests: first a row with the words, then the event in the stream `quest-{id}`. */
@Injectable()
export class QuestRecords {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly streams: DecidedStreams,
    private readonly quests: Quests,
  ) {}

  /**
   * Returns once lists show the quest, or after a second. A second call with the same id returns the first quest.
   * @throws AppError 400 impossible values, 422 `IDEMPOTENCY_KEY_REUSED` this id is another quest's, 503
   */
  async create(quest: NewQuest, words: QuestWords, correlationId: string | undefined): Promise<QuestCreated> {
    const rules = streamOf(quest.questId);
    const { state } = await this.streams.read(rules);
    expectDecided(decideQuest(state, quest, this.quests.now()));
    await this.claim(quest.questId, words);
    const decision = await this.streams.execute(rules, (made, nowMs) => decideQuest(made, quest, nowMs), {
      actor: `admin:${quest.adminId}`,
      correlationId,
    });
    const made = expectDecided(decision)[0] ?? (await this.streams.read(rules)).state;
    if (!made || !isSame(made, quest)) throw keyReused();
    await this.streams.caughtUp(['quests', 'audit'], rules.stream);
    return made;
  }

  /** The first words stay: of two attempts at once, neither gets the words of the other. */
  private async claim(id: string, { title, description }: QuestWords): Promise<void> {
    const { rowCount } = await this.pool.query(
      `insert into quests as kept (id, title, description) values ($1, $2, $3)
       on conflict (id) do update set title = kept.title
       where kept.title = excluded.title and kept.description = excluded.description`,
      [id, title, description],
    );
    if (rowCount === 0) throw keyReused();
  }
}

const isSame = (made: QuestCreated, quest: NewQuest): boolean =>
  made.rule === quest.rule &&
  made.target === quest.target &&
  made.reward === quest.reward &&
  made.startsAt === quest.startsAt &&
  made.endsAt === quest.endsAt;

const streamOf = (questId: string): StreamRules<QuestCreated | undefined, QuestCreated> => ({
  stream: questStream(questId),
  initial: undefined,
  evolve: (_, event) => event,
  decode: decodeQuestEvent,
  encode: encodeQuestEvent,
});

function expectDecided(decision: ReturnType<typeof decideQuest>): readonly QuestCreated[] {
  if ('rejection' in decision) throw new AppError(400, decision.rejection.code, decision.rejection.message);
  return decision.events;
}

/** The target if the rules name none (rule quests-1). */
const TARGET_DEFAULT = 1;

export class CreateQuest extends Command<AdminQuestDto> {
  constructor(
    readonly adminId: string,
    readonly quest: NewQuestDto,
    readonly call: Call,
  ) {
    super();
  }
}

/** Creates a quest for an admin (rule quests-7). */
@CommandHandler(CreateQuest)
export class CreateQuestHandler implements ICommandHandler<CreateQuest> {
  constructor(
    private readonly records: QuestRecords,
    private readonly quests: Quests,
    private readonly directory: MemberDirectory,
  ) {}

  /** @throws AppError 400 it ends before it starts or in the past, 422 key reused, 503 */
  async execute({ adminId, quest, call }: CreateQuest): Promise<AdminQuestDto> {
    const { title, description, reward, startTime, endTime, rules } = quest;
    const { idempotencyKey } = call;
    const questId = idempotencyKey === undefined ? uuidv7() : derivedId(`admin:${adminId}:quests`, idempotencyKey);
    const made = await this.records.create(
      {
        questId,
        adminId,
        rule: rules.type,
        target: fromCount(rules.type, rules.target ?? TARGET_DEFAULT),
        reward: toMinor(reward),
        startsAt: momentOf(startTime),
        endsAt: momentOf(endTime),
      },
      { title, description },
      call.requestId,
    );
    const [listed, members] = await Promise.all([this.quests.find(questId), this.directory.find([adminId])]);
    return toAdminQuest(
      listed ?? this.quests.unlisted(made, { title, description }),
      creatorName(members.get(adminId)),
    );
  }
}

function momentOf(text: string): number {
  const ms = readMoment(text);
  if (ms === undefined) throw new Error('a quest passed its checks with a time that is none');
  return ms;
}
