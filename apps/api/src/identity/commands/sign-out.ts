import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Sessions } from '../sessions.js';

/** Ends the session; the device stays (rule accounts-16). */
export class SignOut extends Command<void> {
  constructor(readonly sessionToken: string) {
    super();
  }
}

@CommandHandler(SignOut)
export class SignOutHandler implements ICommandHandler<SignOut> {
  constructor(private readonly sessions: Sessions) {}

  async execute({ sessionToken }: SignOut): Promise<void> {
    await this.sessions.end(sessionToken);
  }
}
