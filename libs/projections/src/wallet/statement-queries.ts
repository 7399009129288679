import { owedSql } from '../pools/owed-sql.js';
import { READ_SCHEMA } from '../schema.js';
import { idBytes, idTextSql } from '../tables/id-bytes.js';
import type { Queryable } from '../tables/queryable.js';
import type { StatementType } from '@app/domain';
import { lastRevisionSql, type Searches, StatementConditions, type StatementFilter } from './statement-filter.js';
import type { RevisionRange } from '../finance/entry-queries.js';
import { parseStatementId, ROW, rowOf, type StatementPlace, type StatementRow } from './statement-row.js';

export interface StatementPageRequest {
  readonly userId: string;
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
  readonly filter?: Omit<StatementFilter, 'userIds' | 'search'>;
  /** Rows of one of these types and one day (UTC) are one line, at the place of the newest. */
  readonly byDay?: readonly StatementType[];
}

/** A row, or the newest of several of one type and day: how many they are, and their sum in minor units. */
export interface StatementLine {
  readonly row: StatementRow;
  readonly count: number;
  readonly amount: bigint;
}

/** How many rows, what they brought, and what they took; minor units, none of them negative. */
export interface StatementTotals {
  readonly count: number;
  readonly in: bigint;
  readonly out: bigint;
}

export interface StatementPage {
  readonly lines: readonly StatementLine[];
  readonly nextCursor: string | null;
  /** Purchased + earned, what pools owe, and both together, at the revision of this page; minor units. */
  readonly spendable: bigint;
  /** The `accrued` line, "Rewards not yet credited". */
  readonly owed: bigint;
  readonly nova: bigint;
  /** The ledger revision that the statement includes. */
  readonly revision: number;
}

/** By time: `desc` is newest first. */
export type StatementOrder = 'asc' | 'desc';

export interface PastBalance {
  readonly userId: string;
  readonly spendable: bigint;
  readonly owed: bigint;
  readonly nova: bigint;
}

/** The rows of one type: how many, and their sum in minor units. */
export interface StatementGroup {
  readonly type: StatementType;
  readonly count: number;
  readonly amount: bigint;
}

/** How a row becomes text. */
export interface RowRendering {
  /** An SQL expression over `r`, the row, and the joined tables; never null. */
  readonly line: string;
  /** SQL joins that keep every row exactly once. */
  readonly joins: string;
}

const TEXT_ROWS = 1_000;
const STREAM_ROWS = 1_000;
/** How many batches of text are made in parallel, each on a connection of its own. */
const TEXT_BATCHES = 2;
const ROWS = `${READ_SCHEMA}.statements_row r`;
/** A row as renderings get it: ids as texts, and every amount. */
const RENDERED = `r.revision, r.idx, r.type, r.amount, r.balance, r.subject, r.client_id, r.event_id, r.created_at,
  ${idTextSql('r.user_id')} as user_id, ${idTextSql('r.counterparty_id')} as counterparty_id,
  coalesce(r.shortfall, 0) as shortfall`;
const NEWEST_FIRST = 'order by r.revision desc, r.idx desc';
const OLDEST_FIRST = 'order by r.revision, r.idx';
/** The last revision of the day (UTC) of the row `r`, and of the day before. */
const DAY = `floor(extract(epoch from date_trunc('day', r.created_at, 'UTC')))`;
const LAST_OF_DAY = lastRevisionSql('<', `(${DAY} + 86400)`);
const LAST_BEFORE_DAY = lastRevisionSql('<', DAY);

/**
 * The shares `s` after a revision and their pools `p`: of every member, unless a condition on the history `h` names
 * one.
 */
const sharesAt = (revision: string, whose = 'true'): string => `(
    select distinct on (h.user_id, h.pool) h.* from ${READ_SCHEMA}.statements_share_history h
    where ${whose} and h.revision <= ${revision} order by h.user_id, h.pool, h.revision desc) s
  cross join lateral (
    select h.accumulator from ${READ_SCHEMA}.statements_pool_history h
    where h.pool = s.pool and h.revision <= ${revision} order by h.revision desc limit 1) p`;

/** What every wallet asks for has a name, so that each connection keeps its plan; a filter may want another plan. */
const namedUnfiltered = (name: string, filter: object): { readonly name?: string } =>
  Object.keys(filter).length === 0 ? { name } : {};

/** Reads the read model `statements` (rule wallet-2). Lists are newest first. */
export class StatementQueries {
  constructor(
    private readonly db: Queryable,
    private readonly searches: Searches = {},
  ) {}

