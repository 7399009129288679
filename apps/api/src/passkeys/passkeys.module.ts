import { Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { RemoveYoungPasskeys } from './remove-young-passkeys.js';
import { IdentityModule } from '../identity/identity.module.js';
import { type Config, InjectConfig } from '../platform/config.js';
import { Challenges } from './challenges.js';
import { AddPasskeyHandler, BeginPasskeyHandler } from './commands/add-passkey.js';
import { MakeRecoveryCodesHandler, RemovePasskeyHandler, RenamePasskeyHandler } from './commands/change-passkeys.js';
import { ProveAgainHandler } from './commands/prove-again.js';
import { SignInByPasskeyHandler } from './commands/sign-in-by-passkey.js';
import { Passkeys } from './passkeys.js';
import { PasskeySignInController } from './passkey-sign-in.controller.js';
import { PasskeysController } from './passkeys.controller.js';
import { ListPasskeysHandler } from './queries/list-passkeys.js';

/** Passkeys: signing in by them, and fresh proofs that it is still the member who acts. */
@Module({
  imports: [IdentityModule],
  controllers: [PasskeySignInController, PasskeysController],
  providers: [
    AddPasskeyHandler,
    BeginPasskeyHandler,
    Challenges,
    ListPasskeysHandler,
    MakeRecoveryCodesHandler,
    Passkeys,
    ProveAgainHandler,
    RemovePasskeyHandler,
    RemoveYoungPasskeys,
    RenamePasskeyHandler,
    SignInByPasskeyHandler,
  ],
})
export class PasskeysModule implements OnApplicationBootstrap {
  private readonly logger = new Logger(PasskeysModule.name);

  constructor(@InjectConfig() private readonly config: Config) {}

  onApplicationBootstrap(): void {
    const { warning } = this.config.passkeys;
    if (warning !== undefined) this.logger.warn(warning);
  }
}
