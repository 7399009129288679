import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CredentialAttempt, Credentials } from '../credentials.js';
import { Devices } from '../devices.js';

/** Removes a device of the account that the credentials prove, and ends its sessions (rule accounts-20). */
export class RemoveDevice extends Command<void> {
  constructor(
    readonly deviceId: string,
    readonly attempt: CredentialAttempt,
  ) {
    super();
  }
}

@CommandHandler(RemoveDevice)
export class RemoveDeviceHandler implements ICommandHandler<RemoveDevice> {
  constructor(
    private readonly credentials: Credentials,
    private readonly devices: Devices,
  ) {}

  /** @throws AppError 401 wrong credentials, 404 the account has no such device, 429 too many failures */
  async execute({ deviceId, attempt }: RemoveDevice): Promise<void> {
    const account = await this.credentials.verify(attempt);
    await this.devices.remove(account.id, deviceId);
  }
}
