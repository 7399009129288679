import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, Not } from 'typeorm';
import { unauthenticated } from '../platform/errors/app-error.js';
import { Account, Session } from './entities.js';
import { IdentityChanges } from './identity-changes.js';
import { SecretHashing } from './secret-hashing.js';

export interface NewSecret {
  readonly kind: 'password' | 'pin';
  readonly secret: string;
}

/** What attempts at recovery are counted by: rows of them name no address. */
export const recoveryHash = (emailKey: string): Buffer => hash('sha256', emailKey, 'buffer');

/**
 * Changes passwords and PINs. Whoever knew the old one is out: every session of the account ends, with its sockets, but for
 * one that proved itself just now.
 */
@Injectable()
export class AccountSecrets {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hashing: SecretHashing,
    private readonly changes: IdentityChanges,
  ) {}

  /**
   * Also forgets wrong attempts at recovery.
   * @param keptSessionId the session that asked, and lasts; where it has ended meanwhile, nothing is changed
   * @throws AppError 401 the account was closed or the session ended meanwhile, 503 busy
   */
  async change(accountId: string, { kind, secret }: NewSecret, keptSessionId?: string): Promise<void> {
    const secretHash = await this.hashing.hash(secret);
    await this.dataSource.transaction(async (manager) => {
      const open = { id: accountId, closedAt: IsNull() };
      // Signing in takes the same lock: a session that is just being made is there by now, and ends with the others.
      const account = await manager.findOne(Account, { where: open, lock: { mode: 'pessimistic_write' } });
      if (!account) throw unauthenticated();
      const lasts = keptSessionId === undefined || (await manager.existsBy(Session, { id: keptSessionId, accountId }));
      if (!lasts) throw unauthenticated();
      await manager.update(Account, open, kind === 'password' ? { passwordHash: secretHash } : { pinHash: secretHash });
      await manager.query('delete from recovery_attempts where email_hash = $1', [recoveryHash(account.emailKey)]);
      await manager.delete(Session, { accountId, ...(keptSessionId === undefined ? {} : { id: Not(keptSessionId) }) });
    });
    await this.changes.publish({ kind: 'account', accountId });
  }
}
