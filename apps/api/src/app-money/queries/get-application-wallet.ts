import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { toNova } from '../../wallet/nova-amount.js';
import { ApplicationMoneys } from '../application-moneys.js';
import type { ApplicationWalletDto } from '../application-wallet.dto.js';
import { OwnApplications } from '../../oauth/own-applications.js';

export class GetApplicationWallet extends Query<ApplicationWalletDto> {
  constructor(
    readonly ownerId: string,
    readonly clientId: string,
  ) {
    super();
  }
}

const EMPTY = { purchased: 0n, earned: 0n, spent: 0n, paid: 0n, funded: 0n, withdrawn: 0n } as const;

/** `GET /api/oauth/application/{clientId}/wallet`. */
@QueryHandler(GetApplicationWallet)
export class GetApplicationWalletHandler implements IQueryHandler<GetApplicationWallet> {
  constructor(
    private readonly own: OwnApplications,
    private readonly moneys: ApplicationMoneys,
  ) {}

  /** @throws AppError 404 */
  async execute({ ownerId, clientId }: GetApplicationWallet): Promise<ApplicationWalletDto> {
    await this.own.find({ ownerId, clientId });
    const { livemode, movements } = await this.moneys.of(clientId);
    const wallet = (await movements.wallet(clientId)) ?? EMPTY;
    return {
      balance: toNova(wallet.purchased + wallet.earned),
      purchased: toNova(wallet.purchased),
      earned: toNova(wallet.earned),
      totals: {
        spent: toNova(wallet.spent),
        paid: toNova(wallet.paid),
        funded: toNova(wallet.funded),
        withdrawn: toNova(wallet.withdrawn),
      },
      livemode,
    };
  }
}
