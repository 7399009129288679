import { Injectable } from '@nestjs/common';
import { decideQuest, decodeQuestEvent, encodeQuestEvent, type QuestCreated, questStream } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { AppError } from '../platform/errors/app-error.js';
import { DecidedStreams, type StreamRules } from '../platform/journal/decided-streams.js';
import { Quests } from './quests.js';

export interface QuestWords {
  readonly title: string;
  readonly description: string;
}

export type NewQuest = Omit<QuestCreated, 'type' | 'at'>;

/** Makes quests: a row of words first, the event of stream `quest-{id}` second. */
@Injectable()
export class QuestRecords {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly streams: DecidedStreams,
    private readonly quests: Quests,
  ) {}

  /**
   * Returns once lists show it. Made twice under one id it is one quest.
   * @throws AppError 400 what cannot be, 422 `IDEMPOTENCY_KEY_REUSED` this id is another quest's, 503
   */
  async create(quest: NewQuest, words: QuestWords): Promise<void> {
    const rules = streamOf(quest.questId);
    const { state } = await this.streams.read(rules);
    if (state) return this.expectSame(state, quest, words);
    expectDecided(decideQuest(undefined, quest, this.quests.now()));
    await this.write(quest.questId, words);
    const decision = await this.streams.execute(rules, (made, nowMs) => decideQuest(made, quest, nowMs), {
      actor: `admin:${quest.adminId}`,
    });
    expectDecided(decision);
    await this.streams.caughtUp(['quests', 'audit'], rules.stream);
  }

  /** Whether a quest was made, be it listed yet or not. @throws AppError 503 */
  async exists(questId: string): Promise<boolean> {
    const { state } = await this.streams.read(streamOf(questId));
    return state !== undefined;
  }

  /** Words of a quest whose event never came are the next attempt's to replace. */
  private async write(id: string, { title, description }: QuestWords): Promise<void> {
    await this.pool.query(
      `insert into quests (id, title, description) values ($1, $2, $3)
       on conflict (id) do update set title = excluded.title, description = excluded.description`,
      [id, title, description],
    );
  }

  private async expectSame(made: QuestCreated, quest: NewQuest, words: QuestWords): Promise<void> {
    const { rows } = await this.pool.query<QuestWords>('select title, description from quests where id = $1', [
      quest.questId,
    ]);
    const isSame =
      made.rule === quest.rule &&
      made.target === quest.target &&
      made.reward === quest.reward &&
      made.startsAt === quest.startsAt &&
      made.endsAt === quest.endsAt &&
      rows.every(({ title, description }) => title === words.title && description === words.description);
    if (isSame) return;
    throw new AppError(
      422,
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used before for something else: send a new key with a new action.',
    );
  }
}

const streamOf = (questId: string): StreamRules<QuestCreated | undefined, QuestCreated> => ({
  stream: questStream(questId),
  initial: undefined,
  evolve: (_, event) => event,
  decode: decodeQuestEvent,
  encode: encodeQuestEvent,
});

function expectDecided(decision: ReturnType<typeof decideQuest>): void {
  if ('rejection' in decision) throw new AppError(400, decision.rejection.code, decision.rejection.message);
}
