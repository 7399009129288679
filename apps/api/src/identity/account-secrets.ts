import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import type { SignedInMember } from '../platform/auth/member.js';
import { notFound, unauthenticated } from '../platform/errors/app-error.js';
import { invalidCredentials } from './credentials.js';
import { Account, Session } from './entities.js';
import { IdentityChanges } from './identity-changes.js';
import { refuseOwnWords } from './new-secrets.js';
import { type EndedWithSecret, type SecretChange, SecretChanges } from './secret-changes.js';
import { SecretHashing } from './secret-hashing.js';
import { SecurityNotices } from './security-notices.js';

export interface NewSecret {
  readonly kind: 'password' | 'pin';
  readonly secret: string;
}

/** What attempts at recovery are counted by: rows of them name no address. */
export const recoveryHash = (emailKey: string): Buffer => hash('sha256', emailKey, 'buffer');

/**
 * Changes passwords and PINs. Sessions of the account end with their sockets, so nobody who knew the old secret stays
 * in.
 */
@Injectable()
export class AccountSecrets {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hashing: SecretHashing,
    private readonly changes: IdentityChanges,
    private readonly secretChanges: SecretChanges,
    private readonly notices: SecurityNotices,
  ) {}

  /**
   * By an admin's word. Ends every session and forgets wrong attempts at recovery.
   * @throws AppError 404 the account was closed meanwhile, 503 busy
   */
  async reset(accountId: string, next: NewSecret): Promise<void> {
    await this.replace({ accountId, by: 'admin', kind: next.kind }, next.secret, async (manager, account) => {
      if (!account) throw notFound('This user');
      await endAllSessions(manager, account);
    });
  }

  /**
   * By the recovery PIN; otherwise as `reset`.
   * @param proven the account as it was when its PIN was proved
   * @throws AppError 400 `PASSWORD_PERSONAL`, 401 its PIN was changed, or it was closed, since; 503 busy
   */
  async recover(proven: Account, password: string): Promise<void> {
    const change = { accountId: proven.id, by: 'recovery', kind: 'password' } as const;
    await this.replace(change, password, async (manager, account) => {
      if (account?.pinHash !== proven.pinHash) throw invalidCredentials();
      await endAllSessions(manager, account);
      await this.notices.tell(account.id, { kind: 'recovered', by: 'pin' }, manager);
    });
  }

  /**
   * By a link that was sent to the account's address; otherwise as `reset`.
   * @param spend uses the link up in the same transaction, or refuses
   * @throws AppError 400 the link was used meanwhile, 503 busy
   */
  async recoverByLink(
    accountId: string,
    password: string,
    spend: (manager: EntityManager) => Promise<void>,
  ): Promise<void> {
    await this.replace({ accountId, by: 'recovery', kind: 'password' }, password, async (manager, account) => {
      await spend(manager);
      if (!account) throw notFound('This account');
      await endAllSessions(manager, account);
      await this.notices.tell(account.id, { kind: 'recovered', by: 'mail' }, manager);
    });
  }

  /**
   * From within a session, which alone goes on. Attempts at recovery stay counted: nobody has proved the PIN.
   * @returns what ended with the old secret
   * @throws AppError 400 `PASSWORD_PERSONAL`, 401 that session, or the account, ended meanwhile; 503 busy
   */
  changeWithin(
    { id: accountId, sessionId, deviceId }: SignedInMember,
    { kind, secret }: NewSecret,
  ): Promise<EndedWithSecret> {
    return this.replace({ accountId, by: 'member', kind, deviceId }, secret, async (manager, account) => {
      // Another change was faster: what this one was proved with may be what that one did away with.
      if (!account || !(await manager.existsBy(Session, { id: sessionId, accountId }))) throw unauthenticated();
      await manager.delete(Session, { accountId, id: Not(sessionId) });
    });
  }

  /** @param endSessions refuses as well when the account, null once it is closed, is no longer the one to change */
  private async replace(
    change: SecretChange,
    secret: string,
    endSessions: (manager: EntityManager, account: Account | null) => Promise<void>,
  ): Promise<EndedWithSecret> {
    const { accountId, kind, deviceId } = change;
    if (kind === 'password' && change.by !== 'admin') await this.refuseOwnWords(accountId, secret);
    const secretHash = await this.hashing.hash(secret, { member: accountId });
    const ended = await this.dataSource.transaction(async (manager) => {
      const open = { id: accountId, closedAt: IsNull() };
      // Signing in takes the same lock: a session that is just being made is there by now, and ends with the others.
      const account = await manager.findOne(Account, { where: open, lock: { mode: 'pessimistic_write' } });
      await endSessions(manager, account);
      await manager.update(Account, open, kind === 'password' ? { passwordHash: secretHash } : { pinHash: secretHash });
      if (change.by !== 'recovery') {
        const notice = kind === 'password' ? 'password_changed' : 'pin_changed';
        await this.notices.tell(accountId, { kind: notice, by: change.by, deviceId }, manager);
      }
      return this.secretChanges.tell(manager, change);
    });
    await this.changes.publish({ kind: 'account', accountId });
    return ended;
  }

  private async refuseOwnWords(accountId: string, password: string): Promise<void> {
    const account = await this.dataSource.getRepository(Account).findOneBy({ id: accountId });
    if (account) refuseOwnWords(password, account);
  }
}

async function endAllSessions(manager: EntityManager, { id: accountId, emailKey }: Account): Promise<void> {
  await manager.query('delete from recovery_attempts where email_hash = $1', [recoveryHash(emailKey)]);
  await manager.delete(Session, { accountId });
}