  /**
   * A page of a member's statement together with the member's balance, all from one snapshot: rows and `owed` add up to
   * `nova` exactly.
   * @throws InvalidCursor
   */
  async page({ userId, limit, cursor, filter = {}, byDay = [] }: StatementPageRequest): Promise<StatementPage> {
    const wanted = new StatementConditions().ofMember(userId).filter(filter, this.searches);
    const { where } = wanted;
    const [types, member, rows] = [byDay, userId, Math.trunc(limit) + 1].map((value) => wanted.parameter(value));
    // Only this is about the rows of the page: the others of a line may be on both sides of the cursor.
    const after = new StatementConditions(wanted.values).after(cursor).where;
    type Line = { readonly line_count: number; readonly line_amount: string };
    type Summary = { readonly spendable: string; readonly owed: string; readonly at_revision: string };
    const found = await this.db.query<Record<string, unknown> & Summary & Line>({
      ...(cursor === undefined && namedUnfiltered('first page of a statement', filter)),
      text: `with wanted as not materialized (select r.* from ${ROWS} ${where})
       select ${ROW.of('r')}, coalesce(g.count, 1)::int as line_count, coalesce(g.amount, r.amount) as line_amount,
         c.revision as at_revision, coalesce(m.balance, 0) as spendable, coalesce(o.owed, 0) as owed
       from ${READ_SCHEMA}.checkpoint c
       left join ${READ_SCHEMA}.statements_member m on m.user_id = ${member}
       left join lateral (
         select sum(${owedSql('s', 'p')}) as owed
         from ${READ_SCHEMA}.statements_share s join ${READ_SCHEMA}.statements_pool p using (pool)
         where s.user_id = ${member}) o on true
       left join lateral (
         select r.* from (select r.* from wanted r ${after}) r
         where r.type <> all(${types}) or not exists (
           select from wanted n where n.type = r.type
             and (n.revision, n.idx) > (r.revision, r.idx) and n.revision <= ${LAST_OF_DAY})
         ${NEWEST_FIRST} limit ${rows}::int) r on true
       left join lateral (
         -- Of no other row is the day looked at.
         select count(*) as count, sum(n.amount) as amount from wanted n
         where r.type = any(${types}) and n.type = r.type and n.revision > ${LAST_BEFORE_DAY} and n.revision <= ${LAST_OF_DAY}
         ) g on r.type = any(${types})
       where c.name = 'statements' ${NEWEST_FIRST}`,
      values: wanted.values,
    });
    const [summary] = found.rows;
    const lines = found.rows
      .filter(({ revision }) => revision !== null)
      .map((line) => ({ row: rowOf(line), count: line.line_count, amount: BigInt(line.line_amount) }));
    const page = lines.slice(0, limit);
    const spendable = BigInt(summary?.spendable ?? 0);
    const owed = BigInt(summary?.owed ?? 0);
    return {
      lines: page,
      nextCursor: lines.length > limit ? (page.at(-1)?.row.id ?? null) : null,
      spendable,
      owed,
      nova: spendable + owed,
      revision: Number(summary?.at_revision ?? -1),
    };
  }

  /** Of all the member's rows that match. */
  async totals(userId: string, filter: StatementPageRequest['filter'] = {}): Promise<StatementTotals> {
    const wanted = new StatementConditions().ofMember(userId).filter(filter, this.searches);
    const { rows } = await this.db.query<{ count: number; in: string; out: string }>({
      ...namedUnfiltered('totals of a statement', filter),
      text: `select count(*)::int as count, coalesce(sum(r.amount) filter (where r.amount > 0), 0) as in,
         coalesce(-sum(r.amount) filter (where r.amount < 0), 0) as out
       from ${ROWS} ${wanted.where}`,
      values: wanted.values,
    });
    const [totals] = rows;
    return { count: totals?.count ?? 0, in: BigInt(totals?.in ?? 0), out: BigInt(totals?.out ?? 0) };
  }

  /** Everything that a member has earned from others: from chats, gifts, cards and posts. Minor units. */
  async earnedFromOthers(userId: string): Promise<bigint> {
    const found = await this.db.query<{ earned: string }>({
      name: 'earned from others',
      text: `select earned_from_others as earned from ${READ_SCHEMA}.statements_member where user_id = $1`,
      values: [userId],
    });
    return BigInt(found.rows[0]?.earned ?? 0);
  }

  /** One row by its id; if a member is given, only of that member. */
  async row(id: string, userId?: string): Promise<StatementRow | undefined> {
    const place = parseStatementId(id);
    if (!place) return undefined;
    const wanted = new StatementConditions()
      .add((p) => `r.revision = ${p}::bigint`, place.revision)
      .add((p) => `r.idx = ${p}`, place.index);
    if (userId !== undefined) wanted.ofMember(userId);
    const [row] = await this.select(wanted, { limit: 1 });
    return row;
  }

