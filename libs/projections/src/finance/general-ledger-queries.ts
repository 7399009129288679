import { DOLLAR_ACCOUNTS, type DollarAccount, type Flow, FLOWS, type MovementKind, type Sums } from '@app/domain';
import { InvalidCursor } from '../invalid-cursor.js';
import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';
import type { Selected } from '../tables/table.js';
import { accountCode, booksMark, flowCode, movement, policy, posting, type Source, SOURCES } from './general-ledger.js';

/** A line of an account of the general ledger. Debits are positive. */
export interface DollarLine {
  readonly source: Source;
  /** Of the event in its stream. */
  readonly revision: number;
  readonly type: string;
  readonly subject: string;
  readonly at: Date;
  readonly cents: bigint;
  readonly micros: bigint;
}

export interface DollarLinePage {
  /** Newest first. */
  readonly lines: readonly DollarLine[];
  readonly nextCursor: string | null;
}

/** Which lines of an account: a page of them, of one subject or of what moved deferred revenue in one way. */
export interface DollarLinesAsked {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly subject?: string | undefined;
  readonly flow?: Flow | undefined;
}

/** What is left over for a subject: a payment, dispute or member. Debits are positive. */
export interface OpenSubject {
  readonly subject: string;
  readonly cents: bigint;
  /** What is left of it by now, whenever it was posted; zero if it was settled since. */
  readonly centsNow: bigint;
  /** When its first line was posted. */
  readonly since: Date;
}

/** Cents, as the provider signs them. */
export interface MovementSum {
  readonly day: string;
  readonly kind: MovementKind;
  readonly amount: bigint;
  readonly fee: bigint;
}

export interface DayTurnover {
  readonly day: string;
  readonly source: Source;
  readonly debits: bigint;
  readonly credits: bigint;
}

/** Both ends included. */
export interface Moments {
  readonly from: Date;
  readonly to: Date;
}

/** Lifetime sums to a moment: of whole days, and of the day that has begun. */
const SUMS = `
  select account, flow, sum(cents) as cents, sum(micros) as micros from (
    select account, flow, cents, micros from ${READ_SCHEMA}.gl_day where day < ($1::timestamptz at time zone 'UTC')::date
    union all
    select account, flow, cents, micros from ${READ_SCHEMA}.gl_posting
    where at >= date_trunc('day', $1::timestamptz, 'UTC') and at <= $1
      and ($2 or at < $1 or type <> 'BooksPeriodClosed')) found
  group by account, flow`;

/** Subjects of an account that are not at zero at a moment. Closing entries settle nothing. */
const OPEN = `
  select subject, sum(cents) filter (where at <= $2) as cents, sum(cents) as "centsNow", min(at) as since
  from ${READ_SCHEMA}.gl_posting where account = $1 and type <> 'BooksPeriodClosed'
  group by subject having coalesce(sum(micros) filter (where at <= $2), 0) <> 0`;

const LINE = posting.select('source', 'revision', 'place', 'type', 'subject', 'at', 'cents', 'micros');
const POLICY = policy.select('effectiveAt', 'allowancePercent', 'reasonId');
const MARK = booksMark.select('number', 'until', 'revision');
const MOVEMENT = movement.select('movementId', 'kind', 'currency', 'amount', 'postedAt');

/** Movements in another currency that nobody has explained. */
const FOREIGN = `from ${READ_SCHEMA}.gl_movement m where currency <> 'usd' and not exists (
  select from ${READ_SCHEMA}.gl_posting p where p.account = ${accountCode('assets:provider:clearing')}
    and p.subject = m.movement_id and p.type = 'SubjectExplained')`;

/** A movement in a currency that is not the books'. */
export type ForeignMovement = Selected<typeof MOVEMENT>;
/** What holds from a moment on. */
export type BooksPolicy = Selected<typeof POLICY>;
/** The end of a closed period, or of what is known of the provider. */
export type BooksMark = Selected<typeof MARK>;

const CURSOR = /^(\d{1,15})\.([01])\.(\d{1,15})\.(\d{1,4})$/;

/** Reads the read model `general_ledger`. Callers make sure that it has come as far as they ask for (`EntryQueries.reached`). */
export class GeneralLedgerQueries {
  constructor(private readonly db: Queryable) {}

