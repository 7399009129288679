import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isClaimable, novaText } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { Projections } from '@app/projections';
import type { Call } from '../../platform/current-call.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type Accepted, expectAccepted } from '../../platform/errors/rejections.js';
import { KeyUses } from '../../platform/key-uses/key-uses.js';
import { causeOfKey } from '../../platform/ledger/cause-of-key.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { toNova } from '../../wallet/nova-amount.js';
import { PROJECTION_WAIT_MS, ReadModels } from '../../wallet/read-models.js';
import { type Progress, QuestProgress } from '../quest-progress.js';
import { type Quest, Quests } from '../quests.js';
import type { ClaimedRewardDto } from '../quests.dto.js';

/** The read models that a member looks at after a claim. */
const AWAITED = ['balances', 'statements', 'quests'] as const;

export class ClaimQuest extends Command<ClaimedRewardDto> {
  constructor(
    readonly userId: string,
    readonly questId: string,
    readonly call: Call,
  ) {
    super();
  }
}

/** Pays the reward of a completed quest, once (rule quests-6). */
@CommandHandler(ClaimQuest)
export class ClaimQuestHandler implements ICommandHandler<ClaimQuest> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly keys: KeyUses,
    private readonly quests: Quests,
    private readonly progress: QuestProgress,
    private readonly readModels: ReadModels,
    private readonly runner: Projections,
  ) {}

  /** @throws AppError 404, 409 `QUEST_NOT_COMPLETED`, `QUEST_CLAIMED` or `QUEST_CLAIM_OVER`, 422 key reused, 503 */
  async execute({ userId, questId, call }: ClaimQuest): Promise<ClaimedRewardDto> {
    const quest = await this.quests.find(questId);
    if (!quest || quest.phase === 'scheduled') throw new AppError(404, 'QUEST_NOT_FOUND', 'This quest was not found.');
    const [found] = await this.progress.of(userId, [quest]);
    // A claimed quest still goes to the ledger, which knows whether this call repeats the claim.
    if (found && !found.progress.isClaimed) expectClaimable(quest, found.progress, this.quests.now());
    const accepted = await this.keys.guard(
      { scope: `member:${userId}:quests.claim`, key: call.idempotencyKey, body: [quest.id] },
      () => this.pay(userId, quest, call),
    );
    const [event] = accepted.events;
    if (!event) throw new Error('the ledger paid a quest reward without an event');
    const { projected } = await this.runner.waitFor(AWAITED, accepted.revision, PROJECTION_WAIT_MS);
    return {
      reward: toNova(quest.reward),
      novaBalance: toNova(accepted.balances?.get(userId) ?? (await this.readModels.novaBalance(userId))),
      message: `You received ${novaText(quest.reward)}.`,
      eventId: event.id,
      projected,
    };
  }

  /**
   * The key is made of quest and member, so that parallel claims pay once. The cause tells which call made the claim: a
   * repetition of that call gets the same answer, any other call is refused.
   */
  private async pay(userId: string, { id: questId, reward }: Quest, call: Call): Promise<Accepted> {
    const cause = causeOfKey('claim', call.idempotencyKey);
    const accepted = expectAccepted(
      await this.ledger.execute({
        command: { type: 'ClaimQuestReward', userId, questId, amount: reward },
        actor: `member:${userId}`,
        key: { scope: 'fact', value: `quest:${questId}:${userId}` },
        ...(cause !== undefined && { cause }),
        correlationId: call.requestId,
      }),
    );
    const isOwn = cause !== undefined && accepted.events.some(({ event }) => event.cause === cause);
    if (accepted.repeated && !isOwn) {
      throw new AppError(409, 'QUEST_CLAIMED', 'You have already claimed the reward of this quest.');
    }
    return accepted;
  }
}

function expectClaimable(quest: Quest, { isCompleted }: Progress, nowMs: number): void {
  if (!isClaimable(quest, nowMs)) {
    throw new AppError(
      409,
      'QUEST_CLAIM_OVER',
      'The time to claim this reward is over. It ends 24 hours after the quest.',
    );
  }
  if (!isCompleted) {
    throw new AppError(409, 'QUEST_NOT_COMPLETED', 'This quest is not completed yet. You can claim its reward then.');
  }
}
