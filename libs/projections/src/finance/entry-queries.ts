import {
  ACCOUNT_KINDS,
  accountCurrency,
  accountNameOf,
  OWNED_KINDS,
  type AccountKind,
  type AccountName,
  type Currency,
  type LedgerEventType,
} from '@app/domain';
import { READ_SCHEMA } from '../schema.js';
import { idBytes, idOf, idTextSql } from '../tables/id-bytes.js';
import type { Queryable } from '../tables/queryable.js';
import { BLOCK_REVISIONS, blockOf, codeOf } from './entries.js';
import { entryCursor, parseEntryCursor, type EntryPlace } from './entry-cursor.js';

/** An account by the parts of its name (`accountNameOf`). */
export interface LedgerAccount {
  readonly kind: AccountKind;
  readonly owner: string;
}

/** An account, or all accounts of a kind, and the balance in minor units. */
export interface KindBalance {
  readonly kind: AccountKind;
  readonly currency: Currency;
  readonly balance: bigint;
}

export interface AccountStanding extends LedgerAccount {
  readonly account: AccountName;
  readonly currency: Currency;
  readonly balance: bigint;
}

/** Revisions, both included. An empty journal's last revision is −1. */
export interface RevisionRange {
  readonly first: number;
  readonly last: number;
}

/** What went in and out of an account in a range of revisions; minor units, `out` negative. */
export interface Turnover {
  readonly in: bigint;
  readonly out: bigint;
}

/** One entry of an account. Amounts in minor units. */
export interface EntryRow extends LedgerAccount {
  readonly revision: number;
  readonly account: AccountName;
  readonly currency: Currency;
  readonly type: LedgerEventType;
  readonly at: Date;
  readonly delta: bigint;
  /** The balance of its account after the entry. */
  readonly balance: bigint;
}

export interface EntryPage {
  /** Newest first. */
  readonly entries: readonly EntryRow[];
  readonly nextCursor: string | null;
}

const STREAM_ROWS = 1_000;
const ENTRY = `${READ_SCHEMA}.ledger_entry`;
const BLOCK = `${READ_SCHEMA}.ledger_entry_block`;
const OWNED_CODES = [...OWNED_KINDS].map(codeOf);

/**
 * The sums of full blocks before a revision, and the entries since: for kinds with one account, and for all accounts of
 * a kind.
 */
const TOTALS = `
  select kind, unit, sum(delta) as balance from (
    select kind, unit, delta from ${BLOCK} where block < $2
    union all
    select kind, case when kind = any($3::smallint[]) then '' else ${idTextSql('owner')} end, delta from ${ENTRY}
    where revision >= $2::bigint * ${BLOCK_REVISIONS} and revision <= $1::bigint) found
  group by kind, unit having sum(delta) <> 0 order by kind, unit`;

/** An owned account has few entries. An account that is a kind of its own has blocks for its older entries. */
const BALANCES = `
  select coalesce((select sum(b.delta) from ${BLOCK} b
      where not w.is_owned and b.kind = w.kind and b.unit = w.unit and b.block < w.revision / ${BLOCK_REVISIONS}), 0)
    + coalesce((select sum(e.delta) from ${ENTRY} e where e.kind = w.kind and e.owner = w.owner and e.revision <= w.revision
      and e.revision >= case when w.is_owned then 0 else w.revision / ${BLOCK_REVISIONS} * ${BLOCK_REVISIONS} end), 0) as balance
  from unnest($1::smallint[], $2::bytea[], $3::bigint[], $4::boolean[], $5::text[])
    with ordinality as w (kind, owner, revision, is_owned, unit, place) order by w.place`;

/** Reads along the index until the page is full. */
const ACCOUNTS = `
  select owner, sum(delta) as balance from ${ENTRY} where kind = $1 and owner > $2 and revision <= $3::bigint
  group by owner having sum(delta) <> 0 order by owner limit $4`;

const TURNOVER = `
  select coalesce(sum(delta) filter (where delta > 0), 0) as gained, coalesce(sum(delta) filter (where delta < 0), 0) as given
  from unnest($1::smallint[], $2::bytea[]) with ordinality as w (kind, owner, place)
  left join ${ENTRY} e on e.kind = w.kind and e.owner = w.owner and e.revision between $3::bigint and $4::bigint
  group by w.place order by w.place`;