  /** @param withClosing whether the entries of a close at this very moment count */
  async sumsAt(to: Date, { withClosing = true } = {}): Promise<Sums> {
    const { rows } = await this.db.query<{ account: number; flow: number; cents: string; micros: string }>(SUMS, [
      to,
      withClosing,
    ]);
    const cents = new Map<DollarAccount, bigint>();
    const flows = new Map<Flow, bigint>();
    for (const row of rows) {
      const account = DOLLAR_ACCOUNTS[row.account];
      const flow = FLOWS[row.flow];
      if (account === undefined) throw new Error(`no account ${row.account}`);
      cents.set(account, (cents.get(account) ?? 0n) + BigInt(row.cents));
      if (flow !== undefined) flows.set(flow, (flows.get(flow) ?? 0n) - BigInt(row.micros));
    }
    return { cents, flows };
  }

  /** @throws InvalidCursor */
  async lines(
    account: DollarAccount,
    { from, to }: Moments,
    { cursor, limit, subject, flow }: DollarLinesAsked,
  ): Promise<DollarLinePage> {
    const [, at, source, revision, place] = cursor === undefined ? [] : (CURSOR.exec(cursor) ?? badCursor());
    const before = at === undefined ? null : new Date(Number(at));
    const code = flow === undefined ? null : flowCode(flow);
    const { rows } = await this.db.query<Record<string, unknown>>(
      `select ${LINE.of('p')} from ${READ_SCHEMA}.gl_posting p
       where account = $1 and at between $2 and $3 and ($4::text is null or subject = $4)
         and ($10::smallint is null or flow = $10)
         and ($5::timestamptz is null or (at, source, revision, place) < ($5, $6::smallint, $7::bigint, $8::smallint))
       order by at desc, source desc, revision desc, place desc limit $9`,
      [
        accountCode(account),
        from,
        to,
        subject ?? null,
        before,
        source ?? 0,
        revision ?? 0,
        place ?? 0,
        limit + 1,
        code,
      ],
    );
    const found = rows.map((row) => LINE.read(row));
    const page = found.slice(0, limit);
    const end = page.at(-1);
    return {
      lines: page.map(({ source: half, ...line }) => ({ ...line, source: SOURCES[half] ?? 'ledger' })),
      nextCursor:
        found.length > limit && end ? [end.at.getTime(), end.source, end.revision, end.place].join('.') : null,
    };
  }

  /** A page of what is left over in an account, the oldest first. */
  async openSubjects(
    account: DollarAccount,
    { to, limit, offset }: { readonly to: Date; readonly limit: number; readonly offset: number },
  ): Promise<OpenSubject[]> {
    const { rows } = await this.db.query<{
      subject: string;
      cents: string;
      centsNow: string;
      since: Date;
    }>(`${OPEN} order by since, subject limit $3 offset $4`, [accountCode(account), to, limit, offset]);
    return rows.map(({ cents, centsNow, ...rest }) => ({
      ...rest,
      cents: BigInt(cents),
      centsNow: BigInt(centsNow),
    }));
  }

  /** Whether anything was posted about a subject, in any account. */
  async hasSubject(subject: string): Promise<boolean> {
    const { rows } = await this.db.query(
      `select 1 from ${READ_SCHEMA}.gl_posting where account = any($1) and subject = $2 limit 1`,
      [DOLLAR_ACCOUNTS.map(accountCode), subject],
    );
    return rows.length > 0;
  }

  /** What is left over for a subject, whenever it was posted, in cents. */
  async openSubject(account: DollarAccount, subject: string): Promise<bigint> {
    const { rows } = await this.db.query<{ cents: string | null }>(
      `select sum(cents) as cents from ${READ_SCHEMA}.gl_posting where account = $1 and subject = $2`,
      [accountCode(account), subject],
    );
    return BigInt(rows[0]?.cents ?? 0);
  }

  /** Subjects that were open at a moment and still are: what was only on its way by then is not among them. */
  async unsettled(account: DollarAccount, to: Date, limit: number): Promise<Pick<OpenSubject, 'subject' | 'cents'>[]> {
    const { rows } = await this.db.query<{ subject: string; cents: string }>(
      `select subject, sum(cents) as cents from ${READ_SCHEMA}.gl_posting where account = $1
       group by subject having sum(cents) <> 0 and coalesce(sum(cents) filter (where at <= $2), 0) <> 0
       order by min(at), subject limit $3`,
      [accountCode(account), to, limit],
    );
    return rows.map(({ subject, cents }) => ({ subject, cents: BigInt(cents) }));
  }

  /** Subjects that are in credit at a moment. */
  async inCredit(account: DollarAccount, to: Date): Promise<Pick<OpenSubject, 'subject' | 'cents'>[]> {
    const { rows } = await this.db.query<{ subject: string; cents: string }>(
      `select subject, sum(cents) as cents from ${READ_SCHEMA}.gl_posting where account = $1 and at <= $2
       group by subject having sum(cents) < 0 order by subject`,
      [accountCode(account), to],
    );
    return rows.map(({ subject, cents }) => ({ subject, cents: BigInt(cents) }));
  }

