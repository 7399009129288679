import type { ListedCommand } from './movements/registry.js';

export type { BulkGrant } from './movements/admin-adjustment.js';

/** All amounts are minor units of NOVA unless their name says otherwise. Ids match `isAccountId`. */
export type LedgerCommand = ListedCommand;
export type LedgerCommandType = LedgerCommand['type'];
export type CommandOf<T extends LedgerCommandType> = Extract<LedgerCommand, { type: T }>;

/** A member's spending through an OAuth application, limited a UTC day. */
export interface AppSpendingContext {
  readonly clientId: string;
  readonly ownerId: string;
  readonly dailyLimit: bigint;
}
