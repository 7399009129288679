import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { AppError } from '../platform/errors/app-error.js';
import { SECRETS_MAX } from './limits.js';
import { newSecret, secretHash } from './new-secret.js';

/** A secret of an application, without itself. */
export interface ApplicationSecret {
  readonly id: string;
  readonly name: string;
  /** Null if it was made before secrets had names. */
  readonly createdAt: Date | null;
  /** To the minute; null if it never proved anything. */
  readonly lastUsedAt: Date | null;
}

const COLUMNS = 'id, name, created_at as "createdAt", last_used_at as "lastUsedAt"';

const LOCK = `
  select from oauth_applications where client_id = $1 and secret_hash is not null and deleted_at is null for update`;

const USED = `
  update oauth_secrets set last_used_at = now()
  where client_id = $1 and hash = $2 and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

const NOTED_EVERY_MS = 60_000;
/** Secrets whose last use a process remembers. */
const NOTED_MAX = 10_000;

/** The secrets of applications: two at a time, so that one replaces the other without a gap (rule oauth-26). */
@Injectable()
export class ApplicationSecrets {
  /** When this process last wrote that a secret was used. */
  private readonly noted = new Map<string, number>();

  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Oldest first. */
  async ofApplication(clientId: string): Promise<ApplicationSecret[]> {
    const { rows } = await this.pool.query<ApplicationSecret>(
      `select ${COLUMNS} from oauth_secrets where client_id = $1 order by created_at nulls first, id`,
      [clientId],
    );
    return rows;
  }

  /** @returns the new one with the secret itself, which is kept nowhere. @throws AppError 409 `SECRET_LIMIT` */
  add(clientId: string, name: string): Promise<ApplicationSecret & { readonly secret: string }> {
    const secret = newSecret();
    return inTransaction(this.pool, async (client) => {
      await client.query(LOCK, [clientId]);
      const { rows } = await client.query<ApplicationSecret>(
        `insert into oauth_secrets (client_id, name, hash) select $1, $2, $3
         where (select count(*) from oauth_secrets where client_id = $1) < $4 returning ${COLUMNS}`,
        [clientId, name, secretHash(secret), SECRETS_MAX],
      );
      if (!rows[0]) {
        const message = `The application has ${SECRETS_MAX} secrets, the maximum. Revoke one first.`;
        throw new AppError(409, 'SECRET_LIMIT', message);
      }
      return { ...rows[0], secret };
    });
  }

  /** It proves nothing from now on, and neither does a token of the application that it proved. @throws AppError 404, 409 `LAST_SECRET` */
  revoke(clientId: string, id: string): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      await client.query(LOCK, [clientId]);
      const { rows } = await client.query<{ id: string; hash: string }>(
        'select id, hash from oauth_secrets where client_id = $1',
        [clientId],
      );
      if (!rows.some((secret) => secret.id === id)) {
        throw new AppError(404, 'SECRET_NOT_FOUND', 'This secret was not found.');
      }
      const other = rows.find((secret) => secret.id !== id);
      if (!other) {
        throw new AppError(409, 'LAST_SECRET', 'This is the only secret. Create another one first.');
      }
      // What is not named here ends: see the trigger.
      await client.query('update oauth_applications set secret_hash = $2 where client_id = $1', [clientId, other.hash]);
    });
  }

  /** A secret has proved its application. However often it does, it is written once a minute. */
  async noteUse(clientId: string, hash: string): Promise<void> {
    const now = Date.now();
    if (now - (this.noted.get(hash) ?? 0) < NOTED_EVERY_MS) return;
    if (this.noted.size >= NOTED_MAX) this.noted.clear();
    this.noted.set(hash, now);
    await this.pool.query(USED, [clientId, hash]);
  }
}
