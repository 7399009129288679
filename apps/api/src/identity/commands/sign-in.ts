import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Browser, Devices, type SignedInBrowser } from '../devices.js';
import { Sessions } from '../sessions.js';

/** S0 §7: starts a session for an account that has proved itself, and ends the one that this browser had. */
export class SignIn extends Command<SignedInBrowser> {
  constructor(
    readonly accountId: string,
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

  /** @throws AppError 403 `DEVICE_LIMIT` */
  async execute({ accountId, browser, previousSessionToken }: SignIn): Promise<SignedInBrowser> {
    const signedIn = await this.devices.signIn(accountId, browser);
    if (previousSessionToken !== undefined) await this.sessions.end(previousSessionToken);
    return signedIn;
  }
}
