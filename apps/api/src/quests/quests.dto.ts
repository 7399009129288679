import { ApiProperty } from '@nestjs/swagger';
import { QUEST_RULES, type QuestRule } from '@app/domain';
import { PaginationDto } from '../admin/admin.dto.js';

export const QUEST_STATUSES = ['scheduled', 'active', 'expired'] as const;
export type QuestStatus = (typeof QUEST_STATUSES)[number];

/** What a quest counts, and how much of it is asked for. */
export class QuestRulesDto {
  @ApiProperty({ enum: QUEST_RULES })
  type: QuestRule;

  /** How many; Nova for `nova_earned`. */
  target: number;
}

/** A quest, as members see it. */
export class QuestDto {
  id: string;
  title: string;
  description: string;

  /** Nova. */
  reward: number;
  startTime: string;
  endTime: string;

  /** Started and not ended. */
  isActive: boolean;

  @ApiProperty({ enum: QUEST_STATUSES })
  status: QuestStatus;
  rules: QuestRulesDto;
}

/** A quest as a member sees it. */
export class MemberQuestDto extends QuestDto {
  isCompleted: boolean;
  rewardClaimed: boolean;
}

/** `GET /api/quests`. */
export class QuestsDto {
  /** Those that run, and those that ended within 24 hours; admins see the scheduled ones too. Newest first. */
  quests: MemberQuestDto[];
}

/** How far a member is with a quest. */
export class QuestProgressDto {
  questId: string;
  isCompleted: boolean;
  rewardClaimed: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number' },
    description: 'The current count by rule type; Nova for `nova_earned`.',
    example: { messages_sent: 3 },
  })
  countersJSON: Record<string, number>;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  percent: number;

  /** 24 hours after the quest ends. */
  claimableUntil: string;
}

/** `GET /api/quests/progress`: of every quest that has begun and is listed. */
export class QuestProgressListDto {
  progress: QuestProgressDto[];
}

/** `POST /api/quests/{id}/claim`, the answer. */
export class ClaimedRewardDto {
  /** Nova. */
  reward: number;
  novaBalance: number;

  @ApiProperty({ example: 'You received 250 Nova.' })
  message: string;
  eventId: string;

  /** False when lists and balances do not show it yet. */
  projected: boolean;
}

/** A quest with what became of it. */
export class AdminQuestDto extends QuestDto {
  createdAt: string;
  createdBy: string;

  @ApiProperty({ type: 'integer', description: 'Members who have begun and are not done.' })
  underWay: number;

  @ApiProperty({ type: 'integer' })
  completed: number;

  @ApiProperty({ type: 'integer' })
  claimed: number;

  /** Nova paid as rewards. */
  novaPaid: number;

  /** Nova that earning the reward costs at least, where two members work together. */
  leastCost: number;

  /** What to mind where the reward is above that; else null. */
  @ApiProperty({ type: String, nullable: true })
  warning: string | null;
}

/** `GET /api/admin/quests`. */
export class AdminQuestsDto {
  quests: AdminQuestDto[];
  pagination: PaginationDto;
}
