import type { Selected } from '../tables/table.js';
import { statementRow } from './statement.js';

/** A row for queries. */
export const ROW = statementRow.select();

/** One row of a member's statement. Amounts in minor units. */
export interface StatementRow extends Omit<Selected<typeof ROW>, 'idx'> {
  /** `{revision}-{index}`: identifies the row permanently, and is the cursor after it. */
  readonly id: string;
  /** Place among the rows of its event. */
  readonly index: number;
}

export interface StatementPlace {
  readonly revision: number;
  readonly index: number;
}

const ROW_ID = /^(\d{1,15})-(\d{1,4})$/;

const statementId = ({ revision, index }: StatementPlace): string => `${revision}-${index}`;

/** The place that a row's id or cursor names; undefined if the text is neither. */
export function parseStatementId(id: string): StatementPlace | undefined {
  const [, revision, index] = ROW_ID.exec(id) ?? [];
  return revision && index ? { revision: Number(revision), index: Number(index) } : undefined;
}

export function rowOf(given: Record<string, unknown>): StatementRow {
  const { revision, idx: index, userId, type, amount, balance, shortfall, ...about } = ROW.read(given);
  const { counterpartyId, subject, clientId, eventId, createdAt } = about;
  const parties = { userId, counterpartyId, clientId };
  const id = statementId({ revision, index });
  return { id, revision, index, ...parties, type, amount, balance, subject, shortfall, eventId, createdAt };
}
