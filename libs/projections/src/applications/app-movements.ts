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
export const APP_MOVEMENT_TYPES = ['spend', 'earn', 'transfer', 'fund', 'withdraw'] as const;
export type AppMovementType = (typeof APP_MOVEMENT_TYPES)[number];

/** An event's cause that starts so names the row of the words that came with the movement (`ledger.md`, Privacy). */
export const NOTE_CAUSE = 'note:';

export type AppEvent = (AppTokensSpent | AppTokensEarned | AppWalletFunded | AppWalletWithdrawn | GiftSent) & Stamp;

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
  switch (event?.type) {
    case 'AppTokensSpent':
      return ofMember(event, 'spend');
    case 'AppTokensEarned':
      return ofMember(event, 'earn');
    case 'AppWalletFunded':
      return ofMember(event, 'fund');
    case 'AppWalletWithdrawn':
      return ofMember(event, 'withdraw');
    case 'GiftSent': {
      const { clientId, senderId: userId, recipientId, amount } = event;
      if (clientId === undefined) return undefined;
      return { type: 'transfer', clientId, userId, amount, recipientId, noteId: noteOf(event) };
    }
    default:
      return undefined;
  }
}

function ofMember(event: Exclude<AppEvent, GiftSent & Stamp>, type: AppMovementType): AppMovement {
  const { clientId, userId, amount } = event;
  return { type, clientId, userId, amount, recipientId: null, noteId: noteOf(event) };
}

const noteOf = ({ cause }: Stamp): string | null =>
  cause?.startsWith(NOTE_CAUSE) ? cause.slice(NOTE_CAUSE.length) : null;
