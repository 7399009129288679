import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import type { SignedInMember } from '../platform/auth/member.js';
import { AppError, unauthenticated } from '../platform/errors/app-error.js';
import { networkOf } from '../platform/http/network.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import type { SharedRateLimiter } from '../platform/rate-limit/shared-rate-limiter.js';
import { emailKey } from '../platform/text.js';
import { Account } from './entities.js';
import { type Asker, SecretHashing } from './secret-hashing.js';
import { tokenHash } from './random-token.js';

/** The one who tries a password or a PIN. */
export interface Caller {
  /** The caller's network address. */
  readonly address: string;
  /** From the browser's device cookie. */
  readonly deviceToken: string | undefined;
}

export interface CredentialAttempt extends Caller {
  readonly email: string;
  readonly password: string;
}

/** A limit on failures, and what an attempt counts by in it. */
export type Bucket = readonly [limit: SharedRateLimiter, key: string];

const KNOWN_DEVICE = `
  select d.id from devices d join accounts a on a.id = d.account_id
  where a.email_key = $1 and a.closed_at is null and d.token_hash = $2`;

/**
 * Proof of identity by password, for every call that takes one. Passkeys are proved elsewhere and count in no bucket: nobody can guess
 * one, and a bucket would only be a means to lock the owner out.
 */
@Injectable()
export class Credentials {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hashing: SecretHashing,
    private readonly limits: RateLimits,
  ) {}

  /**
   * The account that e-mail and password belong to.
   * @throws AppError 401 `INVALID_CREDENTIALS`, the same for a wrong password and an unknown account; 429 too many failures
   */
  async verify({ email, password, ...caller }: CredentialAttempt): Promise<Account> {
    const key = emailKey(email);
    const deviceId = await this.knownDevice(key, caller);
    const asker: Asker = deviceId === undefined ? caller : { member: deviceId };
    return this.counted(this.passwordBuckets(key, caller, deviceId), async () => {
      const account = await this.dataSource.getRepository(Account).findOneBy({ emailKey: key, closedAt: IsNull() });
      const right = await this.proves(account, password, asker);
      return right && account ? account : undefined;
    });
  }

  /**
   * That somebody who is signed in knows their password. Failures count for their browser alone.
   * @throws AppError 403 `WRONG_PASSWORD`, 401 the account was closed meanwhile, 429 too many failures
   */
  async confirm({ id, deviceId }: Pick<SignedInMember, 'id' | 'deviceId'>, password: string): Promise<void> {
    const account = await this.dataSource.getRepository(Account).findOneBy({ id, closedAt: IsNull() });
    if (!account) throw unauthenticated();
    const prove = async (): Promise<true | undefined> =>
      (await this.proves(account, password, { member: deviceId })) || undefined;
    await this.counted([this.deviceBucket(deviceId)], prove, wrongPassword);
  }

  /** A hash from before passwords were composed opens to what was typed then, and is replaced. */
  private async proves(account: Account | null, password: string, asker: Asker): Promise<boolean> {
    const stored = account?.passwordHash;
    if (await this.hashing.verify(stored, password, asker)) return true;
    if (!(await this.hashing.verifyAsTyped(stored, password, asker))) return false;
    if (account) await this.replaceHash(account, password, asker);
    return true;
  }

  private async replaceHash(account: Account, password: string, asker: Asker): Promise<void> {
    const { id, passwordHash: old } = account;
    const passwordHash = await this.hashing.hash(password, asker);
    const { affected } = await this.dataSource
      .getRepository(Account)
      .update({ id, passwordHash: old }, { passwordHash });
    // Another change was faster otherwise; the sign-in that follows finds that out.
    if (affected) account.passwordHash = passwordHash;
  }

  /** The device that this browser is of the account with this e-mail key; undefined for every browser that never signed in to it. */
  async knownDevice(key: string, { deviceToken }: Caller): Promise<string | undefined> {
    if (deviceToken === undefined) return undefined;
    const rows: { id: string }[] = await this.dataSource.query(KNOWN_DEVICE, [key, tokenHash(deviceToken)]);
    return rows[0]?.id;
  }

  /** Where wrong PINs of a browser that is known count. */
  devicePinBucket(deviceId: string): Bucket {
    return [this.limits.devicePinFailures, deviceId];
  }

  /**
   * Where a stranger's failures count, in this order: by network for every account (one password, many accounts), by account and network,
   * and by account from everywhere (many networks, one account). A network whose bucket is full leaves no rows for addresses that it
   * makes up, and one that hammers at a full pair does not touch the account's own bucket, which others need.
   */
  strangerBuckets(key: string, { address }: Caller): Bucket[] {
    const network = networkOf(address);
    return [
      [this.limits.networkFailures, network],
      [this.limits.credentialFailures, `${network} ${key}`],
      [this.limits.accountFailures, key],
    ];
  }

  /**
   * Runs a proof of identity under limits on failures. The attempt is counted before it is made, so that many at once
   * cannot pass, and given back unless it failed. `undefined` is a failure.
   * @throws AppError 429 a bucket is full: then the attempt is not made and counts in none of them
   */
  async counted<T>(
    buckets: readonly Bucket[],
    prove: () => Promise<T | undefined>,
    refusal: () => AppError = invalidCredentials,
  ): Promise<T> {
    const taken: Bucket[] = [];
    let failed = false;
    try {
      for (const bucket of buckets) {
        const [limit, key] = bucket;
        await limit.take(key);
        taken.push(bucket);
      }
      const proof = await prove();
      if (proof !== undefined) return proof;
      failed = true;
      throw refusal();
    } finally {
      if (!failed) for (const [limit, key] of taken) await limit.giveBack(key);
    }
  }

  /** No stranger can fill the bucket of a browser that is known: its owner signs in while an attack goes on. */
  private passwordBuckets(key: string, caller: Caller, deviceId: string | undefined): Bucket[] {
    return deviceId === undefined ? this.strangerBuckets(key, caller) : [this.deviceBucket(deviceId)];
  }

  private deviceBucket(deviceId: string): Bucket {
    return [this.limits.credentialFailures, `device ${deviceId}`];
  }
}

/** The same for a wrong password and an unknown account. */
export const invalidCredentials = (): AppError =>
  new AppError(401, 'INVALID_CREDENTIALS', 'Invalid email or password.');

/** Not 401: whoever is signed in stays so. */
const wrongPassword = (): AppError => new AppError(403, 'WRONG_PASSWORD', 'The current password is wrong.');
