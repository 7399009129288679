import { type EntityManager, IsNull } from 'typeorm';
import { Account, Session } from '../identity/entities.js';
import type { SignedInMember } from '../platform/auth/member.js';
import { unauthenticated } from '../platform/errors/app-error.js';

/**
 * Locks the account as signing in and a change of its password do, for the caller's transaction.
 * @throws AppError 401 the session, or the account, ended meanwhile: what it was proved with may count no longer
 */
export async function lockWithin(manager: EntityManager, { id, sessionId }: SignedInMember): Promise<void> {
  const where = { id, closedAt: IsNull() };
  const account = await manager.findOne(Account, { where, lock: { mode: 'pessimistic_write' } });
  if (!account || !(await manager.existsBy(Session, { id: sessionId, accountId: id }))) throw unauthenticated();
}
