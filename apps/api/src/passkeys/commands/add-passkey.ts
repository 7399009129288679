import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { Type } from 'class-transformer';
import { IsNotEmpty, IsObject, ValidateNested } from 'class-validator';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Credentials } from '../../identity/credentials.js';
import { MESSAGES, PasswordField } from '../../identity/credentials.dto.js';
import { findOpenAccount, lockAccount } from '../../identity/account-changes.js';
import { IdentityChanges } from '../../identity/identity-changes.js';
import { SecurityNotices } from '../../identity/security-notices.js';
import { FreshProofs } from '../../platform/auth/fresh-proofs.js';
import type { SignedInMember } from '../../platform/auth/member.js';
import { unauthenticated } from '../../platform/errors/app-error.js';
import { NewPasskeyAnswerDto } from '../device-answers.dto.js';
import { PASSKEYS_MAX } from '../limits.js';
import { Passkeys } from '../passkeys.js';
import { PasskeyNameField } from '../passkey-name.js';
import { replaceCodes } from '../recovery-codes.js';
import { passkeyKnown, tooManyPasskeys } from '../refusals.js';

export class BeginPasskeyDto {
  /** The current one. */
  @PasswordField(MESSAGES.required)
  password: string;
}

/** The first step: checks the password, and returns the options with which the browser makes a passkey. */
export class BeginPasskey extends Command<PublicKeyCredentialCreationOptionsJSON> {
  constructor(
    readonly member: SignedInMember,
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(BeginPasskey)
export class BeginPasskeyHandler implements ICommandHandler<BeginPasskey> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly credentials: Credentials,
    private readonly passkeys: Passkeys,
  ) {}

  /** @throws AppError 403 `WRONG_PASSWORD`, 404 `PASSKEYS_UNAVAILABLE`, 409 `TOO_MANY_PASSKEYS`, 429 too many failures */
  async execute({ member, password }: BeginPasskey): Promise<PublicKeyCredentialCreationOptionsJSON> {
    this.passkeys.place();
    await this.credentials.confirm(member, password);
    if ((await this.passkeys.of(member.id)).length >= PASSKEYS_MAX) throw tooManyPasskeys();
    const account = await findOpenAccount(this.dataSource, member.id);
    if (!account) throw unauthenticated();
    return this.passkeys.creationOptions(account, { purpose: 'add', holder: member.sessionId });
  }
}

export class AddPasskeyDto {
  @PasskeyNameField()
  name: string;

  /** What the device answered. */
  @ApiProperty({ type: NewPasskeyAnswerDto })
  @ValidateNested()
  @Type(() => NewPasskeyAnswerDto)
  @IsObject({ message: 'The answer of your passkey is missing.', context: { code: 'REQUIRED' } })
  @IsNotEmpty({ message: 'The answer of your passkey is missing.', context: { code: 'REQUIRED' } })
  answer: NewPasskeyAnswerDto;
}

export class AddedPasskeyResponse {
  /** A sentence for people. */
  message: string;
  id: string;
  /** With the first passkey: shown this once. */
  recoveryCodes?: string[];
}

/** The second step: stores the passkey that the device has made. */
export class AddPasskey extends Command<AddedPasskeyResponse> {
  constructor(
    readonly member: SignedInMember,
    readonly passkey: AddPasskeyDto,
  ) {
    super();
  }
}

const INSERT = `
  insert into passkeys (id, account_id, rp_id, credential_id, public_key, counter, transports, is_synced, name)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (credential_id) do nothing returning id`;
const COUNT = `
  select count(*)::int as passkeys,
    (select count(*)::int from recovery_codes where account_id = $1) as codes
  from passkeys where account_id = $1 and rp_id = $2`;

@CommandHandler(AddPasskey)
export class AddPasskeyHandler implements ICommandHandler<AddPasskey> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passkeys: Passkeys,
    private readonly proofs: FreshProofs,
    private readonly notices: SecurityNotices,
    private readonly changes: IdentityChanges,
  ) {}

  /**
   * The device has just verified its member, so the session is freshly proved.
   * @throws AppError 403 `PASSKEY_REFUSED`, 409 `TOO_MANY_PASSKEYS` or `PASSKEY_KNOWN`, 401 the session ended in the
   * meantime
   */
  async execute({ member, passkey: { name, answer } }: AddPasskey): Promise<AddedPasskeyResponse> {
    const { rpId } = this.passkeys.place();
    const made = await this.passkeys.verifyNew(answer, { purpose: 'add', holder: member.sessionId });
    const id = uuidv7();
    const recoveryCodes = await this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, member);
      const [count]: { passkeys: number; codes: number }[] = await manager.query(COUNT, [member.id, rpId]);
      if ((count?.passkeys ?? 0) >= PASSKEYS_MAX) throw tooManyPasskeys();
      await this.passkeys.useChallenge(manager, made.challenge);
      const { credentialId, publicKey, counter, transports, isSynced } = made;
      const row = [id, member.id, rpId, credentialId, publicKey, counter, transports, isSynced, name];
      const inserted: unknown[] = await manager.query(INSERT, row);
      if (inserted.length === 0) throw passkeyKnown();
      await this.proofs.record(manager, member.sessionId);
      await this.notices.tell(member.id, { kind: 'passkey_added', name }, manager);
      return count?.passkeys === 0 && count.codes === 0 ? replaceCodes(manager, member.id) : undefined;
    });
    await this.changes.publish({ kind: 'account', accountId: member.id });
    return { message: 'Your passkey has been added.', id, ...(recoveryCodes && { recoveryCodes }) };
  }
}
