import pg from 'pg';
import { openDatabase } from '../finance/installation.js';
import { migrate } from '../platform/database/data-source.js';
import { readSettings } from '../platform/config.js';
import { Explained, reasonOf } from '../platform/errors/explained.js';
import { SCHEMA } from '../schema.js';
import { issueFirstAdminWord } from './first-admin.js';
import { OneTimeWords } from './one-time-words.js';

const USAGE = `usage: npm run -s accounts -- COMMAND

  admin-word    a one-time word, to enter in the settings of the account with ADMIN_EMAIL: it becomes an admin`;

const say = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};

type Run = (pool: pg.Pool) => Promise<string>;

async function adminWord(pool: pg.Pool): Promise<string> {
  const { adminEmail } = readSettings(process.env);
  if (adminEmail === undefined) throw new Explained('ADMIN_EMAIL is not set: it names the account of the first admin.');
  return issueFirstAdminWord(new OneTimeWords(pool), adminEmail);
}

const COMMANDS: ReadonlyMap<string, Run> = new Map([['admin-word', adminWord]]);

/** Answers with the exit status: 0 when all is well, 1 when not, 2 for a wrong call. */
async function main([command = '', ...rest]: readonly string[]): Promise<number> {
  if (command === '--help' || command === '-h') {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const run = COMMANDS.get(command);
  if (!run || rest.length > 0) {
    say(USAGE);
    return 2;
  }
  try {
    const database = await openDatabase(say, false);
    try {
      await migrate(database.url, SCHEMA, say);
      const pool = new pg.Pool({ connectionString: database.url, max: 1, application_name: 'accounts' });
      try {
        process.stdout.write(`${await run(pool)}\n`);
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
