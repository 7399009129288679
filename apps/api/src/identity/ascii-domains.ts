import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import type { Query } from '../platform/database/migrations.js';
import { emailKey } from '../platform/text.js';
import { mailboxKey } from './mailbox-key.js';

/** Begins the key of an account whose address an older account has in another form: nobody signs in by it. */
const DUPLICATE = 'duplicate:';

const NOT_ASCII = String.raw`email_key ~ '[^\x01-\x7f]'`;

interface KeyedRow {
  readonly id: string;
  readonly email_key: string;
}

/**
 * Keys with international domains as `emailKey` makes them now. Of two accounts whose addresses turn out to be one, the older
 * has it, and the other waits for an admin.
 */
export async function useAsciiDomains(query: Query): Promise<void> {
  const accounts = await query<KeyedRow>(
    `select id, email_key from accounts where closed_at is null and ${NOT_ASCII} order by created_at, id`,
    [],
  );
  for (const { id, email_key } of accounts) {
    const key = emailKey(email_key);
    if (key === email_key) continue;
    const [younger] = await query<KeyedRow & { readonly is_younger: boolean }>(
      `select a.id, a.email_key, (a.created_at, a.id) > (b.created_at, b.id) as is_younger
       from accounts a, accounts b where a.email_key = $1 and b.id = $2`,
      [key, id],
    );
    const duplicate = younger && !younger.is_younger ? id : younger?.id;
    if (duplicate !== undefined) {
      await query('update accounts set email_key = $2 || id || $3 where id = $1', [duplicate, DUPLICATE, `:${key}`]);
    }
    if (duplicate !== id) await query('update accounts set email_key = $2 where id = $1', [id, key]);
  }
  const blocked = await query<KeyedRow>(
    `select id, email_key from blocked_emails where ${NOT_ASCII} order by created_at, id`,
    [],
  );
  for (const { id, email_key } of blocked) {
    const key = mailboxKey(email_key);
    if (key === email_key) continue;
    const [same] = await query<KeyedRow>('select id, email_key from blocked_emails where email_key = $1', [key]);
    if (same) await query('delete from blocked_emails where id = $1', [id]);
    else await query('update blocked_emails set email_key = $2 where id = $1', [id, key]);
  }
}

/** Says at each start which accounts nobody can sign in to, because an older one has their address. */
@Injectable()
export class DuplicateAddresses implements OnApplicationBootstrap {
  private readonly logger = new Logger(DuplicateAddresses.name);

  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async onApplicationBootstrap(): Promise<void> {
    const { rows } = await this.pool.query<KeyedRow>(
      'select id, email_key from accounts where closed_at is null and starts_with(email_key, $1)',
      [DUPLICATE],
    );
    for (const { id } of rows) {
      this.logger.warn(
        `The account ${id} has the address of an older account, its domain in another form. Nobody can sign in to it: see docs/accounts.md.`,
      );
    }
  }
}