/** Reads the entries of each account between two revisions in order, then takes the first of all. */
const listSql = (direction: 'asc' | 'desc'): string => `
  select e.* from unnest($1::smallint[], $2::bytea[], $3::bigint[], $4::bigint[]) as w (kind, owner, first, last)
  cross join lateral (
    select revision, kind, owner, delta, at, type from ${ENTRY} r
    where r.kind = w.kind and r.owner = w.owner and r.revision between w.first and w.last
    order by r.revision ${direction} limit $5) e
  order by e.revision ${direction}, e.kind ${direction} limit $5`;

interface StoredEntry {
  readonly revision: number;
  readonly kind: number;
  readonly owner: Buffer;
  readonly delta: string;
  readonly at: Date;
  readonly type: LedgerEventType;
}

type BalanceFrom = LedgerAccount & { readonly revision: number };

/** Reads the read model `ledger_entries`. Callers make sure that the revision that they ask for is there (`reached`). */
export class EntryQueries {
  constructor(private readonly db: Queryable) {}

  /**
   * The last revision that all of these read models include, −1 before the first; undefined while one is being rebuilt.
   */
  async reached(models: readonly string[] = ['ledger_entries']): Promise<number | undefined> {
    const { rows } = await this.db.query<{ revision: string | null }>(
      `select min(revision) as revision from ${READ_SCHEMA}.checkpoint where name = any($1)
       having count(*) = $2 and min(version) > 0`,
      [models, models.length],
    );
    const revision = rows[0]?.revision ?? undefined;
    return revision === undefined ? undefined : Number(revision);
  }

  /** The trial balance after a revision: every kind and currency that is not at zero, in the order of rule ledger-2. */
  async totalsAt(revision: number): Promise<KindBalance[]> {
    return (await this.unitsAt(revision)).map(({ kind, currency, balance }) => ({ kind, currency, balance }));
  }

  /** The balance of each of these accounts, in their order, each after its own revision. */
  async balancesAt(accounts: readonly BalanceFrom[]): Promise<bigint[]> {
    const { rows } = await this.db.query<{ balance: string }>(BALANCES, [
      accounts.map(({ kind }) => codeOf(kind)),
      accounts.map(({ owner }) => idBytes(owner)),
      accounts.map(({ revision }) => revision),
      accounts.map(({ kind }) => OWNED_KINDS.has(kind)),
      accounts.map(({ owner }) => owner),
    ]);
    return rows.map(({ balance }) => BigInt(balance));
  }

  /** A page of the accounts of a kind that are not at zero after a revision, by owner. */
  async accountsOf(
    kind: AccountKind,
    { revision, after, limit }: { readonly revision: number; readonly after?: string; readonly limit: number },
  ): Promise<AccountStanding[]> {
    if (!OWNED_KINDS.has(kind)) {
      const units = (await this.unitsAt(revision)).filter((unit) => unit.kind === kind);
      return units.filter(({ owner }) => after === undefined || owner > after).slice(0, limit);
    }
    const { rows } = await this.db.query<{ owner: Buffer; balance: string }>(ACCOUNTS, [
      codeOf(kind),
      idBytes(after ?? ''),
      revision,
      limit,
    ]);
    return rows.map(({ owner, balance }) => standingOf({ kind, owner: idOf(owner) }, BigInt(balance)));
  }

  /** The turnover of each of these accounts, in their order. */
  async turnover(accounts: readonly LedgerAccount[], { first, last }: RevisionRange): Promise<Turnover[]> {
    const { rows } = await this.db.query<{ gained: string; given: string }>(TURNOVER, [
      accounts.map(({ kind }) => codeOf(kind)),
      accounts.map(({ owner }) => idBytes(owner)),
      first,
      last,
    ]);
    return rows.map(({ gained, given }) => ({ in: BigInt(gained), out: BigInt(given) }));
  }

