import { Injectable } from '@nestjs/common';
import { DAY_MS, type QuestRule } from '@app/domain';
import type { Pool } from 'pg';
import { DEMO_ADMIN } from '../../identity/demo/demo-members.js';
import { derivedId } from '../../platform/derived-id.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { toMinor } from '../../wallet/nova-amount.js';
import { fromCount } from '../quest-amounts.js';
import { QuestRecords } from '../quest-records.js';
import { Quests } from '../quests.js';

interface DemoQuest {
  readonly title: string;
  readonly description: string;
  readonly rule: QuestRule;
  readonly target: number;
  /** Nova. */
  readonly reward: number;
  readonly days: number;
}

const DEMO_QUESTS: readonly DemoQuest[] = [
  {
    title: 'Say something kind',
    description: 'Send five messages in chats that become successful. A question is a good beginning.',
    rule: 'messages_sent',
    target: 5,
    reward: 150,
    days: 1,
  },
  {
    title: 'Two good talks',
    description: 'Bring two paid chats to their end, as the host or as the one who asked, and rate them both.',
    rule: 'chats_completed',
    target: 2,
    reward: 300,
    days: 7,
  },
  {
    title: 'A generous week',
    description: 'Send three gifts to members whose posts or chats you enjoyed.',
    rule: 'gifts_sent',
    target: 3,
    reward: 500,
    days: 7,
  },
  {
    title: 'A host worth paying',
    description: 'Earn Nova from chats and from gifts that you receive.',
    rule: 'nova_earned',
    target: 5_000,
    reward: 750,
    days: 7,
  },
];

/** A few quests that run from the first start of a demo installation on. */
@Injectable()
export class DemoQuests {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly quests: Quests,
    private readonly records: QuestRecords,
  ) {}

  /** Makes those that are not there yet; the ids tell. */
  async seed(): Promise<void> {
    const { rows } = await this.pool.query<{ id: string }>('select id from accounts where email_key = $1', [
      DEMO_ADMIN.email,
    ]);
    const adminId = rows[0]?.id;
    if (adminId === undefined) return;
    const startsAt = this.quests.now();
    for (const [index, quest] of DEMO_QUESTS.entries()) {
      const questId = derivedId('demo:quests', String(index));
      if (await this.records.exists(questId)) continue;
      try {
        await this.make(questId, quest, { adminId, startsAt });
      } catch (error) {
        // Another process of the installation may have been first.
        if (!(await this.records.exists(questId))) throw error;
      }
    }
  }

  private make(
    questId: string,
    { title, description, rule, target, reward, days }: DemoQuest,
    made: { readonly adminId: string; readonly startsAt: number },
  ): Promise<unknown> {
    return this.records.create(
      {
        questId,
        ...made,
        rule,
        target: fromCount(rule, target),
        reward: toMinor(reward),
        endsAt: made.startsAt + days * DAY_MS,
      },
      { title, description },
      undefined,
    );
  }
}
