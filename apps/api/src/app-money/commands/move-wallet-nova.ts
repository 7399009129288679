import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { novaText } from '@app/domain';
import { type Call, calledBy } from '../../platform/current-call.js';
import { type Accepted, eventOf, expectAccepted } from '../../platform/errors/rejections.js';
import { toMinor, toNova } from '../../wallet/nova-amount.js';
import type { ApplicationMoney } from '../application-money.js';
import { ApplicationMoneys } from '../application-moneys.js';
import type { WalletMovedDto } from '../application-wallet.dto.js';
import { type OwnApplication, OwnApplications } from '../../oauth/own-applications.js';

export class MoveWalletNova extends Command<WalletMovedDto> {
  constructor(
    readonly direction: 'fund' | 'withdraw',
    readonly movement: OwnApplication & { readonly amount: number },
    readonly call: Call,
  ) {
    super();
  }
}

/** With the application's money, and whose Nova it is on the other side. */
type Moved = MoveWalletNova['movement'] & { readonly payerId: string; readonly money: ApplicationMoney };

/** Moves Nova between a developer and the wallet of their application (rule apps-8). */
@CommandHandler(MoveWalletNova)
export class MoveWalletNovaHandler implements ICommandHandler<MoveWalletNova> {
  constructor(
    private readonly moneys: ApplicationMoneys,
    private readonly own: OwnApplications,
  ) {}

  /** @throws AppError 400 balance too low, 403 frozen, 404 not one's own, 422 key reused, 503 busy */
  async execute({ direction, movement, call }: MoveWalletNova): Promise<WalletMovedDto> {
    const { name } = await this.own.find(movement);
    const { ownerId, clientId } = movement;
    const money = await this.moneys.of(clientId);
    const payerId = money.developer(ownerId);
    const accepted = await this.move(direction, { ...movement, payerId, money }, call);
    const { id } = eventOf(accepted, direction === 'fund' ? 'AppWalletFunded' : 'AppWalletWithdrawn');
    const { projected } = await money.caughtUp(accepted.revision);
    const wallet = await money.movements.wallet(clientId);
    const novaBalance = accepted.balances?.get(payerId) ?? (await money.novaBalance(payerId));
    const nova = novaText(toMinor(movement.amount));
    return {
      message: direction === 'fund' ? `Put ${nova} into the wallet of ${name}.` : `Took ${nova} out of ${name}.`,
      balance: toNova(wallet ? wallet.purchased + wallet.earned : 0n),
      novaBalance: toNova(novaBalance),
      transactionId: id,
      projected,
      livemode: money.livemode,
    };
  }

  private async move(
    direction: MoveWalletNova['direction'],
    { ownerId, payerId, money, clientId, amount }: Moved,
    call: Call,
  ): Promise<Accepted> {
    const outcome = await money.ledger.execute({
      command: {
        type: direction === 'fund' ? 'FundAppWallet' : 'WithdrawAppWallet',
        clientId,
        ownerId: payerId,
        amount: toMinor(amount),
      },
      actor: `member:${ownerId}`,
      ...calledBy(call, `member:${ownerId}:apps.${direction}`),
    });
    return expectAccepted(outcome);
  }
}
