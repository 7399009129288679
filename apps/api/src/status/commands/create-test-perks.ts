import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Ledger } from '@app/ledger';
import { type Config, InjectConfig } from '../../platform/config.js';
import { type Call, calledBy } from '../../platform/current-call.js';
import { AppError } from '../../platform/errors/app-error.js';
import { expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { toMinor, toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { TestPerksDto } from '../status.dto.js';

const TEST_PERKS_NOVA = 1_000;

export class CreateTestPerks extends Command<TestPerksDto> {
  constructor(
    readonly memberId: string,
    readonly call: Call,
  ) {
    super();
  }
}

/**
 * Gives a member earned Nova to try burning with, if the installation allows it (rule status-4). Karma and Influence
 * come only from chats, here as everywhere.
 */
@CommandHandler(CreateTestPerks)
export class CreateTestPerksHandler implements ICommandHandler<CreateTestPerks> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    @InjectConfig() private readonly config: Config,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws AppError 403 `TEST_PERKS_OFF` */
  async execute({ memberId, call }: CreateTestPerks): Promise<TestPerksDto> {
    if (!this.config.allowTestPerks) {
      throw new AppError(403, 'TEST_PERKS_OFF', 'Test perks are switched off in this installation.');
    }
    const outcome = await this.ledger.execute({
      command: { type: 'GrantNova', userId: memberId, adminId: 'test-perks', amount: toMinor(TEST_PERKS_NOVA) },
      actor: 'process',
      ...calledBy(call, `member:${memberId}:status.test-perks`),
    });
    const { revision } = expectAccepted(outcome);
    await this.readModels.caughtUp(revision);
    return {
      message: 'You received 1,000 earned Nova to test with. Karma and Influence come from chats.',
      novaBalance: toNova(await this.readModels.novaBalance(memberId)),
    };
  }
}
