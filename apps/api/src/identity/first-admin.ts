import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DAY_MS } from '@app/domain';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type Config, InjectConfig, isLoopback } from '../platform/config.js';
import { InjectPool } from '../platform/database/database.module.js';
import { errorCode } from '../platform/errors/error-code.js';
import { AdminRights } from './admin-rights.js';
import { IdentityChanges } from './identity-changes.js';
import { OneTimeWords, type WordUse } from './one-time-words.js';

/** A start makes a new word once this one is too old. */
const WORD_LIFE_MS = 30 * DAY_MS;

/** What a word for the first admin is issued for. */
const firstAdminWord = (adminEmail: string): WordUse => ({ purpose: 'first_admin', subject: adminEmail });

/** A new word by which the account with this address becomes an admin. */
export const issueFirstAdminWord = (words: OneTimeWords, adminEmail: string): Promise<string> =>
  words.issue(firstAdminWord(adminEmail), WORD_LIFE_MS);

/**
 * Whether the account with `ADMIN_EMAIL` is an admin without a word: on a loopback address nobody else can register it. A demo's
 * address is known to everybody, and its server may be reached from elsewhere before the demo is filled.
 */
export const isAdminAtOnce = ({ publicUrl, demoData }: Config): boolean => isLoopback(publicUrl) && !demoData;

/**
 * The account with `ADMIN_EMAIL`. It is an admin at once (`isAdminAtOnce`), or
 * whoever is first to register it proves by a one-time word that the server is theirs; the start says which file holds one.
 */
@Injectable()
export class FirstAdmin implements OnApplicationBootstrap {
  private readonly logger = new Logger(FirstAdmin.name);
  private readonly file: string;

  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly changes: IdentityChanges,
    private readonly words: OneTimeWords,
    private readonly rights: AdminRights,
  ) {
    this.file = path.join(config.dataDir, 'secrets', 'first-admin-word');
  }

  async onApplicationBootstrap(): Promise<void> {
    const { adminEmail } = this.config;
    if (adminEmail === undefined) return;
    if (isAdminAtOnce(this.config)) return this.promoteAtOnce(adminEmail);
    const { rows } = await this.pool.query<{ isAdmin: boolean }>(
      'select is_admin as "isAdmin" from accounts where email_key = $1 and closed_at is null',
      [adminEmail],
    );
    if (rows[0]?.isAdmin) return this.forgetWord();
    await this.keepWord(adminEmail);
    // The demo registers its admin by itself.
    if (this.config.demoData) return;
    const has = rows[0] ? 'whose account is not an admin yet' : 'which has no account yet';
    const first = rows[0] ? 'Sign in to it' : 'Register it';
    this.logger.warn(
      `ADMIN_EMAIL is ${adminEmail}, ${has}. ${first}, then enter the word in ${this.file} in the settings of the profile.`,
    );
  }

  /** Whether this account would become an admin by the word. */
  awaitsWord({ emailKey, isAdmin }: { readonly emailKey: string; readonly isAdmin: boolean }): boolean {
    return !isAdmin && emailKey === this.config.adminEmail && !isAdminAtOnce(this.config);
  }

  /** Makes the account an admin by the word. False when the word is wrong or the account is another one. */
  async promote(accountId: string, word: string): Promise<boolean> {
    const { adminEmail } = this.config;
    if (adminEmail === undefined) return false;
    const { rows } = await this.pool.query<{ emailKey: string; isAdmin: boolean }>(
      'select email_key as "emailKey", is_admin as "isAdmin" from accounts where id = $1 and closed_at is null',
      [accountId],
    );
    // Other accounts' attempts use up nothing.
    if (!rows[0] || !this.awaitsWord(rows[0])) return false;
    const promoted = await this.words.redeem(firstAdminWord(adminEmail), word, async (client) => {
      // Sessions of admins end when nobody uses them: these begin to count now.
      await client.query('update sessions set last_used_at = now() where account_id = $1', [accountId]);
      return client.query('update accounts set is_admin = true where id = $1 and closed_at is null', [accountId]);
    });
    if (!promoted?.rowCount) return false;
    this.forgetWord();
    await this.changes.publish({ kind: 'account', accountId });
    this.logger.warn('The account with ADMIN_EMAIL became an admin by its one-time word.');
    return true;
  }

  /** Only while nobody is an admin: a start makes none of an account that another admin unmade. */
  private async promoteAtOnce(adminEmail: string): Promise<void> {
    const { rows } = await this.pool.query<{ id: string }>(
      'select id from accounts where email_key = $1 and closed_at is null',
      [adminEmail],
    );
    const accountId = rows[0]?.id;
    if (accountId === undefined) {
      this.logger.warn(
        `ADMIN_EMAIL is ${adminEmail}, which has no account: the first person to register it becomes an admin.`,
      );
      return;
    }
    await this.rights.change(accountId, ({ isAdmin, admins }) => Promise.resolve(isAdmin || admins.size === 0));
  }

  /** Afterwards the file holds a valid word: its earlier one if that is still valid. */
  private async keepWord(adminEmail: string): Promise<void> {
    const kept = readIfThere(this.file);
    if (kept !== undefined && (await this.words.isLiving(firstAdminWord(adminEmail), kept))) return;
    const draft = `${this.file}.${uuidv7()}`;
    try {
      writeFileSync(draft, `${await issueFirstAdminWord(this.words, adminEmail)}\n`, { mode: 0o600 });
      renameSync(draft, this.file);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  private forgetWord(): void {
    rmSync(this.file, { force: true });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