  /** A page of all members' rows for admins, with the total number of matches. */
  async list(
    filter: StatementFilter,
    { page, limit, order }: { readonly page: number; readonly limit: number; readonly order?: StatementOrder },
  ): Promise<{ readonly rows: readonly StatementRow[]; readonly total: number }> {
    const wanted = new StatementConditions().filter(filter, this.searches);
    const range = { limit, offset: (page - 1) * limit, order };
    const [rows, total] = await Promise.all([this.select(wanted, range), this.count(filter)]);
    return { rows, total };
  }

  /**
   * Every matching row, newest first, as text that the database makes, in batches. Rows written in the meantime do not
   * appear. The next batches are made while one is used, and no connection is held in between.
   */
  async *text(filter: StatementFilter, rendering: RowRendering): AsyncGenerator<string, void, undefined> {
    const batches: Promise<string>[] = [];
    let after: string | null = await this.beyondNewest();
    do {
      while (after !== null && batches.length < TEXT_BATCHES) {
        const batch = this.textBatch(filter, rendering, after);
        // A caller who stops here does not wait for the other batches.
        batch.catch(() => undefined);
        batches.push(batch);
        after = await this.lastOfBatch(filter, after);
      }
      yield (await batches.shift()) ?? '';
    } while (batches.length > 0 || after !== null);
  }

  /**
   * A member's exact balance after a revision, or at a time (rule ledger-11): the running balance of their last row,
   * plus what pools owed by the accumulators and shares of that moment.
   */
  async balanceAt(
    userId: string,
    moment: { readonly revision: number } | { readonly time: Date },
  ): Promise<PastBalance> {
    const found = await this.db.query<{ spendable: string; owed: string }>(
      `with moment as (select ${'time' in moment ? REVISION_AT_TIME : '$2::bigint'} as revision)
       select coalesce((
           select r.balance from ${ROWS} where r.user_id = $1 and r.revision <= moment.revision ${NEWEST_FIRST} limit 1
         ), 0) as spendable,
         coalesce((
           select sum(${owedSql('s', 'p')}) from ${sharesAt('moment.revision', 'h.user_id = $3')}
         ), 0) as owed
       from moment`,
      [idBytes(userId), 'time' in moment ? moment.time : moment.revision, userId],
    );
    const spendable = BigInt(found.rows[0]?.spendable ?? 0);
    const owed = BigInt(found.rows[0]?.owed ?? 0);
    return { userId, spendable, owed, nova: spendable + owed };
  }

  /** A member's rows of these revisions, counted and added up by type. */
  async groups(userId: string, { first, last }: RevisionRange): Promise<StatementGroup[]> {
    const { rows } = await this.db.query<{ type: StatementType; count: number; amount: string }>(
      `select r.type, count(*)::int as count, sum(r.amount) as amount from ${ROWS}
       where r.user_id = $1 and r.revision between $2::bigint and $3::bigint group by r.type`,
      [idBytes(userId), first, last],
    );
    return rows.map(({ type, count, amount }) => ({ type, count, amount: BigInt(amount) }));
  }

  /** A member's rows of these revisions, oldest first, in batches. */
  async *stream(userId: string, { first, last }: RevisionRange): AsyncGenerator<StatementRow[], void, undefined> {
    let after: StatementPlace = { revision: first, index: -1 };
    for (;;) {
      const wanted = new StatementConditions()
        .ofMember(userId)
        .add((p) => `r.revision <= ${p}::bigint`, last)
        .since(after);
      const rows = await this.select(wanted, { limit: STREAM_ROWS, order: 'asc' });
      const end = rows.at(-1);
      if (!end) return;
      yield rows;
      if (rows.length < STREAM_ROWS) return;
      after = end;
    }
  }

  /** What pools owed each member after a revision, if more than zero; minor units. */
  async owedAt(revision: number): Promise<Map<string, bigint>> {
    const { rows } = await this.db.query<{ user_id: string; owed: string }>(
      `select s.user_id, sum(${owedSql('s', 'p')}) as owed from ${sharesAt('$1')}
       group by s.user_id having sum(${owedSql('s', 'p')}) <> 0`,
      [revision],
    );
    return new Map(rows.map(({ user_id, owed }) => [user_id, BigInt(owed)]));
  }

  /** What the rows of each member add up to, up to a revision; minor units. */
  async sumsAt(revision: number): Promise<Map<string, bigint>> {
    const { rows } = await this.db.query<{ user_id: string; sum: string }>(
      `select ${idTextSql('r.user_id')} as user_id, sum(r.amount) as sum from ${ROWS}
       where r.revision <= $1::bigint group by r.user_id`,
      [revision],
    );
    return new Map(rows.map(({ user_id, sum }) => [user_id, BigInt(sum)]));
  }