  /**
   * A page of the entries of accounts of different kinds, newest first, each with its account's balance.
   * @throws InvalidCursor
   */
  async page(
    accounts: readonly LedgerAccount[],
    { first, last, cursor, limit }: RevisionRange & { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<EntryPage> {
    const before = cursor === undefined ? undefined : parseEntryCursor(cursor);
    const tops = accounts.map((account) => ({ ...account, revision: lastBefore(account, last, before) }));
    const [rows, balances] = await Promise.all([
      this.list(
        tops.map(({ revision, ...account }) => ({ ...account, first, last: revision })),
        { direction: 'desc', limit: limit + 1 },
      ),
      this.balancesAt(tops),
    ]);
    const standing = new Map(tops.map((account, index) => [accountKey(account), balances[index] ?? 0n]));
    const entries = rows.slice(0, limit).map((row) => {
      const key = accountKey(row);
      const balance = standing.get(key) ?? 0n;
      standing.set(key, balance - row.delta);
      return { ...row, balance };
    });
    const end = entries.at(-1);
    return { entries, nextCursor: rows.length > limit && end ? entryCursor(placeOf(end)) : null };
  }

  /** Every entry of accounts of different kinds, oldest first, in batches, each with its account's balance. */
  async *stream(
    accounts: readonly LedgerAccount[],
    { first, last }: RevisionRange,
  ): AsyncGenerator<readonly EntryRow[], void, undefined> {
    const opening = await this.balancesAt(accounts.map((account) => ({ ...account, revision: first - 1 })));
    const standing = new Map(accounts.map((account, index) => [accountKey(account), opening[index] ?? 0n]));
    let after: EntryPlace | undefined;
    for (;;) {
      const ranges = accounts.map((account) => ({ ...account, first: firstAfter(account, first, after), last }));
      const rows = await this.list(ranges, { direction: 'asc', limit: STREAM_ROWS });
      const end = rows.at(-1);
      if (!end) return;
      yield rows.map((row) => {
        const key = accountKey(row);
        const balance = (standing.get(key) ?? 0n) + row.delta;
        standing.set(key, balance);
        return { ...row, balance };
      });
      if (rows.length < STREAM_ROWS) return;
      after = placeOf(end);
    }
  }

  private async unitsAt(revision: number): Promise<AccountStanding[]> {
    const { rows } = await this.db.query<{ kind: number; unit: string; balance: string }>(TOTALS, [
      revision,
      blockOf(Math.max(revision, 0)),
      OWNED_CODES,
    ]);
    return rows.map(({ kind, unit, balance }) => standingOf({ kind: kindOf(kind), owner: unit }, BigInt(balance)));
  }

  private async list(
    ranges: readonly (LedgerAccount & RevisionRange)[],
    { direction, limit }: { readonly direction: 'asc' | 'desc'; readonly limit: number },
  ): Promise<Omit<EntryRow, 'balance'>[]> {
    const { rows } = await this.db.query<StoredEntry>(listSql(direction), [
      ranges.map(({ kind }) => codeOf(kind)),
      ranges.map(({ owner }) => idBytes(owner)),
      ranges.map(({ first }) => first),
      ranges.map(({ last }) => last),
      limit,
    ]);
    return rows.map(({ revision, kind: code, owner: bytes, delta, at, type }) => {
      const [kind, owner] = [kindOf(code), idOf(bytes)];
      const account = { kind, owner, account: accountNameOf(kind, owner), currency: accountCurrency(kind, owner) };
      return { ...account, revision, delta: BigInt(delta), at, type };
    });
  }
}

function kindOf(code: number): AccountKind {
  const kind = ACCOUNT_KINDS[code];
  if (kind === undefined) throw new Error(`no such kind of account: ${code}`);
  return kind;
}

const accountKey = ({ kind, owner }: LedgerAccount): string => `${kind} ${owner}`;
const placeOf = ({ revision, kind }: Omit<EntryRow, 'balance'>): EntryPlace => ({
  revision,
  code: codeOf(kind),
});

const standingOf = ({ kind, owner }: LedgerAccount, balance: bigint): AccountStanding => ({
  kind,
  owner,
  account: accountNameOf(kind, owner),
  currency: accountCurrency(kind, owner),
  balance,
});

/** The last revision of an account before a place: within an event, kinds are in the order of their codes. */
function lastBefore({ kind }: LedgerAccount, last: number, before: EntryPlace | undefined): number {
  if (!before) return last;
  return Math.min(last, codeOf(kind) < before.code ? before.revision : before.revision - 1);
}

function firstAfter({ kind }: LedgerAccount, first: number, after: EntryPlace | undefined): number {
  if (!after) return first;
  return Math.max(first, codeOf(kind) > after.code ? after.revision : after.revision + 1);
}
