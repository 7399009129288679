import type { ThroughApp } from '@app/domain';
import { owedSql } from '../pools/owed-sql.js';
import { READ_SCHEMA } from '../schema.js';
import { InvalidCursor } from '../invalid-cursor.js';
import type { Queryable } from '../tables/queryable.js';
import type { Selected } from '../tables/table.js';
import { appWallet } from './applications.js';

const WALLET = appWallet.select();

/** An application's wallet (`appWallet`). Amounts in minor units. */
export type AppWalletRow = Selected<typeof WALLET>;

/** What an application did for a member. Amounts in minor units. */
export interface AppUseRow {
  readonly clientId: string;
  readonly spent: bigint;
  readonly transferred: bigint;
  readonly earned: bigint;
  /** Spent and transferred since midnight UTC, which counts towards the daily limit. */
  readonly spentToday: bigint;
  readonly lastUsedAt: Date;
}

/** A member's balances for an application: minor units of NOVA, and whole Karma and Influence. */
export interface AppStandingRow {
  /** Purchased + earned + owed. */
  readonly nova: bigint;
  readonly purchased: bigint;
  readonly karma: bigint;
  readonly influence: bigint;
  readonly spentToday: bigint;
}

/** One movement through an application. */
export interface AppMovementRow<T extends ThroughApp['type'] = ThroughApp['type']> {
  /** The id of its event. */
  readonly id: string;
  readonly type: T;
  readonly userId: string;
  readonly amount: bigint;
  readonly recipientId: string | null;
  readonly noteId: string | null;
  readonly createdAt: Date;
}

/** What an application's wallet took part in. */
export type WalletMovement = Exclude<ThroughApp['type'], 'transfer' | 'transfer_reversed'>;

export interface AppMovementPage<T extends ThroughApp['type'] = ThroughApp['type']> {
  readonly movements: readonly AppMovementRow<T>[];
  readonly nextCursor: string | null;
}

export interface AppMovementPageRequest {
  readonly clientId: string;
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

const CURSOR = /^\d{1,15}$/;
const SPENT_TODAY = `case when day = (now() at time zone 'utc')::date then day_spent else 0 end as spent_today`;
const STANDINGS = `
  select w.key, m.purchased, m.purchased + m.earned + coalesce(o.owed, 0) as nova, m.karma, m.influence,
    (select ${SPENT_TODAY} from ${READ_SCHEMA}.app_member a where a.user_id = w.user_id and a.client_id = w.client_id)
  from (
    select key, split_part(key, ' ', 1) as user_id, split_part(key, ' ', 2) as client_id from unnest($1::text[]) key) w
  join ${READ_SCHEMA}.member_balance m using (user_id)
  left join lateral (
    select sum(${owedSql('s', 'p')}) as owed
    from ${READ_SCHEMA}.pool_share s join ${READ_SCHEMA}.pool p using (pool)
    where s.user_id = w.user_id) o on true`;

/** No id contains a blank. */
export const standingKey = (userId: string, clientId: string): string => `${userId} ${clientId}`;

export const NO_STANDING: AppStandingRow = { nova: 0n, purchased: 0n, karma: 0n, influence: 0n, spentToday: 0n };

/** Reads the read model `applications`. */
export class ApplicationQueries {
  constructor(private readonly db: Queryable) {}

  /** An application's wallet; undefined until Nova has moved through it. */
  async wallet(clientId: string): Promise<AppWalletRow | undefined> {
    const { rows } = await this.db.query(
      `select ${WALLET.of('w')} from ${READ_SCHEMA}.app_wallet w where w.client_id = $1`,
      [clientId],
    );
    return rows.map((row) => WALLET.read(row))[0];
  }

  /** The wallets of a developer that hold Nova. */
  async walletsWithNova(ownerId: string): Promise<AppWalletRow[]> {
    const { rows } = await this.db.query(
      `select ${WALLET.of('w')} from ${READ_SCHEMA}.app_wallet w where w.owner_id = $1 and w.purchased + w.earned > 0
       order by w.client_id`,
      [ownerId],
    );
    return rows.map((row) => WALLET.read(row));
  }

