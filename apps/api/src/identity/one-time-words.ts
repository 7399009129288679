import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { newToken, tokenHash } from './random-token.js';

/** What a word is good for, and for whom: an account's id, or the key of an address that has no account yet. */
export interface WordUse {
  readonly purpose: 'first_admin' | 'passkey_way_in';
  readonly subject: string;
}

/** Servers with data folders of their own hold a word each; the oldest beyond these are void. */
const LIVING_MAX = 5;
/** Longer than any word, and short enough to hash. */
export const ONE_TIME_WORD_LENGTH_MAX = 200;

const LIVING = `
  select word_hash as "wordHash" from one_time_words
  where purpose = $1 and subject = $2 and expires_at > now() for update`;

const VOID = 'delete from one_time_words where purpose = $1 and subject = $2';

interface Queryable {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/**
 * Words of 256 bits that prove, once, that somebody reaches the server itself: the command line or a file gives them. Only
 * their hashes are stored. Nobody guesses one, so wrong words void nothing: a stolen session could void the owner's by them.
 */
@Injectable()
export class OneTimeWords {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** A new word, which lives for `lifeMs`. */
  async issue({ purpose, subject }: WordUse, lifeMs: number): Promise<string> {
    const word = newToken();
    await inTransaction(this.pool, async (client) => {
      await client.query('delete from one_time_words where expires_at <= now()');
      await client.query(
        `delete from one_time_words where word_hash in (
           select word_hash from one_time_words where purpose = $1 and subject = $2
           order by created_at desc offset $3)`,
        [purpose, subject, LIVING_MAX - 1],
      );
      await client.query(
        `insert into one_time_words (word_hash, purpose, subject, expires_at)
         values ($1, $2, $3, now() + $4 * interval '1 ms')`,
        [tokenHash(word), purpose, subject, lifeMs],
      );
    });
    return word;
  }

  /** Whether the word would be taken. It stays good. */
  async isLiving(use: WordUse, word: string): Promise<boolean> {
    return inTransaction(this.pool, (client) => isAmongLiving(client, use, word));
  }

  /**
   * Uses a word up and does, in the same transaction, what it is good for. Undefined when the word is wrong, used or too old.
   */
  redeem<T>(use: WordUse, word: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T | undefined> {
    return inTransaction(this.pool, async (client) => {
      if (!(await isAmongLiving(client, use, word))) return undefined;
      await voidWords(client, use);
      return await work(client);
    });
  }
}

/** Whoever holds a word for this has nothing any more; in the caller's transaction. */
export async function voidWords(manager: Queryable, { purpose, subject }: WordUse): Promise<void> {
  await manager.query(VOID, [purpose, subject]);
}

async function isAmongLiving(client: pg.PoolClient, { purpose, subject }: WordUse, word: string): Promise<boolean> {
  const { rows } = await client.query<{ wordHash: Buffer }>(LIVING, [purpose, subject]);
  const given = tokenHash(word.trim());
  return rows.some(({ wordHash }) => timingSafeEqual(wordHash, given));
}
