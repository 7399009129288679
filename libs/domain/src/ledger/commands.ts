import type { RefundReason, SigningScope } from './events.js';

/** All amounts are minor units of NOVA unless their name says otherwise. Ids match `isAccountId`. */
export type LedgerCommand =
  | {
      readonly type: 'RecordPurchase';
      readonly userId: string;
      readonly amount: bigint;
      readonly paymentIntentId: string;
      readonly chargedCents: number;
      readonly livemode: boolean;
    }
  | {
      readonly type: 'ReversePurchase';
      readonly userId: string;
      readonly amount: bigint;
      readonly paymentIntentId: string;
      readonly reversalId: string;
      readonly reason: 'refund' | 'dispute';
    }
  | { readonly type: 'FreezeSpending'; readonly userId: string; readonly disputeId: string }
  | { readonly type: 'UnfreezeSpending'; readonly userId: string; readonly disputeId: string | null }
  | {
      readonly type: 'SendGift';
      readonly senderId: string;
      readonly recipientId: string;
      readonly amount: bigint;
      readonly via?: AppSpendingContext;
    }
  | {
      readonly type: 'PayForCard';
      readonly kind: 'unlock' | 'upvote' | 'navigate' | 'wall' | 'scroll';
      readonly senderId: string;
      readonly recipientId: string;
      readonly subjectId: string;
      readonly amount: bigint;
    }
  | {
      readonly type: 'HoldChatPayment';
      readonly chatId: string;
      readonly initiatorId: string;
      readonly hostId: string;
      readonly amount: bigint;
    }
  | { readonly type: 'RefundChatPayment'; readonly chatId: string; readonly reason: RefundReason }
  | { readonly type: 'SettleChatPayment'; readonly chatId: string; readonly outcome: 'success' }
  | {
      readonly type: 'SettleChatPayment';
      readonly chatId: string;
      readonly outcome: 'broken-off';
      /** The part of the price that is due; the rest goes back. */
      readonly due: bigint;
    }
  | { readonly type: 'ReleaseChatReward'; readonly chatId: string; readonly side: 'host' | 'initiator' }
  /** `completedChats` is the member's count, a multiple of five. */
  | { readonly type: 'MintKarma'; readonly userId: string; readonly completedChats: number }
  | {
      readonly type: 'GrantThreadShare';
      readonly hostId: string;
      readonly userId: string;
      readonly chatId: string;
    }
  | { readonly type: 'CollectRewards'; readonly userId: string }
  | {
      readonly type: 'ClaimQuestReward';
      readonly userId: string;
      readonly questId: string;
      readonly amount: bigint;
    }
  | { readonly type: 'GrantNova'; readonly userId: string; readonly adminId: string; readonly amount: bigint }
  | {
      /** All of them or none (`ledger.md`, Writing: an atomic bulk has at most 500 rows). */
      readonly type: 'GrantNovaInBulk';
      readonly adminId: string;
      readonly grants: readonly BulkGrant[];
    }
  | { readonly type: 'DeductNova'; readonly userId: string; readonly adminId: string; readonly amount: bigint }
  | {
      readonly type: 'BurnTokens';
      readonly userId: string;
      readonly earnedNova: bigint;
      readonly karma: bigint;
      readonly influence: bigint;
    }
  | {
      readonly type: 'FundAppWallet';
      readonly clientId: string;
      readonly ownerId: string;
      readonly amount: bigint;
    }
  | {
      readonly type: 'WithdrawAppWallet';
      readonly clientId: string;
      readonly ownerId: string;
      readonly amount: bigint;
    }
  | {
      readonly type: 'SpendAppTokens';
      readonly userId: string;
      readonly amount: bigint;
      readonly via: AppSpendingContext;
    }
  | {
      readonly type: 'EarnAppTokens';
      readonly clientId: string;
      readonly userId: string;
      readonly amount: bigint;
    }
  /** `endsAt` is the period's last moment; it must have passed. */
  | { readonly type: 'ClosePeriod'; readonly endsAt: number }
  /** From now on every event is signed: by this key, as the journal of this name. */
  | {
      readonly type: 'BeginSigning';
      readonly journal: string;
      readonly publicKey: string;
      readonly streams?: SigningScope['streams'];
    }
  | {
      readonly type: 'ChangeSigningKey';
      readonly publicKey: string;
      readonly proof: string;
      readonly streams?: SigningScope['streams'];
    }
  | { readonly type: 'CloseAccount'; readonly userId: string }
  | { readonly type: 'FinishClosingAccount'; readonly userId: string };

/** One row of a bulk; `cause` is of its event alone. */
export interface BulkGrant {
  readonly userId: string;
  readonly amount: bigint;
  readonly cause?: string;
}

/** A member's spending through an OAuth application, limited a UTC day (`decisions.md`, OAuth). */
export interface AppSpendingContext {
  readonly clientId: string;
  readonly ownerId: string;
  readonly dailyLimit: bigint;
}

export type LedgerCommandType = LedgerCommand['type'];
export type CommandOf<T extends LedgerCommandType> = Extract<LedgerCommand, { type: T }>;
