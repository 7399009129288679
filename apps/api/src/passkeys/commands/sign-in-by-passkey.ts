import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsNotEmpty, IsObject, ValidateNested } from 'class-validator';
import { DataSource } from 'typeorm';
import { TermsConsent } from '../../identity/credentials.dto.js';
import { type Browser, Devices, type SignedInBrowser } from '../../identity/devices.js';
import { findOpenAccount } from '../../identity/account-changes.js';
import { Sessions } from '../../identity/sessions.js';
import { tokenHash } from '../../identity/random-token.js';
import { FreshProofs } from '../../platform/auth/fresh-proofs.js';
import { AppError } from '../../platform/errors/app-error.js';
import { PasskeyAnswerDto } from '../device-answers.dto.js';
import { Passkeys } from '../passkeys.js';
import { passkeySignInRefused } from '../refusals.js';

export class PasskeySignInDto extends TermsConsent {
  /** What the device answered. */
  @ApiProperty({ type: PasskeyAnswerDto })
  @ValidateNested()
  @Type(() => PasskeyAnswerDto)
  @IsObject({ message: 'The answer of your passkey is missing.', context: { code: 'REQUIRED' } })
  @IsNotEmpty({ message: 'The answer of your passkey is missing.', context: { code: 'REQUIRED' } })
  answer: PasskeyAnswerDto;
}

export interface SignedInByPasskey {
  readonly accountId: string;
  readonly browser: SignedInBrowser;
}

/** Signs in by a passkey alone: it names the account, and its device has verified the member. */
export class SignInByPasskey extends Command<SignedInByPasskey> {
  constructor(
    readonly answer: PasskeyAnswerDto,
    /** The random word of the browser for which the challenge was made. */
    readonly holder: string,
    readonly browser: Browser,
    readonly previousSessionToken: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(SignInByPasskey)
export class SignInByPasskeyHandler implements ICommandHandler<SignInByPasskey> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passkeys: Passkeys,
    private readonly devices: Devices,
    private readonly sessions: Sessions,
    private readonly proofs: FreshProofs,
  ) {}

  /**
   * The new session is freshly proved.
   * @throws AppError 401 `PASSKEY_REFUSED`, 403 `DEVICE_LIMIT`, 404 `PASSKEYS_UNAVAILABLE`
   */
  async execute({ answer, holder, browser, previousSessionToken }: SignInByPasskey): Promise<SignedInByPasskey> {
    const proven = await asSignIn(this.passkeys.verify(answer, { purpose: 'sign-in', holder }));
    const { accountId } = proven.passkey;
    const account = await findOpenAccount(this.dataSource, accountId);
    if (!account) throw passkeySignInRefused();
    const signedIn = await this.dataSource.transaction(async (manager) => {
      // Locks the account first, so that a removal of the passkey, or a recovery, happens entirely before or after
      // this.
      const made = await this.devices.signInWithin(manager, account, browser);
      await asSignIn(this.passkeys.use(manager, proven));
      await this.proofs.recordOfToken(manager, tokenHash(made.sessionToken));
      return made;
    });
    if (previousSessionToken !== undefined) await this.sessions.end(previousSessionToken);
    return { accountId, browser: signedIn };
  }
}

/** For a visitor the same refusal is a 401. */
async function asSignIn<T>(proof: Promise<T>): Promise<T> {
  try {
    return await proof;
  } catch (error) {
    throw error instanceof AppError && error.code === 'PASSKEY_REFUSED' ? passkeySignInRefused() : error;
  }
}
