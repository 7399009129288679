import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { AppError, unauthenticated } from '../platform/errors/app-error.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { emailKey } from '../platform/text.js';
import { Account } from './entities.js';
import { SecretHashing } from './secret-hashing.js';

export interface CredentialAttempt {
  readonly email: string;
  readonly password: string;
  /** The caller's network address. */
  readonly address: string;
}

/** Proof of identity by e-mail and password, for every call that takes them. */
@Injectable()
export class Credentials {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hashing: SecretHashing,
    private readonly limits: RateLimits,
  ) {}

  /**
   * The account that e-mail and password belong to.
   * @throws AppError 401 `INVALID_CREDENTIALS`, the same for a wrong password and an unknown account;
   * 429 after ten failures in ten minutes from this address for this account
   */
  async verify({ email, password, address }: CredentialAttempt): Promise<Account> {
    const key = emailKey(email);
    return this.counted(key, address, async () => {
      const account = await this.dataSource.getRepository(Account).findOneBy({ emailKey: key, closedAt: IsNull() });
      const right = await this.hashing.verify(account?.passwordHash, password);
      return right && account ? account : undefined;
    });
  }

  /**
   * That somebody who is signed in knows their password.
   * @throws AppError 403 `WRONG_PASSWORD`, 401 the account was closed meanwhile, 429 as `verify`
   */
  async confirm(accountId: string, password: string, address: string): Promise<void> {
    const account = await this.dataSource.getRepository(Account).findOneBy({ id: accountId, closedAt: IsNull() });
    if (!account) throw unauthenticated();
    const prove = async (): Promise<true | undefined> =>
      (await this.hashing.verify(account.passwordHash, password)) || undefined;
    await this.counted(account.emailKey, address, prove, wrongPassword);
  }

  /**
   * Runs a proof of identity under the limit on failures. The attempt is counted before it is made, so that many at once
   * cannot pass, and given back unless it failed. `undefined` is a failure.
   */
  async counted<T>(
    key: string,
    address: string,
    prove: () => Promise<T | undefined>,
    refusal: () => AppError = invalidCredentials,
  ): Promise<T> {
    const bucket = `${address} ${key}`;
    await this.limits.credentialFailures.take(bucket);
    let failed = false;
    try {
      const proof = await prove();
      if (proof !== undefined) return proof;
      failed = true;
      throw refusal();
    } finally {
      if (!failed) await this.limits.credentialFailures.giveBack(bucket);
    }
  }
}

/** The same for a wrong password and an unknown account. */
export const invalidCredentials = (): AppError =>
  new AppError(401, 'INVALID_CREDENTIALS', 'Invalid email or password.');

/** Not 401: whoever is signed in stays so. */
const wrongPassword = (): AppError => new AppError(403, 'WRONG_PASSWORD', 'The current password is wrong.');
