import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Browser, Devices, type SignedInBrowser } from '../devices.js';
import type { Account } from '../entities.js';
import { Sessions } from '../sessions.js';

/** Starts a session for an account that has proved itself, and ends the one that this browser had (rule accounts-2). */
export class SignIn extends Command<SignedInBrowser> {
  constructor(
    readonly account: Account,
    readonly browser: Browser,
    readonly previousSessionToken: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(SignIn)
export class SignInHandler implements ICommandHandler<SignIn> {
  constructor(
    private readonly devices: Devices,
    private readonly sessions: Sessions,
  ) {}

  /** @throws AppError 403 `DEVICE_LIMIT`, 401 the password was changed since it was proved */
  async execute({ account, browser, previousSessionToken }: SignIn): Promise<SignedInBrowser> {
    const signedIn = await this.devices.signIn(account, browser);
    if (previousSessionToken !== undefined) await this.sessions.end(previousSessionToken);
    return signedIn;
  }
}
