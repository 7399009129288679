import { Injectable } from '@nestjs/common';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { parse as uuidBytes } from 'uuid';
import { type Config, InjectConfig, type PasskeyConfig } from '../platform/config.js';
import { InjectPool } from '../platform/database/database.module.js';
import { type ChallengeUse, Challenges } from './challenges.js';
import type { DeviceAnswerDto, NewPasskeyAnswerDto, PasskeyAnswerDto } from './device-answers.dto.js';
import { CHALLENGE_MS } from './limits.js';
import { passkeyRefused, passkeysUnavailable } from './refusals.js';

/** A passkey as it is kept. */
export interface Passkey {
  readonly id: string;
  readonly accountId: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly isSynced: boolean;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** One that a device has just made, before it has a name. */
export type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced'> & {
  readonly challenge: string;
};

/** A passkey that has just been used. */
export interface ProvenPasskey {
  readonly passkey: Passkey;
  readonly counter: number;
  readonly challenge: string;
}

interface PasskeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly counter: string;
  readonly transports: string[];
  readonly is_synced: boolean;
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

const COLUMNS =
  'id, account_id, credential_id, public_key, counter, transports, is_synced, name, created_at, last_used_at';

/** A device that counts never goes back: a lower count is a copy. The row's lock makes two answers at once take turns. */
const USED = `
  update passkeys set counter = $2, last_used_at = now()
  where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id`;

/** The account's id is what a device keeps of a member, beside the name that it shows. */
const userHandleOf = (accountId: string): Uint8Array<ArrayBuffer> => Uint8Array.from(uuidBytes(accountId));

/**
 * Passkeys, and what browsers and devices say of them (WebAuthn). Devices must verify their member, by a finger or a PIN, and
 * keep the passkey where it is found without naming an account. Only passkeys of this installation's name count.
 */