  /** What a member has spent through an application since midnight UTC, in minor units. */
  async spentToday(userId: string, clientId: string): Promise<bigint> {
    const { rows } = await this.db.query<{ spent_today: string }>({
      name: 'spent today',
      text: `select ${SPENT_TODAY} from ${READ_SCHEMA}.app_member where user_id = $1 and client_id = $2`,
      values: [userId, clientId],
    });
    return BigInt(rows[0]?.spent_today ?? 0);
  }

  /**
   * Members' current balances and what they have spent through an application, by `standingKey`: the token API's most
   * frequent query. Members whom the ledger does not know are absent.
   */
  async standings(keys: readonly string[]): Promise<ReadonlyMap<string, AppStandingRow>> {
    type Standing = { readonly [K in 'key' | 'nova' | 'purchased' | 'karma' | 'influence']: string } & {
      readonly spent_today: string | null;
    };
    const { rows } = await this.db.query<Standing>({
      name: 'standings through applications',
      text: STANDINGS,
      values: [keys],
    });
    return new Map(
      rows.map((row) => [
        row.key,
        {
          nova: BigInt(row.nova),
          purchased: BigInt(row.purchased),
          karma: BigInt(row.karma),
          influence: BigInt(row.influence),
          spentToday: BigInt(row.spent_today ?? 0),
        },
      ]),
    );
  }

  /** Every application that ever moved Nova for a member, the last used first. */
  async usesOf(userId: string): Promise<AppUseRow[]> {
    const { rows } = await this.db.query<{
      client_id: string;
      spent: string;
      transferred: string;
      earned: string;
      spent_today: string;
      last_used_at: Date;
    }>(
      `select client_id, spent, transferred, earned, ${SPENT_TODAY}, last_used_at
       from ${READ_SCHEMA}.app_member where user_id = $1 order by last_used_at desc, client_id`,
      [userId],
    );
    return rows.map((row) => ({
      clientId: row.client_id,
      spent: BigInt(row.spent),
      transferred: BigInt(row.transferred),
      earned: BigInt(row.earned),
      spentToday: BigInt(row.spent_today),
      lastUsedAt: row.last_used_at,
    }));
  }

  /** What an application did for one member, newest first. @throws InvalidCursor */
  ofMember({
    userId,
    ...page
  }: AppMovementPageRequest & { readonly userId: string }): Promise<
    AppMovementPage<Exclude<ThroughApp['type'], 'fund' | 'withdraw'>>
  > {
    const ofOthers = `type <> 'fund' and type <> 'withdraw'`;
    return this.page(`user_id = $3 and ${ofOthers}`, page, [userId]);
  }

  /** Movements in and out of an application's wallet, newest first. @throws InvalidCursor */
  ofWallet(page: AppMovementPageRequest): Promise<AppMovementPage<WalletMovement>> {
    return this.page(`type <> 'transfer' and type <> 'transfer_reversed'`, page, []);
  }

  private async page<T extends ThroughApp['type']>(
    wanted: string,
    { clientId, limit, cursor }: AppMovementPageRequest,
    values: readonly unknown[],
  ): Promise<AppMovementPage<T>> {
    if (cursor !== undefined && !CURSOR.test(cursor)) throw new InvalidCursor();
    const { rows } = await this.db.query<{
      revision: string;
      event_id: string;
      type: T;
      user_id: string;
      amount: string;
      recipient_id: string | null;
      note_id: string | null;
      created_at: Date;
    }>(
      `select revision, event_id, type, user_id, amount, recipient_id, note_id, created_at
       from ${READ_SCHEMA}.app_movement where client_id = $1 and revision < $2 and ${wanted}
       order by revision desc limit ${Math.trunc(limit) + 1}`,
      [clientId, cursor ?? Number.MAX_SAFE_INTEGER, ...values],
    );
    const shown = rows.slice(0, limit);
    return {
      movements: shown.map((row) => ({
        id: row.event_id,
        type: row.type,
        userId: row.user_id,
        amount: BigInt(row.amount),
        recipientId: row.recipient_id,
        noteId: row.note_id,
        createdAt: row.created_at,
      })),
      nextCursor: rows.length > limit ? (shown.at(-1)?.revision ?? null) : null,
    };
  }
}
