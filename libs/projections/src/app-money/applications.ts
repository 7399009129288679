import { type LedgerEvent, rulesOf, type Stamp, type ThroughApp, utcDay } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { type Cached, CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';
import {
  bigint,
  date,
  nullable,
  type RowOf,
  safeInteger,
  Table,
  tablesOf,
  text,
  textOf,
  timestamp,
  uuid,
} from '../tables/table.js';

/** The beginning of a cause that names the row of a movement's note (rule ledger-34). */
export const NOTE_CAUSE = 'note:';

/** A movement through an application, and the row of its note. */
export interface AppMovement extends ThroughApp {
  readonly noteId: string | null;
}

/** An event's movement; undefined if no application took part. */
export function appMovement(event: LedgerEvent | undefined): AppMovement | undefined {
  const movement = event && rulesOf(event).throughApp?.(event);
  return movement && { ...movement, noteId: noteOf(event) };
}

const noteOf = ({ cause }: Stamp): string | null =>
  cause?.startsWith(NOTE_CAUSE) ? cause.slice(NOTE_CAUSE.length) : null;

/** An application's wallet: its content by origin, and its totals. All amounts here are in minor units. */
export const appWallet = new Table('app_wallet', {
  columns: {
    clientId: text,
    ownerId: text,
    purchased: bigint,
    earned: bigint,
    /** What members spent at the application, and what it paid them. */
    spent: bigint,
    paid: bigint,
    /** What its owner put in and took out. */
    funded: bigint,
    withdrawn: bigint,
  },
  key: ['clientId'],
  fillfactor: 50,
  indexes: { app_wallet_owner: '(owner_id)' },
});
/** The total that each movement adds to. */
const TOTAL = {
  spend: 'spent',
  spend_reversed: 'spent',
  earn: 'paid',
  earn_reversed: 'paid',
  fund: 'funded',
  withdraw: 'withdrawn',
} as const;

/** An application's movements for one member, summed up. */
const appMember = new Table('app_member', {
  columns: {
    userId: text,
    clientId: text,
    spent: bigint,
    transferred: bigint,
    earned: bigint,
    /** The UTC day of `daySpent`. */
    day: date,
    /** Spent and transferred on that day, which counts towards the daily limit. */
    daySpent: bigint,
    lastUsedAt: timestamp,
  },
  key: ['userId', 'clientId'],
  fillfactor: 70,
});
type MemberUse = Omit<RowOf<typeof appMember>, 'userId' | 'clientId'>;

const appMovementTable = new Table('app_movement', {
  columns: {
    revision: safeInteger,
    clientId: text,
    userId: text,
    type: textOf<ThroughApp['type']>(),
    amount: bigint,
    recipientId: nullable(text),
    noteId: nullable(text),
    eventId: uuid,
    createdAt: timestamp,
  },
  indexes: {
    app_movement_member: '(user_id, client_id, revision)',
    app_movement_wallet: "(client_id, revision) where type <> 'transfer'",
  },
});

/**
 * What OAuth applications did with members' Nova (rule apps-9): their wallets with totals, sums for each member, and
 * every single movement.
 */
export const applications: ReadModel = {
  name: 'applications',
  version: 1,
  streamPrefixes: ['ledger'],
  ...tablesOf(appWallet, appMember, appMovementTable),
  createApplier: (options) => new ApplicationsApplier(options),
};

class ApplicationsApplier implements ReadModelApplier {
  private readonly wallets = new DeltaTable(appWallet);
  private readonly members: Cached<typeof appMember>;
  private readonly movements = new AppendTable(appMovementTable);

  constructor(options: ApplierOptions) {
    this.members = new CachedTable(appMember, options);
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
    const { revision, id: eventId } = recorded;
    this.movements.add({
      revision,
      clientId,
      userId,
      type,
      amount,
      recipientId,
      noteId,
      eventId,
      createdAt: time,
    });
    this.post(movement, ledger);
    // Filling or emptying the wallet does not count as using the application.
    if (type === 'fund' || type === 'withdraw') return;
    const key = keyOf(movement);
    const before = this.members.get(key);
    if (before && isReversed(type)) return this.members.set(key, takenBack(before, type, movement.amount));
    this.members.set(key, used(before, movement, { day: utcDay(ledger.at), time }));
  }

  /** Takes the wallet's balances from the entries, so that they match the ledger, and its totals from the movement. */
  private post({ type, clientId, amount }: AppMovement, ledger: LedgerEvent): void {
    const ownerId = ownerOf(ledger);
    if (type === 'transfer' || type === 'transfer_reversed' || ownerId === undefined) return;
    const key = [clientId, ownerId];
    const account = `app:${clientId}:`;
    for (const [name, , delta] of ledger.entries) {
      if (!name.startsWith(account)) continue;
      this.wallets.add(clientId, name.endsWith(':purchased') ? 'purchased' : 'earned', delta, key);
    }
    this.wallets.add(clientId, TOTAL[type], isReversed(type) ? -amount : amount, key);
  }
}

/** The developer to whom the application's wallet belongs. */
function ownerOf(event: LedgerEvent): string | undefined {
  if (event.type === 'MovementReversed') return event.counterpartyId ?? undefined;
  return 'ownerId' in event ? event.ownerId : undefined;
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

const TAKEN_BACK = { spend_reversed: 'spent', transfer_reversed: 'transferred', earn_reversed: 'earned' } as const;
type ReversedType = keyof typeof TAKEN_BACK;
const isReversed = (type: ThroughApp['type']): type is ReversedType => Object.hasOwn(TAKEN_BACK, type);

/** An admin's reversal is no use of the application, and what counted towards the daily limit stays counted. */
function takenBack(before: MemberUse, type: ReversedType, amount: bigint): MemberUse {
  const sum = TAKEN_BACK[type];
  return { ...before, [sum]: before[sum] - amount };
}

const keyOf = ({ userId, clientId }: AppMovement): string => userId + KEY_SEPARATOR + clientId;
