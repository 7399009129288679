import type { StatementType } from '@app/domain';

/** One row of a member's statement. Amounts in minor units. */
export interface StatementRow {
  /** `{revision}-{index}`: names the row for good, and is the cursor after it. */
  readonly id: string;
  readonly revision: number;
  /** Place among the rows of its event. */
  readonly index: number;
  readonly userId: string;
  readonly type: StatementType;
  /** Signed from the member's side. */
  readonly amount: bigint;
  /** Purchased + earned Nova after this row. */
  readonly balance: bigint;
  readonly counterpartyId: string | null;
  /** What it was about: a payment intent, chat, card, comment, post, quest, pool or admin. */
  readonly subject: string | null;
  readonly clientId: string | null;
  /** Of a reversal: what was no longer there to take. The whole is this less `amount`. */
  readonly shortfall: bigint;
  readonly eventId: string;
  readonly createdAt: Date;
}

export interface StatementPlace {
  readonly revision: number;
  readonly index: number;
}

const ROW_ID = /^(\d{1,15})-(\d{1,4})$/;

const statementId = ({ revision, index }: StatementPlace): string => `${revision}-${index}`;

/** The place that a row's id or cursor names, or undefined where the text is neither. */
export function parseStatementId(id: string): StatementPlace | undefined {
  const [, revision, index] = ROW_ID.exec(id) ?? [];
  return revision && index ? { revision: Number(revision), index: Number(index) } : undefined;
}

export interface StoredRow {
  readonly revision: string;
  readonly idx: number;
  readonly user_id: string;
  readonly type: StatementType;
  readonly amount: string;
  readonly row_balance: string;
  readonly counterparty_id: string | null;
  readonly subject: string | null;
  readonly client_id: string | null;
  readonly shortfall: string;
  readonly event_id: string;
  readonly created_at: Date;
}

export const ROW_COLUMNS = `r.revision, r.idx, r.user_id, r.type, r.amount, r.balance as row_balance, r.counterparty_id,
  r.subject, r.client_id, r.shortfall, r.event_id, r.created_at`;

export function rowOf(stored: StoredRow): StatementRow {
  const place = { revision: Number(stored.revision), index: stored.idx };
  return {
    id: statementId(place),
    ...place,
    userId: stored.user_id,
    type: stored.type,
    amount: BigInt(stored.amount),
    balance: BigInt(stored.row_balance),
    counterpartyId: stored.counterparty_id,
    subject: stored.subject,
    clientId: stored.client_id,
    shortfall: BigInt(stored.shortfall),
    eventId: stored.event_id,
    createdAt: stored.created_at,
  };
}
