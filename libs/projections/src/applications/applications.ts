import { type LedgerEvent, rulesOf, type Stamp, type ThroughApp, utcDay } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';

/** An event's cause that starts so names the row of the words that came with the movement (rule ledger-34). */
export const NOTE_CAUSE = 'note:';

/** What happened through an application, and the row of the words that came with it. */
interface AppMovement extends ThroughApp {
  readonly noteId: string | null;
}

/** The movement that an event is; undefined where no application took part. */
function appMovement(event: LedgerEvent | undefined): AppMovement | undefined {
  const movement = event && rulesOf(event).throughApp?.(event);
  return movement && { ...movement, noteId: noteOf(event) };
}

const noteOf = ({ cause }: Stamp): string | null =>
  cause?.startsWith(NOTE_CAUSE) ? cause.slice(NOTE_CAUSE.length) : null;

/** What an application did for one member, in minor units. */
interface MemberUse {
  readonly spent: bigint;
  readonly transferred: bigint;
  readonly earned: bigint;
  /** The UTC day (`2026-01-31`) that `daySpent` is of. */
  readonly day: string;
  /** Spent and transferred on that day: what the daily limit counts. */
  readonly daySpent: bigint;
  readonly lastUsedAt: string;
}

/** The sums of a wallet, in the order of its columns. */
const WALLET_SUMS = ['purchased', 'earned', 'spent', 'paid', 'funded', 'withdrawn'] as const;
const WALLET_COLUMN = { spend: 2, earn: 3, fund: 4, withdraw: 5 } as const;

/**
 * What OAuth applications did with members' Nova (rule apps-9): their wallets with totals, what each did for each
 * member, and every single movement.
 */
export const applications: ReadModel = {
  name: 'applications',
  version: 1,
  streamPrefixes: ['ledger'],
  tables: ['app_wallet', 'app_member', 'app_movement'],
  ddl: `
    create table app_wallet (
      client_id text collate "C" primary key,
      owner_id text collate "C" not null,
      ${WALLET_SUMS.map((name) => `${name} bigint not null`).join(', ')}
    ) with (fillfactor = 50);
    create table app_member (
      user_id text collate "C" not null,
      client_id text collate "C" not null,
      spent bigint not null,
      transferred bigint not null,
      earned bigint not null,
      day date not null,
      day_spent bigint not null,
      last_used_at timestamptz not null,
      primary key (user_id, client_id)
    ) with (fillfactor = 70);
    create table app_movement (
      revision bigint not null,
      client_id text collate "C" not null,
      user_id text collate "C" not null,
      type text collate "C" not null,
      amount bigint not null,
      recipient_id text collate "C",
      note_id text collate "C",
      event_id uuid not null,
      created_at timestamptz not null
    );
  `,
  indexes: `
    create index app_wallet_owner on app_wallet (owner_id);
    create index app_movement_member on app_movement (user_id, client_id, revision);
    create index app_movement_wallet on app_movement (client_id, revision) where type <> 'transfer';
  `,
  createApplier: (options) => new ApplicationsApplier(options),
};

class ApplicationsApplier implements ReadModelApplier {
  private readonly wallets = new DeltaTable({
    table: 'app_wallet',
    key: [
      ['client_id', 'text'],
      ['owner_id', 'text'],
    ],
    conflict: ['client_id'],
    sums: WALLET_SUMS.map((name) => [name, 'bigint'] as const),
  });
  private readonly members: CachedTable<MemberUse>;
  private readonly movements = new AppendTable('app_movement', [
    ['revision', 'bigint'],
    ['client_id', 'text'],
    ['user_id', 'text'],
    ['type', 'text'],
    ['amount', 'bigint'],
    ['recipient_id', 'text'],
    ['note_id', 'text'],
    ['event_id', 'uuid'],
    ['created_at', 'timestamptz'],
  ]);

  constructor(options: ApplierOptions) {
    this.members = new CachedTable({
      table: 'app_member',
      key: [
        ['user_id', 'text'],
        ['client_id', 'text'],
      ],
      values: [
        ['spent', 'bigint'],
        ['transferred', 'bigint'],
        ['earned', 'bigint'],
        ['day', 'date'],
        ['day_spent', 'bigint'],
        ['last_used_at', 'timestamptz'],
      ],
      read: ([spent = '0', transferred = '0', earned = '0', day = '', daySpent = '0', lastUsedAt = '']) => ({
        spent: BigInt(spent),
        transferred: BigInt(transferred),
        earned: BigInt(earned),
        day,
        daySpent: BigInt(daySpent),
        lastUsedAt,
      }),
      cells: ({ spent, transferred, earned, day, daySpent, lastUsedAt }) => [
        spent,
        transferred,
        earned,
        day,
        daySpent,
        lastUsedAt,
      ],
      ...options,
    });
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const moved = events.flatMap((event) => {
      const movement = appMovement(event.ledger);
      return movement && event.ledger ? [{ movement, ledger: event.ledger, event }] : [];
    });
    await this.members.load(
      client,
      moved.map(({ movement }) => keyOf(movement)),
    );
    for (const { movement, ledger, event } of moved) this.take(movement, ledger, event);
    await writeTables(client, [this.wallets, this.members, this.movements], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.wallets, this.members, this.movements], 'all');
  }

  private take(movement: AppMovement, ledger: LedgerEvent, { recorded, time }: ProjectedEvent): void {
    const { type, clientId, userId, amount, recipientId, noteId } = movement;
    const { revision, id } = recorded;
    this.movements.add([revision, clientId, userId, type, amount, recipientId, noteId, id, time]);
    this.post(movement, ledger);
    // An owner who fills or empties the wallet does not use the application.
    if (type === 'fund' || type === 'withdraw') return;
    const key = keyOf(movement);
    this.members.set(key, used(this.members.get(key), movement, { day: utcDay(ledger.at), time }));
  }

  /** The wallet's balances from the entries, so that they are the ledger's; its totals from what happened. */
  private post({ type, clientId, amount }: AppMovement, ledger: LedgerEvent): void {
    if (type === 'transfer' || !('ownerId' in ledger)) return;
    const key = [clientId, ledger.ownerId];
    const account = `app:${clientId}:`;
    for (const [name, , delta] of ledger.entries) {
      if (!name.startsWith(account)) continue;
      this.wallets.add(clientId, name.endsWith(':purchased') ? 0 : 1, delta, key);
    }
    this.wallets.add(clientId, WALLET_COLUMN[type], amount, key);
  }
}

const NOTHING = { spent: 0n, transferred: 0n, earned: 0n } as const;

function used(
  before: MemberUse | undefined,
  { type, amount, countsAgainstDailyLimit }: AppMovement,
  { day, time }: { readonly day: string; readonly time: string },
): MemberUse {
  const { spent, transferred, earned } = before ?? NOTHING;
  const daySpent = before?.day === day ? before.daySpent : 0n;
  return {
    spent: type === 'spend' ? spent + amount : spent,
    transferred: type === 'transfer' ? transferred + amount : transferred,
    earned: type === 'earn' ? earned + amount : earned,
    day,
    daySpent: countsAgainstDailyLimit ? daySpent + amount : daySpent,
    lastUsedAt: time,
  };
}

const keyOf = ({ userId, clientId }: AppMovement): string => userId + KEY_SEPARATOR + clientId;
