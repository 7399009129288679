import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { type Config, InjectConfig } from '../config.js';
import { InjectPool } from '../database/database.module.js';
import { AppError } from '../errors/app-error.js';
import type { SignedInMember } from './member.js';

/** How long a session may do what needs a fresh proof, by the database's clock. */
const FRESH_PROOF_MS = 10 * 60 * 1000;

/** The account's passkeys that work at this address. */
const HAS_PASSKEY = 'exists (select from passkey_directory where account_id = $1 and rp_id = $2)';

const STANDING = `
  select ${HAS_PASSKEY} as has_passkey,
    exists (
      select from fresh_proofs
      where session_id = $3 and proved_at between now() - $4 * interval '1 ms' and now()
    ) as is_fresh`;

/** A database session as TypeORM's manager and pg's pool both offer it. */
interface Queryable {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/**
 * Fresh proofs: a session in which a passkey, or a recovery code in its place, was used within the last ten minutes. There is no
 * token that could be stolen: the proof is a row of the session, and ends with it.
 */
@Injectable()
export class FreshProofs {
  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  /**
   * Lets members pass who proved themselves lately, and those who have no passkey to prove themselves with.
   * @throws AppError 403 `FRESH_PROOF_NEEDED`
   */
  async require({ id, sessionId }: SignedInMember): Promise<void> {
    const { rpId } = this.config.passkeys;
    if (rpId === undefined) return;
    const { rows } = await this.pool.query<{ has_passkey: boolean; is_fresh: boolean }>(STANDING, [
      id,
      rpId,
      sessionId,
      FRESH_PROOF_MS,
    ]);
    if (rows[0]?.has_passkey === true && !rows[0].is_fresh) throw freshProofNeeded();
  }

  /** @throws AppError 403 `PASSKEY_REQUIRED` admins need a passkey here, and this one has none */
  async requirePasskeyOfAdmin({ id }: SignedInMember): Promise<void> {
    if (await this.isPasskeyMissing(id)) throw passkeyRequired();
  }

  /** Whether admins need a passkey here and this account, an admin's, has none. */
  async isPasskeyMissing(adminId: string): Promise<boolean> {
    const { rpId, demandedOfAdmins } = this.config.passkeys;
    if (!demandedOfAdmins) return false;
    const { rows } = await this.pool.query<{ has: boolean }>(`select ${HAS_PASSKEY} as has`, [adminId, rpId]);
    return rows[0]?.has !== true;
  }

  /** The session has just been proved; in the caller's transaction. */
  async record(manager: Queryable, sessionId: string): Promise<void> {
    await manager.query(
      `insert into fresh_proofs (session_id, proved_at) values ($1, clock_timestamp())
       on conflict (session_id) do update set proved_at = excluded.proved_at`,
      [sessionId],
    );
  }

  /** The same, of the session that a cookie's token stands for. */
  async recordOfToken(manager: Queryable, tokenHash: Buffer): Promise<void> {
    await manager.query(
      `insert into fresh_proofs (session_id, proved_at)
       select id, clock_timestamp() from session_directory where token_hash = $1`,
      [tokenHash],
    );
  }

  /** What was proved in the account's other sessions counts no longer: it may have been proved by what has just gone. */
  async forgetOthers(manager: Queryable, { id, sessionId }: SignedInMember): Promise<void> {
    await manager.query(
      `delete from fresh_proofs where session_id in (select id from session_directory where account_id = $1 and id <> $2)`,
      [id, sessionId],
    );
  }
}

const freshProofNeeded = (): AppError =>
  new AppError(403, 'FRESH_PROOF_NEEDED', 'Please confirm with your passkey that it is you, then try again.');

const passkeyRequired = (): AppError =>
  new AppError(403, 'PASSKEY_REQUIRED', 'Admins need a passkey here. Please add one in the settings of your profile.');
