import { Injectable } from '@nestjs/common';
import { decideQuest, decodeQuestEvent, encodeQuestEvent, type QuestCreated, questStream } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { AppError, keyReused } from '../platform/errors/app-error.js';
import { DecidedStreams, type StreamRules } from '../platform/journal/decided-streams.js';
import { Quests, type QuestWords } from './quests.js';

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
   * Returns once lists show it, or a second later. Made again under the same id it is what was made first.
   * @throws AppError 400 what cannot be, 422 `IDEMPOTENCY_KEY_REUSED` this id is another quest's, 503
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

  /** The words that came first stay: of two attempts at once neither gets the other's. */
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