  /** How many subjects were open at a moment, and how many of these still are. */
  async countOpen(account: DollarAccount, to: Date): Promise<{ count: number; unsettled: number }> {
    const { rows } = await this.db.query<{ count: number; unsettled: number }>(
      `select count(*)::int as count, count(*) filter (where "centsNow" <> 0)::int as unsettled from (${OPEN}) found`,
      [accountCode(account), to],
    );
    return rows[0] ?? { count: 0, unsettled: 0 };
  }

  /** Movements posted up to a moment in another currency than the books', which nobody has explained. */
  async foreign(to: Date, limit: number): Promise<ForeignMovement[]> {
    const { rows } = await this.db.query<Record<string, unknown>>(
      `select ${MOVEMENT.of('m')} ${FOREIGN} and posted_at <= $1 order by posted_at desc, movement_id limit $2`,
      [to, limit],
    );
    return rows.map((row) => MOVEMENT.read(row));
  }

  /** Whether a movement is one of these. */
  async isForeign(movementId: string): Promise<boolean> {
    const { rows } = await this.db.query(`select 1 ${FOREIGN} and movement_id = $1`, [movementId]);
    return rows.length > 0;
  }

  /** Whether Nova was bought with play money: then the books are in no real currency. */
  async isPlay(): Promise<boolean> {
    const { rows } = await this.db.query<{ livemode: boolean; is_demo: boolean }>(
      `select livemode, is_demo from ${READ_SCHEMA}.gl_purchase limit 1`,
    );
    return rows[0] !== undefined && (!rows[0].livemode || rows[0].is_demo);
  }

  /** What the provider's balance was moved by, by day of a time zone and kind. */
  async movementsByDay({ from, to }: Moments, timeZone: string): Promise<MovementSum[]> {
    const { rows } = await this.db.query<{ day: string; kind: MovementKind; amount: string; fee: string }>(
      `select (posted_at at time zone $3)::date::text as day, kind, sum(amount) as amount, sum(fee) as fee
       from ${READ_SCHEMA}.gl_movement where posted_at between $1 and $2 and currency = 'usd' group by 1, 2 order by 1, 2`,
      [from, to, timeZone],
    );
    return rows.map(({ day, kind, amount, fee }) => ({ day, kind, amount: BigInt(amount), fee: BigInt(fee) }));
  }

  /** What an account was moved by, by day of a time zone and half of the books, without closing entries. */
  async turnoverByDay(account: DollarAccount, { from, to }: Moments, timeZone: string): Promise<DayTurnover[]> {
    const { rows } = await this.db.query<{ day: string; source: number; debits: string; credits: string }>(
      `select (at at time zone $4)::date::text as day, source, coalesce(sum(cents) filter (where cents > 0), 0) as debits,
         coalesce(-sum(cents) filter (where cents < 0), 0) as credits
       from ${READ_SCHEMA}.gl_posting where account = $1 and at between $2 and $3 and type <> 'BooksPeriodClosed'
       group by 1, 2 order by 1, 2`,
      [accountCode(account), from, to, timeZone],
    );
    return rows.map(({ day, source, debits, credits }) => ({
      day,
      source: SOURCES[source] ?? 'ledger',
      debits: BigInt(debits),
      credits: BigInt(credits),
    }));
  }

  /** Which of these movements are recorded. */
  async known(movementIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.db.query<{ movement_id: string }>(
      `select movement_id from ${READ_SCHEMA}.gl_movement where movement_id = any($1)`,
      [movementIds],
    );
    return new Set(rows.map(({ movement_id }) => movement_id));
  }

  /** Policies as they follow each other, the latest first; what a later one took the place of is left out. */
  async policies(): Promise<BooksPolicy[]> {
    const { rows } = await this.db.query<Record<string, unknown>>(
      `select ${POLICY.of('p')} from ${READ_SCHEMA}.gl_policy p
       where not exists (
         select from ${READ_SCHEMA}.gl_policy n where n.revision > p.revision and n.effective_at <= p.effective_at)
       order by effective_at desc`,
    );
    return rows.map((row) => POLICY.read(row));
  }

  /** Closed periods, newest first; or the moment until which all of the provider's movements are recorded. */
  async marks(kind: 'closed' | 'read', limit = 1): Promise<BooksMark[]> {
    const { rows } = await this.db.query<Record<string, unknown>>(
      `select ${MARK.of('m')} from ${READ_SCHEMA}.gl_mark m where kind = $1 order by number desc limit $2`,
      [kind, limit],
    );
    return rows.map((row) => MARK.read(row));
  }
}

function badCursor(): never {
  throw new InvalidCursor();
}