  /** The event of the newest row of all. */
  async newestEvent(): Promise<{ readonly revision: number; readonly id: string } | undefined> {
    const { rows } = await this.db.query<{ revision: number; id: string }>(
      `select r.revision::float8, r.event_id as id from ${ROWS} ${NEWEST_FIRST} limit 1`,
    );
    return rows[0];
  }

  /** A cursor before all current rows, and after all future ones. */
  private async beyondNewest(): Promise<string> {
    const found = await this.db.query<{ id: string }>(
      `select coalesce(max(r.revision), -1) + 1 || '-0' as id from ${ROWS}`,
    );
    return found.rows[0]?.id ?? '0-0';
  }

  private async textBatch(filter: StatementFilter, { line, joins }: RowRendering, after: string): Promise<string> {
    const wanted = new StatementConditions().filter(filter, this.searches).after(after);
    const found = await this.db.query<{ text: string }>(
      // Ordered inside, where the index has the order: an `order by` in the aggregate would sort each batch again.
      `select coalesce(string_agg(l.line, ''), '') as text
       from (
         select ${line} as line
         from (select ${RENDERED} from ${ROWS} ${wanted.where} ${NEWEST_FIRST} limit ${TEXT_ROWS}) r ${joins}
         ${NEWEST_FIRST}) l`,
      wanted.values,
    );
    return found.rows[0]?.text ?? '';
  }

  /** The id of a full batch's last row; null if the batch holds all remaining rows. */
  private async lastOfBatch(filter: StatementFilter, after: string): Promise<string | null> {
    const wanted = new StatementConditions().filter(filter, this.searches).after(after);
    const found = await this.db.query<{ id: string }>(
      `select r.revision || '-' || r.idx as id from ${ROWS} ${wanted.where} ${NEWEST_FIRST}
       offset ${TEXT_ROWS - 1} limit 1`,
      wanted.values,
    );
    return found.rows[0]?.id ?? null;
  }

  private async select(
    wanted: StatementConditions,
    { limit, offset = 0, order = 'desc' }: { limit?: number; offset?: number; order?: StatementOrder } = {},
  ): Promise<StatementRow[]> {
    const range = limit === undefined ? '' : `limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`;
    const found = await this.db.query(
      `select ${ROW.of('r')} from ${ROWS} ${wanted.where} ${order === 'asc' ? OLDEST_FIRST : NEWEST_FIRST} ${range}`,
      wanted.values,
    );
    return found.rows.map((row) => rowOf(row));
  }

  /** The time to count rows grows with their number. If the filter names only types, the counts are stored already. */
  private async count(filter: StatementFilter): Promise<number> {
    const { types, ...others } = filter;
    if (Object.values(others).some((condition) => condition !== undefined)) {
      const wanted = new StatementConditions().filter(filter, this.searches);
      const found = await this.db.query<{ count: string }>(
        `select count(*) from ${ROWS} ${wanted.where}`,
        wanted.values,
      );
      return Number(found.rows[0]?.count ?? 0);
    }
    const found = await this.db.query<{ count: string }>(
      `select coalesce(sum(rows), 0) as count from ${READ_SCHEMA}.statements_count
       where $1::text[] is null or type = any($1)`,
      [types ?? null],
    );
    return Number(found.rows[0]?.count ?? 0);
  }
}

/**
 * The last revision of any event at or before a time that changed a balance or a pool. Within its second the events' own
 * times decide.
 */
const REVISION_AT_TIME = `(
  select greatest(
    coalesce((select s.revision from ${READ_SCHEMA}.statements_second s
      where s.second < floor(extract(epoch from $2::timestamptz)) order by s.second desc limit 1), -1),
    coalesce((select max(e.revision) from ${READ_SCHEMA}.statements_row e, ${rangeOfSecond()}), -1),
    coalesce((select max(e.revision) from ${READ_SCHEMA}.statements_pool_history e, ${rangeOfSecond()}), -1),
    coalesce((select max(e.revision) from ${READ_SCHEMA}.statements_share_history e, ${rangeOfSecond()}), -1)))`;

function rangeOfSecond(): string {
  return `(
      select coalesce((select b.revision from ${READ_SCHEMA}.statements_second b where b.second < s.second
          order by b.second desc limit 1), -1) as below, s.revision as upto
      from ${READ_SCHEMA}.statements_second s where s.second = floor(extract(epoch from $2::timestamptz))) range
    where e.revision > range.below and e.revision <= range.upto and e.created_at <= $2::timestamptz`;
}
