import type {
  AppTokensEarned,
  AppTokensSpent,
  AppWalletFunded,
  AppWalletWithdrawn,
  GiftSent,
  LedgerEvent,
  Stamp,
} from '@app/domain';

/** What happened through an OAuth application, seen from the member: `fund` and `withdraw` are its owner's own. */
export type AppMovementType = 'spend' | 'earn' | 'transfer' | 'fund' | 'withdraw';

/** An event's cause that starts so names the row of the words that came with the movement (`ledger.md`, Privacy). */
export const NOTE_CAUSE = 'note:';

/** A movement of an application's wallet. */
type WalletEvent = (AppTokensSpent | AppTokensEarned | AppWalletFunded | AppWalletWithdrawn) & Stamp;

const WALLET_TYPES: Readonly<Record<WalletEvent['type'], Exclude<AppMovementType, 'transfer'>>> = {
  AppTokensSpent: 'spend',
  AppTokensEarned: 'earn',
  AppWalletFunded: 'fund',
  AppWalletWithdrawn: 'withdraw',
};

const isWalletEvent = (event: LedgerEvent): event is WalletEvent => event.type in WALLET_TYPES;

export interface AppMovement {
  readonly type: AppMovementType;
  readonly clientId: string;
  readonly userId: string;
  /** Minor units, never negative. */
  readonly amount: bigint;
  /** Of a transfer. */
  readonly recipientId: string | null;
  readonly noteId: string | null;
}

/** The movement that an event is; undefined where no application took part. */
export function appMovement(event: LedgerEvent | undefined): AppMovement | undefined {
  if (!event) return undefined;
  if (event.type === 'GiftSent') return transferOf(event);
  if (!isWalletEvent(event)) return undefined;
  const { clientId, userId, amount } = event;
  return { type: WALLET_TYPES[event.type], clientId, userId, amount, recipientId: null, noteId: noteOf(event) };
}

function transferOf(event: GiftSent & Stamp): AppMovement | undefined {
  const { clientId, senderId: userId, recipientId, amount } = event;
  if (clientId === undefined) return undefined;
  return { type: 'transfer', clientId, userId, amount, recipientId, noteId: noteOf(event) };
}

const noteOf = ({ cause }: Stamp): string | null =>
  cause?.startsWith(NOTE_CAUSE) ? cause.slice(NOTE_CAUSE.length) : null;
