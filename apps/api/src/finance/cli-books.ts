import { setTimeout as pause } from 'node:timers/promises';
import {
  accountNameOf,
  CURRENCIES,
  MEMBER_BALANCE_CURRENCY,
  Money,
  type Currency,
  type LedgerState,
} from '@app/domain';
import { StoredLedger } from '@app/ledger';
import { EntryQueries } from '@app/projections';
import { AppError } from '../platform/errors/app-error.js';
import { emailKey } from '../platform/text.js';
import { Books, holdsNothing, type MemberStatement } from './books.js';
import { type CommandArguments, UsageError } from './cli-arguments.js';
import type { Installation } from './installation.js';
import type { JournalMoment } from './moments.js';
import { printTrialBalance, type TrialBalanceLine } from './replay.js';
import { statementCsv } from './statement-csv.js';

type Write = (text: string) => Promise<void>;

const WAIT_MS = 5_000;
const LOOK_EVERY_MS = 100;

/** `trial-balance [--at TIME | --revision N]`, from the read models, as the panel shows it. */
export async function printBooks(
  installation: Installation,
  { moment }: CommandArguments,
  write: Write,
): Promise<void> {
  const books = booksOf(installation);
  const found = await explained(books.moment(moment));
  const lines: TrialBalanceLine[] = await books.trialBalance(found);
  const ordered = CURRENCIES.flatMap((currency) => lines.filter((line) => line.currency === currency));
  await write(`${printTrialBalance(ordered)}\n${momentText(found)}\n`);
}

/** `statement USER [--from TIME] [--to TIME] [--format csv]`. */
export async function printStatement(
  installation: Pick<Installation, 'store' | 'pool'>,
  { subject, period, format }: CommandArguments,
  write: Write,
): Promise<void> {
  const books = booksOf(installation);
  const userId = await findMember(installation, subject);
  const statement = await books.memberStatement(userId, await explained(books.period(period)));
  if (holdsNothing(statement)) await requireAccount(installation, userId);
  if (format === undefined) return await write(statementText(statement));
  for await (const piece of statementCsv(books, statement)) await write(piece);
}

/** A member's id by what the caller calls them. */
export async function findMember({ pool }: Pick<Installation, 'pool'>, user: string): Promise<string> {
  if (!user.includes('@')) return user;
  const { rows } = await pool.query<{ id: string }>('select id from member_directory where email_key = $1', [
    emailKey(user),
  ]);
  if (!rows[0]) throw new UsageError(`No member has the e-mail address ${user}.`);
  return rows[0].id;
}

/** For whom the journal does not know. @throws UsageError the accounts do not know them either */
export async function requireAccount({ pool }: Pick<Installation, 'pool'>, userId: string): Promise<void> {
  const { rowCount } = await pool.query('select from member_directory where id::text = $1', [userId]);
  if (rowCount === 0) {
    throw new UsageError(
      `There is no member ${userId}: neither the accounts nor the journal know one, or not by that time.`,
    );
  }
}

/** Balances at one moment, one a line. */
export function balancesText(state: LedgerState, userId: string): string {
  return [
    amountLine('Nova balance', state.novaBalance(userId)),
    amountLine('  purchased', state.balance(userId, 'purchased')),
    amountLine('  earned', state.balance(userId, 'earned')),
    amountLine('  owed', state.owed(userId)),
    amountLine('pending', state.balance(userId, 'pending')),
    amountLine('karma', state.balance(userId, 'karma'), 'KARMA'),
    amountLine('influence', state.balance(userId, 'influence'), 'INFLUENCE'),
    amountLine('seyvn', state.balance(userId, 'seyvn'), 'SEYVN'),
  ].join('');
}

const text = (minor: bigint, currency: Currency = 'NOVA'): string => Money.ofMinor(minor, currency).toString();

const amountLine = (label: string, minor: bigint, currency: Currency = 'NOVA'): string =>
  `${label.padEnd(12)} ${text(minor, currency).padStart(24)} ${currency}\n`;

function booksOf({ store, pool }: Pick<Installation, 'store' | 'pool'>): Books {
  const entries = new EntryQueries(pool);
  return new Books(new StoredLedger(store), pool, async (models, revision) => {
    for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await pause(LOOK_EVERY_MS)) {
      if (((await entries.reached(models)) ?? -1) >= revision) return;
    }
  });
}

/** Without a server nothing makes the read models: then the events alone must do. */
async function explained<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'BOOKS_BEHIND') throw error;
    throw new Error(
      'The books have not reached this moment. Start the server, which updates them, or use replay and balance.',
      {
        cause: error,
      },
    );
  }
}

const momentText = ({ revision, hash, at }: JournalMoment): string =>
  `at revision ${revision}${at === undefined ? '' : ` (${new Date(at).toISOString()})`}, hash ${hash}`;

function statementText(statement: MemberStatement): string {
  const { opening, closing, lines, owed, nova } = statement;
  const row = (...cells: readonly string[]): string =>
    `${cells.map((cell, index) => (index === 0 ? cell.padEnd(56) : cell.padStart(18))).join(' ')}\n`;
  const rows = lines.map((line) => {
    const currency = MEMBER_BALANCE_CURRENCY[line.balance];
    const amounts = [line.opening, line.in, line.out, line.closing].map((minor) => text(minor, currency));
    return row(accountNameOf(line.kind, line.owner), ...amounts, currency);
  });
  return [
    `opening ${momentText(opening)}\nclosing ${momentText(closing)}\n\n`,
    row('account', 'opening', 'in', 'out', 'closing', ''),
    ...rows,
    row('owed by pools', text(owed.opening), '', '', text(owed.closing), 'NOVA'),
    row('Nova balance', text(nova.opening), '', '', text(nova.closing), 'NOVA'),
  ].join('');
}