@Injectable()
export class Passkeys {
  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly challenges: Challenges,
  ) {}

  /** Whether passkeys can be used at this installation's address. */
  get areAvailable(): boolean {
    return this.config.passkeys.rpId !== undefined;
  }

  /** An account's passkeys, the oldest first. */
  async of(accountId: string): Promise<Passkey[]> {
    const { rows } = await this.pool.query<PasskeyRow>(
      `select ${COLUMNS} from passkeys where account_id = $1 and rp_id = $2 order by created_at, id`,
      [accountId, this.config.passkeys.rpId],
    );
    return rows.map(toPasskey);
  }

  /** @throws AppError 404 passkeys cannot be used at this address */
  async creationOptions(
    member: { readonly id: string; readonly email: string; readonly displayName: string },
    use: ChallengeUse,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { rpId } = this.place();
    const existing = await this.of(member.id);
    return generateRegistrationOptions({
      rpName: 'Nova',
      rpID: rpId,
      userID: userHandleOf(member.id),
      userName: member.email,
      userDisplayName: member.displayName,
      challenge: await this.challenges.issue(use),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /**
   * @param among the passkeys that will do; any where there are none, so that a visitor names no account
   * @throws AppError 404 passkeys cannot be used at this address
   */
  async requestOptions(
    use: ChallengeUse,
    among: readonly Passkey[] = [],
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { rpId } = this.place();
    return generateAuthenticationOptions({
      rpID: rpId,
      challenge: await this.challenges.issue(use),
      timeout: CHALLENGE_MS,
      userVerification: 'required',
      allowCredentials: among.map(({ credentialId }) => ({ id: credentialId })),
    });
  }

  /**
   * What a device has made.
   * @throws AppError 403 `PASSKEY_REFUSED`, 404 passkeys cannot be used at this address
   */
  async verifyNew(answer: NewPasskeyAnswerDto, use: ChallengeUse): Promise<NewPasskey> {
    const { rpId, origin } = this.place();
    const { clientDataJSON, attestationObject } = answer.response;
    let challenge = '';
    const verified = await orRefused(
      verifyRegistrationResponse({
        response: { ...partsOf(answer), response: { clientDataJSON, attestationObject } },
        expectedChallenge: (given) => this.challenges.isOurs((challenge = given), use),
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
      }),
    );
    if (!verified.verified) throw passkeyRefused();
    const { credential, credentialBackedUp } = verified.registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: answer.response.transports ?? [],
      isSynced: credentialBackedUp,
      challenge,
    };
  }

  /**
   * That a device's answer comes from a passkey that is kept here, and its member was there.
   * @param accountId whose it must be; undefined: whoever's it is, as the device says as well
   * @throws AppError 403 `PASSKEY_REFUSED`, 404 passkeys cannot be used at this address
   */
  async verify(answer: PasskeyAnswerDto, use: ChallengeUse, accountId?: string): Promise<ProvenPasskey> {
    const { rpId, origin } = this.place();
    const passkey = await this.find(answer.id, rpId);
    if (!passkey || passkey.accountId !== (accountId ?? passkey.accountId)) throw passkeyRefused();
    if (!namesOwner(answer, passkey.accountId, accountId === undefined)) throw passkeyRefused();
    const { clientDataJSON, authenticatorData, signature } = answer.response;
    let challenge = '';
    const { verified, authenticationInfo } = await orRefused(
      verifyAuthenticationResponse({
        response: { ...partsOf(answer), response: { clientDataJSON, authenticatorData, signature } },
        expectedChallenge: (given) => this.challenges.isOurs((challenge = given), use),
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        credential: {
          id: passkey.credentialId,
          publicKey: Uint8Array.from(passkey.publicKey),
          counter: passkey.counter,
        },
      }),
    );
    if (!verified) throw passkeyRefused();
    return { passkey, counter: authenticationInfo.newCounter, challenge };
  }

  /**
   * Uses up a proof, in the caller's transaction: the same answer never counts twice.
   * @throws AppError 403 `PASSKEY_REFUSED` it was used before, has expired, or the passkey was removed or used meanwhile
   */
  async use(manager: EntityManager, { passkey, counter, challenge }: ProvenPasskey): Promise<void> {
    await this.useChallenge(manager, challenge);
    const [rows]: [unknown[], number] = await manager.query(USED, [passkey.id, counter]);
    if (rows.length === 0) throw passkeyRefused();
  }

  /**
   * The challenge that a device answered counts no more, in the caller's transaction.
   * @throws AppError 403 `PASSKEY_REFUSED` it was used before, or has expired
   */
  async useChallenge(manager: EntityManager, challenge: string): Promise<void> {
    await this.challenges.use(manager, challenge);
  }

  /** @throws AppError 404 passkeys cannot be used at this address */
  place(): PasskeyConfig & { readonly rpId: string } {
    const { rpId } = this.config.passkeys;
    if (rpId === undefined) throw passkeysUnavailable();
    return { ...this.config.passkeys, rpId };
  }

  private async find(credentialId: string, rpId: string): Promise<Passkey | undefined> {
    const { rows } = await this.pool.query<PasskeyRow>(
      `select ${COLUMNS} from passkeys where credential_id = $1 and rp_id = $2`,
      [credentialId, rpId],
    );
    return rows[0] && toPasskey(rows[0]);
  }
}

/** A device that found the passkey by itself must say whose it is; one that was told which to use may. */
function namesOwner({ response: { userHandle } }: PasskeyAnswerDto, accountId: string, mustName: boolean): boolean {
  if (userHandle === undefined || userHandle === null) return !mustName;
  return Buffer.from(userHandle, 'base64url').equals(userHandleOf(accountId));
}

/** Of an answer, what the library reads beside the response. */
const partsOf = ({ id, rawId }: DeviceAnswerDto) =>
  ({ id, rawId, type: 'public-key', clientExtensionResults: {} }) as const;

/** The library throws at whatever is wrong with an answer: the caller's fault, and no more is said of it. */
async function orRefused<T>(verification: Promise<T>): Promise<T> {
  try {
    return await verification;
  } catch {
    throw passkeyRefused();
  }
}

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  accountId: row.account_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: Number(row.counter),
  transports: row.transports,
  isSynced: row.is_synced,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});
