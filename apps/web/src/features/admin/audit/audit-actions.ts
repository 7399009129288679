interface AuditAction {
  readonly label: string;
  /** The action moved Nova or changed who may move it, so the ledger has an event of it. */
  readonly isLedger: boolean;
}

/** The actions of admins by event type, in the order in which a filter lists them. */
const ACTIONS: Readonly<Record<string, AuditAction>> = {
  NovaGranted: { label: 'Added Nova', isLedger: true },
  NovaDeducted: { label: 'Deducted Nova', isLedger: true },
  MovementReversed: { label: 'Reversed a movement', isLedger: true },
  PurchaseReinstated: { label: 'Reinstated a purchase', isLedger: true },
  ShortfallWrittenOff: { label: 'Wrote off a receivable', isLedger: true },
  SpendingUnfrozen: { label: 'Lifted a spending freeze', isLedger: true },
  PasswordReset: { label: 'Reset the password', isLedger: false },
  PinReset: { label: 'Reset the PIN', isLedger: false },
  MemberRatingChanged: { label: 'Changed the rating', isLedger: false },
  AccountDeletionOrdered: { label: 'Deleted the account', isLedger: false },
  AccountClosing: { label: 'Began closing the account', isLedger: true },
  AccountClosed: { label: 'Closed the account', isLedger: true },
  EmailBlocked: { label: 'Blocked an e-mail address', isLedger: false },
  EmailUnblocked: { label: 'Unblocked an e-mail address', isLedger: false },
  ContentAssigned: { label: 'Assigned content', isLedger: false },
  ContentDeleted: { label: 'Deleted content', isLedger: false },
  ReportClosed: { label: 'Closed a report', isLedger: false },
  BooksClosed: { label: 'Closed a period', isLedger: false },
  ReadModelRebuildOrdered: { label: 'Rebuilt a read model', isLedger: false },
  DifferenceExplained: { label: 'Explained a difference', isLedger: false },
  DifferenceSettledByAdmin: { label: 'Settled a difference', isLedger: false },
  AdminMade: { label: 'Made an admin', isLedger: false },
  AdminUnmade: { label: 'Took an admin’s rights', isLedger: false },
  ControlsChanged: { label: 'Changed the limits of admins', isLedger: false },
  ApprovalRequested: { label: 'Asked for approval', isLedger: false },
  ApprovalGiven: { label: 'Approved an act', isLedger: false },
  ApprovalDeclined: { label: 'Declined an act', isLedger: false },
  ApprovedActEnded: { label: 'Ended an approved act', isLedger: false },
  WatchSet: { label: 'Set a watch', isLedger: false },
  WatchRemoved: { label: 'Removed a watch', isLedger: false },
  QuestCreated: { label: 'Created a quest', isLedger: false },
};

export const auditActions = Object.entries(ACTIONS).map(([value, { label }]) => ({ value, label }));

/** An action in words; an unknown one is worded from its type: `PoolRewardsPaid` → "Pool rewards paid". */
export function auditActionLabel(action: string): string {
  const known = ACTIONS[action]?.label;
  if (known !== undefined) return known;
  const words = action.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether the action's event is among the ledger's events. */
export const isLedgerAction = (action: string): boolean => ACTIONS[action]?.isLedger === true;
