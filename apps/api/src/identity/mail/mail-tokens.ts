import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../platform/errors/app-error.js';
import { SecretChanges } from '../secret-changes.js';
import { newToken, tokenHash } from '../random-token.js';
import type { Recipient } from './outgoing-mails.js';

const MINUTE_MS = 60 * 1000;

/** The purpose of a link. */
export type LinkPurpose = 'verify' | 'reset';

/** How long a link works, from the moment when its mail is sent. */
export const LINK_MINUTES: Readonly<Record<LinkPurpose, number>> = { verify: 24 * 60, reset: 30 };

/** Deletes tokens whose time is over. */
export const SWEEP_MAIL_TOKENS = 'delete from mail_tokens where expires_at <= now()';

/** The token of a link works for the address that it was sent to alone, and only while that is the account's. */
const LIVING = `
  t.token_hash = $1 and t.purpose = $2 and t.expires_at > now()
  and a.id = t.account_id and a.email_key = t.email_key and a.closed_at is null`;

/** One-time tokens of links that are sent by mail: stored by their hashes, gone with their use. */
@Injectable()
export class MailTokens {
  constructor(
    private readonly dataSource: DataSource,
    secretChanges: SecretChanges,
  ) {
    // A new secret cancels all earlier links.
    secretChanges.onChange(async (manager, { accountId }) => {
      await manager.query(`delete from mail_tokens where account_id = $1 and purpose = 'reset'`, [accountId]);
    });
  }

  async issue(purpose: LinkPurpose, { id, emailKey }: Recipient): Promise<string> {
    const token = newToken();
    await this.dataSource.query(
      `insert into mail_tokens (token_hash, account_id, purpose, email_key, expires_at)
       values ($1, $2, $3, $4, now() + $5 * interval '1 ms')`,
      [tokenHash(token), id, purpose, emailKey, LINK_MINUTES[purpose] * MINUTE_MS],
    );
    return token;
  }

  /**
   * Whose link it is. It stays usable.
   * @throws AppError 400 `INVALID_LINK` it was used, its time is over, or there never was one
   */
  async accountOf(purpose: LinkPurpose, token: string): Promise<string> {
    const [found]: { id: string }[] = await this.dataSource.query(
      `select a.id from mail_tokens t, accounts a where ${LIVING}`,
      [tokenHash(token), purpose],
    );
    if (!found) throw invalidLink();
    return found.id;
  }

  /**
   * Uses the link up, in the caller's transaction.
   * @throws AppError 400 `INVALID_LINK` as `accountOf`, or it belongs to another account
   */
  async spend(manager: EntityManager, purpose: LinkPurpose, token: string, accountId: string): Promise<void> {
    const [spent]: [unknown[], number] = await manager.query(
      `delete from mail_tokens t using accounts a where ${LIVING} and a.id = $3 returning a.id`,
      [tokenHash(token), purpose, accountId],
    );
    if (spent.length === 0) throw invalidLink();
  }
}

const invalidLink = (): AppError =>
  new AppError(400, 'INVALID_LINK', 'This link has expired or was used before. Please ask for a new one.');
