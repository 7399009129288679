import type pg from 'pg';
import { openPool } from '@app/event-store';
import { openDatabase } from '../finance/installation.js';
import { migrate } from '../platform/database/data-source.js';
import { readSettings } from '../platform/config.js';
import { Explained, reasonOf } from '../platform/errors/explained.js';
import { emailKey } from '../platform/text.js';
import { issueWayIn } from '../passkeys/way-in.js';
import { SCHEMA } from '../schema.js';
import { issueFirstAdminWord } from './first-admin.js';
import { OneTimeWords } from './one-time-words.js';

const USAGE = `usage: npm run -s accounts -- COMMAND

  admin-word     a one-time word, to enter in the settings of the account with ADMIN_EMAIL: it becomes an admin
  way-in EMAIL   a one-time word, to enter in place of a recovery code where the account is asked for its passkey`;

const say = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};

interface Command {
  /** The number of its arguments. */
  readonly words: number;
  readonly run: (pool: pg.Pool, word: string) => Promise<string>;
}

async function adminWord(pool: pg.Pool): Promise<string> {
  const { adminEmail } = readSettings(process.env);
  if (adminEmail === undefined) throw new Explained('ADMIN_EMAIL is not set: it names the account of the first admin.');
  return issueFirstAdminWord(new OneTimeWords(pool), adminEmail);
}

async function wayIn(pool: pg.Pool, email: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from accounts where email_key = $1 and closed_at is null',
    [emailKey(email)],
  );
  if (!rows[0]) throw new Explained(`No member has the e-mail address ${email}.`);
  return issueWayIn(new OneTimeWords(pool), rows[0].id);
}

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['admin-word', { words: 0, run: adminWord }],
  ['way-in', { words: 1, run: wayIn }],
]);

/** Answers with the exit status: 0 when all is well, 1 when not, 2 for a wrong call. */
async function main([command = '', ...rest]: readonly string[]): Promise<number> {
  if (command === '--help' || command === '-h') {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const known = COMMANDS.get(command);
  if (!known || rest.length !== known.words) {
    say(USAGE);
    return 2;
  }
  try {
    const database = await openDatabase(say, false);
    try {
      await migrate(database.url, SCHEMA, say);
      const pool = openPool({ connectionString: database.url, max: 1, application_name: 'accounts' });
      try {
        process.stdout.write(`${await known.run(pool, rest[0] ?? '')}\n`);
        return 0;
      } finally {
        await pool.end();
      }
    } finally {
      await database.stop();
    }
  } catch (error) {
    say(reasonOf(error));
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
