import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { v7 as uuidv7 } from 'uuid';
import { MemberDirectory } from '../../identity/member-directory.js';
import type { Call } from '../../platform/current-call.js';
import { derivedId } from '../../platform/derived-id.js';
import { toMinor } from '../../wallet/nova-amount.js';
import { type NewQuestDto, readMoment } from '../new-quest.dto.js';
import { fromCount } from '../quest-amounts.js';
import { QuestRecords } from '../quest-records.js';
import { creatorName, toAdminQuest } from '../quest-views.js';
import { Quests } from '../quests.js';
import type { AdminQuestDto } from '../quests.dto.js';

/** What is asked for when the rules do not say (rule quests-1). */
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

/** An admin makes a quest (rule quests-7). */
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
