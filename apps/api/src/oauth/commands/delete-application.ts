import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { AppError } from '../../platform/errors/app-error.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ApplicationWallets } from '../application-wallets.js';
import { Applications } from '../applications.js';
import { Registrations } from '../registrations.js';

export class DeleteApplication extends Command<MessageResponse> {
  constructor(
    readonly ownerId: string,
    readonly clientId: string,
  ) {
    super();
  }
}

/** Ends an application with all its tokens. Its wallet must be empty: the developer takes the Nova out first. */
@CommandHandler(DeleteApplication)
export class DeleteApplicationHandler implements ICommandHandler<DeleteApplication> {
  constructor(
    private readonly registrations: Registrations,
    private readonly applications: Applications,
    private readonly wallets: ApplicationWallets,
  ) {}

  /** @throws AppError 404, 409 `APP_WALLET_NOT_EMPTY` */
  async execute({ ownerId, clientId }: DeleteApplication): Promise<MessageResponse> {
    const application = await this.applications.ownedBy(ownerId, clientId);
    const balance = await this.wallets.balance(application);
    if (balance > 0n) {
      const message = `The wallet of this application still holds ${toNova(balance)} Nova. Withdraw them first.`;
      throw new AppError(409, 'APP_WALLET_NOT_EMPTY', message, { extra: { balance: toNova(balance) } });
    }
    await this.registrations.delete(clientId);
    return { message: 'Application deleted' };
  }
}
