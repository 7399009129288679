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
export {
  beginsSigning,
  changesSigningKey,
  JOURNAL_DIGITS,
  PUBLIC_KEY_DIGITS,
  signingBegunBy,
  signingKeyChangedBy,
} from './ledger/movements/signing.js';
export * from './ledger/pools.js';
export * from './ledger/rejections.js';
export * from './ledger/state.js';
export { UndoLog } from './ledger/undo-log.js';
export * from './day.js';
export * from './fact-codec.js';
export * from './chat/characters.js';
export * from './chat/codec.js';
export * from './chat/commands.js';
export * from './chat/constants.js';
export * from './chat/deadlines.js';
export * from './chat/decide.js';
export * from './chat/duties.js';
export * from './chat/events.js';
export * from './chat/evolve.js';
export * from './chat/message-ids.js';
export * from './chat/progress.js';
export * from './chat/rating.js';
export * from './chat/rejections.js';
export * from './chat/state.js';
export * from './member/codec.js';
export * from './member/commands.js';
export * from './member/decide.js';
export * from './member/events.js';
export * from './member/evolve.js';
export * from './member/state.js';
export * from './resonance/affinity.js';
export * from './resonance/affinity-scales.js';
export * from './resonance/character.js';
export * from './resonance/compatibility.js';
export * from './resonance/profile.js';
export * from './thread/thread-block.js';
export * from './identity/limits.js';
export * from './identity/secret-rules.js';
export * from './oauth/carried-parameters.js';
export * from './oauth/redirect-uri.js';
export * from './profile/names.js';
export * from './profile/self-description.js';
export * from './content/card.js';
export * from './content/codec.js';
export * from './content/events.js';
export * from './content/item.js';
export * from './engagement/codec.js';
export * from './engagement/constants.js';
export * from './engagement/decay.js';
export * from './engagement/events.js';
export * from './engagement/perks.js';
export * from './engagement/viewing.js';
export * from './moderation/events.js';
export * from './period/period.js';
export * from './reconciliation/events.js';
export * from './quest/counting.js';
export * from './quest/least-cost.js';
export * from './quest/quest.js';
export * from './device/device-name.js';
