import { rowRulesOf } from '@app/domain';
import type { StatementRow } from './statement-row.js';

/** Names for a statement's ids, as the caller knows them. An erased member has none. */
export interface StatementNames {
  member(id: string): string | undefined;
  /** The name of an OAuth application by its client id. */
  application?(clientId: string): string | undefined;
  /** The title of a quest by its id. */
  quest?(id: string): string | undefined;
}

export const DELETED_MEMBER = 'Deleted member';
export const ACCRUED_DESCRIPTION = 'Rewards not yet credited';
export const DELETED_APPLICATION = 'Deleted application';

/**
 * The description of a statement's row (rule wallet-4). Rendered on reading: events and rows hold no names (rule
 * ledger-34).
 */
export function renderDescription(
  row: Pick<StatementRow, 'type' | 'counterpartyId' | 'clientId' | 'subject'>,
  names: StatementNames,
): string {
  const { type, counterpartyId, clientId, subject } = row;
  const party = (counterpartyId === null ? undefined : names.member(counterpartyId)) ?? DELETED_MEMBER;
  const application = (clientId === null ? undefined : names.application?.(clientId)) ?? DELETED_APPLICATION;
  const through = clientId === null ? '' : ` through ${application}`;
  const quest = type === 'quest_reward' && subject !== null ? names.quest?.(subject) : undefined;
  return rowRulesOf(type).words({ party, application, through, ofQuest: quest === undefined ? '' : `: ${quest}` });
}
