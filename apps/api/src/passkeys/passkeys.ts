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

/** A stored passkey. */
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

/** A passkey that a device has just made, before it has a name. */
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

/**
 * The counter of a device never goes back: a lower count comes from a copy. The row's lock makes simultaneous answers
 * take turns.
 */
const USED = `
  update passkeys set counter = $2, last_used_at = now()
  where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id`;

/** A device stores the account's id, next to the name that it shows. */
const userHandleOf = (accountId: string): Uint8Array<ArrayBuffer> => Uint8Array.from(uuidBytes(accountId));

/**
 * Passkeys, and the answers of browsers and devices about them (WebAuthn). Devices must verify their member, by a
 * finger or a PIN, and store the passkey so that it is found without naming an account. Only passkeys for this
 * installation's name count.
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
   * @param among the passkeys that are accepted; if empty, any passkey, so that a visitor names no account
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
   * Verifies a passkey that a device has made.
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
   * Verifies that a device's answer comes from a stored passkey and that its member was present.
   * @param accountId the account that must own the passkey; undefined for any account, which the device must name too
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
   * Uses up a proof, in the caller's transaction, so that the same answer never counts twice.
   * @throws AppError 403 `PASSKEY_REFUSED` it was used before, has expired, or the passkey was removed or used in the
   * meantime
   */
  async use(manager: EntityManager, { passkey, counter, challenge }: ProvenPasskey): Promise<void> {
    await this.useChallenge(manager, challenge);
    const [rows]: [unknown[], number] = await manager.query(USED, [passkey.id, counter]);
    if (rows.length === 0) throw passkeyRefused();
  }

  /**
   * Uses up the challenge that a device answered, in the caller's transaction.
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

/** A device that found the passkey by itself must name its account; one that was told which passkey to use may. */
function namesOwner({ response: { userHandle } }: PasskeyAnswerDto, accountId: string, mustName: boolean): boolean {
  if (userHandle === undefined || userHandle === null) return !mustName;
  return Buffer.from(userHandle, 'base64url').equals(userHandleOf(accountId));
}

/** The parts of an answer that the library reads besides the response. */
const partsOf = ({ id, rawId }: DeviceAnswerDto) =>
  ({ id, rawId, type: 'public-key', clientExtensionResults: {} }) as const;

/** The library throws for every fault of an answer. That is the caller's fault, and the refusal gives no details. */
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
