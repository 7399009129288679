import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { type Config, InjectConfig } from '../platform/config.js';
import { InjectPool } from '../platform/database/database.module.js';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';
import { CHALLENGE_MS } from './limits.js';
import { passkeyRefused } from './refusals.js';

export interface ChallengeUse {
  readonly purpose: 'sign-in' | 'add' | 'prove';
  /** The holder of the challenge: a session's id, or a browser's random word. Nobody else can use it. */
  readonly holder: string;
}

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;
const CLAIM_BYTES = NONCE_BYTES + TIME_BYTES;

/** Also removes expired rows, by the database's clock. Returns no row for a challenge that was used before. */
const USE = `
  insert into used_passkey_challenges (challenge_hash, expires_at)
  select $1, to_timestamp($2 / 1000.0) where to_timestamp($2 / 1000.0) > clock_timestamp()
  on conflict do nothing returning 1`;

/**
 * Challenges that carry their own proof: a random part, the moment they expire, and a seal over both, the purpose and
 * the holder. Nothing is stored about a challenge until a passkey has answered it correctly, so strangers create no
 * rows. From then on every server knows it as used until it expires.
 */
@Injectable()
export class Challenges extends Rounds {
  private readonly key: Buffer;

  constructor(
    @InjectConfig() config: Config,
    @InjectPool() private readonly pool: pg.Pool,
  ) {
    super(HOUSEKEEPING, 'sweeping used challenges');
    this.key = Buffer.from(hkdfSync('sha256', config.secrets.session, '', 'passkey challenges', MAC_BYTES));
  }

  async issue(use: ChallengeUse): Promise<Uint8Array<ArrayBuffer>> {
    const { rows } = await this.pool.query<{ ms: string }>('select floor(extract(epoch from now()) * 1000) as ms');
    const claim = Buffer.alloc(CLAIM_BYTES);
    randomBytes(NONCE_BYTES).copy(claim);
    claim.writeUIntBE(Number(rows[0]?.ms) + CHALLENGE_MS, NONCE_BYTES, TIME_BYTES);
    return Uint8Array.from(Buffer.concat([claim, this.seal(claim, use)]));
  }

  /** Whether this server, or one with the same secret, issued the challenge for this use. Does not check its age. */
  isOurs(challenge: string, use: ChallengeUse): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== CLAIM_BYTES + MAC_BYTES) return false;
    return timingSafeEqual(bytes.subarray(CLAIM_BYTES), this.seal(bytes.subarray(0, CLAIM_BYTES), use));
  }

  /**
   * Uses up a challenge that `isOurs`, in the caller's transaction.
   * @throws AppError 403 it has expired, or was used before
   */
  async use(manager: EntityManager, challenge: string): Promise<void> {
    const bytes = Buffer.from(challenge, 'base64url');
    const expiresAtMs = bytes.readUIntBE(NONCE_BYTES, TIME_BYTES);
    const rows: unknown[] = await manager.query(USE, [hash('sha256', bytes, 'buffer'), expiresAtMs]);
    if (rows.length === 0) throw passkeyRefused();
  }

  protected override async round(): Promise<void> {
    await this.pool.query('delete from used_passkey_challenges where expires_at < now()');
  }

  private seal(claim: Uint8Array, { purpose, holder }: ChallengeUse): Buffer {
    return createHmac('sha256', this.key).update(claim).update(`${purpose}\n${holder}`).digest();
  }
}
