import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { novaText } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { type Call, calledBy } from '../../platform/current-call.js';
import { type Accepted, eventOf, expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { toMinor, toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { WalletMovedDto } from '../application-wallet.dto.js';
import { type OwnApplication, OwnApplications } from '../own-applications.js';

export class MoveWalletNova extends Command<WalletMovedDto> {
  constructor(
    readonly direction: 'fund' | 'withdraw',
    readonly movement: OwnApplication & { readonly amount: number },
    readonly call: Call,
  ) {
    super();
  }
}

/** Moves Nova between a developer and the wallet of their application (rule apps-8). */
@CommandHandler(MoveWalletNova)
export class MoveWalletNovaHandler implements ICommandHandler<MoveWalletNova> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly own: OwnApplications,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws AppError 400 balance too low, 403 frozen, 404 not one's own, 422 key reused, 503 busy */
  async execute({ direction, movement, call }: MoveWalletNova): Promise<WalletMovedDto> {
    const { name } = await this.own.find(movement);
    const { ownerId, clientId } = movement;
    const accepted = await this.move(direction, movement, call);
    const { id } = eventOf(accepted, direction === 'fund' ? 'AppWalletFunded' : 'AppWalletWithdrawn');
    const { projected } = await this.readModels.caughtUp(accepted.revision);
    const wallet = await this.readModels.applications.wallet(clientId);
    const novaBalance = accepted.balances?.get(ownerId) ?? (await this.readModels.novaBalance(ownerId));
    const nova = novaText(toMinor(movement.amount));
    return {
      message: direction === 'fund' ? `Put ${nova} into the wallet of ${name}.` : `Took ${nova} out of ${name}.`,
      balance: toNova(wallet ? wallet.purchased + wallet.earned : 0n),
      novaBalance: toNova(novaBalance),
      transactionId: id,
      projected,
    };
  }

  private async move(
    direction: MoveWalletNova['direction'],
    { ownerId, clientId, amount }: MoveWalletNova['movement'],
    call: Call,
  ): Promise<Accepted> {
    const outcome = await this.ledger.execute({
      command: {
        type: direction === 'fund' ? 'FundAppWallet' : 'WithdrawAppWallet',
        clientId,
        ownerId,
        amount: toMinor(amount),
      },
      actor: `member:${ownerId}`,
      ...calledBy(call, `member:${ownerId}:apps.${direction}`),
    });
    return expectAccepted(outcome);
  }
}
