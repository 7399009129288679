export * from './amount-texts.js';
export * from './money/money.js';
export * from './ledger/accounts.js';
export * from './ledger/audit.js';
export * from './ledger/codec.js';
export * from './ledger/commands.js';
export * from './ledger/constants.js';
export * from './ledger/currencies.js';
export { decide } from './ledger/decide.js';
export * from './ledger/events.js';
export { evolve } from './ledger/evolve.js';
export { wordOf } from './ledger/hex.js';
export * from './ledger/idempotency.js';
export * from './ledger/invariant.js';
export { KeyWindow } from './ledger/key-window.js';
export type {
  Announcement,
  ChartName,
  ChatParties,
  EventNames,
  StatementRowOf,
  ThroughApp,
} from './ledger/movements/movement.js';
export {
  LEDGER_COMMAND_TYPES,
  rowRulesOf,
  rulesOf,
  STATEMENT_TYPES,
  type StatementType,
} from './ledger/movements/registry.js';
export { type ReversedPurchaseFacts, reversedPurchaseFacts } from './ledger/movements/purchase.js';
export { originalFacts, type OriginalFacts, REVERSIBLE_TYPES } from './ledger/movements/reversal.js';
export { ROW_LABELS } from './ledger/movements/row-labels.js';
export {
  beginsSigning,
  changesSigningKey,
  JOURNAL_DIGITS,
  PUBLIC_KEY_DIGITS,
  signingBegunBy,
  signingKeyChangedBy,
} from './ledger/movements/signing.js';
export * from './ledger/pools.js';
export { mixTotal } from './ledger/postings.js';
export * from './ledger/rejections.js';
export * from './ledger/state.js';
export { UndoLog } from './ledger/undo-log.js';
export * from './day.js';
export * from './fact-codec.js';
export * from './chats/characters.js';
export * from './chats/codec.js';
export * from './chats/commands.js';
export * from './chats/constants.js';
export * from './chats/deadlines.js';
export * from './chats/decide.js';
export * from './chats/duties.js';
export * from './chats/events.js';
export * from './chats/evolve.js';
export * from './chats/message-ids.js';
export * from './chats/progress.js';
export * from './chats/rating.js';
export * from './chats/rejections.js';
export * from './chats/state.js';
export * from './members/codec.js';
export * from './members/commands.js';
export * from './members/decide.js';
export * from './members/events.js';
export * from './members/evolve.js';
export * from './members/state.js';
export * from './resonance/affinity.js';
export * from './resonance/affinity-scales.js';
export * from './resonance/character.js';
export * from './resonance/compatibility.js';
export * from './resonance/profile.js';
export * from './nexus/thread-block.js';
export * from './identity/limits.js';
export * from './identity/secret-rules.js';
export * from './oauth/carried-parameters.js';
export * from './oauth/redirect-uri.js';
export * from './oauth/test-mode.js';
export * from './profiles/names.js';
export * from './profiles/self-description.js';
export * from './content/card.js';
export * from './content/codec.js';
export * from './content/events.js';
export * from './content/item.js';
export * from './content/picture-url.js';
export * from './feed/codec.js';
export * from './feed/constants.js';
export * from './feed/decay.js';
export * from './feed/events.js';
export * from './feed/perks.js';
export * from './feed/viewing.js';
export * from './admin/approval.js';
export * from './admin/controls.js';
export * from './admin/events.js';
export * from './admin/watches.js';
export * from './finance/books-events.js';
export * from './finance/general-ledger/chart.js';
export { type Line, postBooksEvent, writeLines } from './finance/general-ledger/provider-rules.js';
export { GeneralLedger, post } from './finance/general-ledger/general-ledger.js';
export {
  bucketOf,
  type Flow,
  FLOWS,
  type Holding,
  type MemberBooks,
  type Posting,
  type PurchasePrice,
  type Reversal,
  type ValuationState,
} from './finance/general-ledger/valuation.js';
export * from './finance/general-ledger/statements.js';
export * from './finance/period.js';
export * from './payments/reconciliation-events.js';
export * from './quests/counting.js';
export * from './quests/least-cost.js';
export * from './quests/quest.js';
export * from './identity/device-name.js';
