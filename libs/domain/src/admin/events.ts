import { FactCodec } from '../fact-codec.js';

/** Characters of why an admin does something, and of a member's report to the admins. */
export const REASON_MAX = 500;
export const REPORT_MAX = 1_000;

/** An admin's act on a member or on a member's content (rule admin-2). Words are in rows: the reason, an address. */
interface AdminAct<T extends string> {
  readonly type: T;
  readonly adminId: string;
  /**
   * The member whom it concerns; of a blocked address the id of its row; `period-{number}`; a payment's id at the provider; a read
   * model's name; a bulk's batch; `controls`; `watches`, or a watch's id where it was crossed.
   */
  readonly targetId: string;
  /** The content, the report, the act that waits for a second admin, or the watch; null for none of them. */
  readonly subjectId: string | null;
  /** The id of the row with the reason; null if none was given. */
  readonly reasonId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type PasswordReset = AdminAct<'PasswordReset'>;
export type PinReset = AdminAct<'PinReset'>;
export interface MemberRatingChanged extends AdminAct<'MemberRatingChanged'> {
  /** 0.00 to 9.99. It stays until the next rating, which is averaged with it. */
  readonly rating: number;
}
export type AccountDeletionOrdered = AdminAct<'AccountDeletionOrdered'>;
export type EmailBlocked = AdminAct<'EmailBlocked'>;
export type EmailUnblocked = AdminAct<'EmailUnblocked'>;
export type ContentAssigned = AdminAct<'ContentAssigned'>;
export type ContentDeleted = AdminAct<'ContentDeleted'>;
export type ReportClosed = AdminAct<'ReportClosed'>;

/** The period's own event holds what was sealed. This one is for the list of admins' acts. */
export type BooksClosed = AdminAct<'BooksClosed'>;
/** A read model is rebuilt next to the live one, and swapped in if both are the same. */
export type ReadModelRebuildOrdered = AdminAct<'ReadModelRebuildOrdered'>;
/** A difference between the payment provider's books and ours was examined, and found to be right. */
export type DifferenceExplained = AdminAct<'DifferenceExplained'>;

/** A difference was settled through the ledger: the payment's own event says how. */
export type DifferenceSettledByAdmin = AdminAct<'DifferenceSettledByAdmin'>;

/** The member is an admin from then on, or is none. The last of both counts; `subjectId` is the approved act, if it was one. */
export type AdminMade = AdminAct<'AdminMade'>;
export type AdminUnmade = AdminAct<'AdminUnmade'>;

/** The limits for admins from then on; the target is `controls`, `subjectId` the approved act, if it was one. */
export interface ControlsChanged extends AdminAct<'ControlsChanged'> {
  /** Minor units of NOVA: more than this at once needs a second admin. Null: nothing does. */
  readonly threshold: bigint | null;
  /** Minor units of NOVA that each admin may grant on a UTC day. Null: no cap. */
  readonly dailyCap: bigint | null;
}

/** An act that waits for a second admin; `subjectId` is its id. */
export interface ApprovalRequested extends AdminAct<'ApprovalRequested'> {
  /** Which act: the kinds are the API's (`ApprovalKinds`). */
  readonly kind: string;
  /** Minor units of NOVA; null for an act without an amount. */
  readonly amount: bigint | null;
  /** JSON of what else the act needs: ids and figures, never typed text. */
  readonly details: string;
  /** Milliseconds since 1970: from then on nobody approves it. */
  readonly expiresAt: number;
}
/** By another admin than the one who asked. */
export type ApprovalGiven = AdminAct<'ApprovalGiven'>;
/** By another admin, or withdrawn by the one who asked. */
export type ApprovalDeclined = AdminAct<'ApprovalDeclined'>;
/** What became of an approved act. */
export interface ApprovedActEnded extends AdminAct<'ApprovedActEnded'> {
  /** The ledger's event; null for an act that is several, or none of the ledger's. */
  readonly eventId: string | null;
  /** The code with which it was refused; null if it was done. */
  readonly refusal: string | null;
  /** The sentence of the refusal. */
  readonly message: string | null;
}

/** From then on a balance is watched; the target is `watches`, `subjectId` the watch. */
export interface WatchSet extends AdminAct<'WatchSet'> {
  /** An account's name, or `total:members`, `total:circulation`. */
  readonly account: string;
  readonly direction: 'above' | 'below';
  /** Minor units of NOVA. */
  readonly limit: bigint;
  /** Every event of the ledger after this revision is looked at. */
  readonly fromRevision: number;
}
export type WatchRemoved = AdminAct<'WatchRemoved'>;
/** A watched balance went beyond its limit: nobody's act. `adminId` is who set the watch, `at` the time of the ledger's event. */
export interface WatchCrossed extends AdminAct<'WatchCrossed'> {
  /** The ledger's event that made it cross, and its revision. */
  readonly eventId: string;
  readonly revision: number;
  /** Minor units of NOVA, after that event. */
  readonly balance: bigint;
}

export type ModerationEvent =
  | PasswordReset
  | PinReset
  | MemberRatingChanged
  | AccountDeletionOrdered
  | EmailBlocked
  | EmailUnblocked
  | ContentAssigned
  | ContentDeleted
  | ReportClosed
  | BooksClosed
  | ReadModelRebuildOrdered
  | DifferenceExplained
  | DifferenceSettledByAdmin
  | AdminMade
  | AdminUnmade
  | ControlsChanged
  | ApprovalRequested
  | ApprovalGiven
  | ApprovalDeclined
  | ApprovedActEnded
  | WatchSet
  | WatchRemoved
  | WatchCrossed;

export const MODERATION_STREAM_PREFIX = 'moderation-';
/** Admins' acts on one target: facts that exclude nothing, in order. */
export const moderationStream = (targetId: string): string => `${MODERATION_STREAM_PREFIX}${targetId}`;

const ACT = {
  adminId: 'text',
  targetId: 'text',
  subjectId: 'nullable-text',
  reasonId: 'nullable-text',
  at: 'number',
} as const;

const codec = new FactCodec<ModerationEvent>({
  PasswordReset: ACT,
  PinReset: ACT,
  MemberRatingChanged: { ...ACT, rating: 'number' },
  AccountDeletionOrdered: ACT,
  EmailBlocked: ACT,
  EmailUnblocked: ACT,
  ContentAssigned: ACT,
  ContentDeleted: ACT,
  ReportClosed: ACT,
  BooksClosed: ACT,
  ReadModelRebuildOrdered: ACT,
  DifferenceExplained: ACT,
  DifferenceSettledByAdmin: ACT,
  AdminMade: ACT,
  AdminUnmade: ACT,
  ControlsChanged: { ...ACT, threshold: 'nullable-minor', dailyCap: 'nullable-minor' },
  ApprovalRequested: { ...ACT, kind: 'text', amount: 'nullable-minor', details: 'text', expiresAt: 'number' },
  ApprovalGiven: ACT,
  ApprovalDeclined: ACT,
  ApprovedActEnded: { ...ACT, eventId: 'nullable-text', refusal: 'nullable-text', message: 'nullable-text' },
  WatchSet: { ...ACT, account: 'text', direction: 'text', limit: 'minor', fromRevision: 'number' },
  WatchRemoved: ACT,
  WatchCrossed: { ...ACT, eventId: 'text', revision: 'number', balance: 'minor' },
});

/** The bytes of a moderation event's data, as they are stored. */
export const encodeModerationEvent = (event: ModerationEvent): string => codec.encode(event);

/** @throws UnreadableFact for what this version does not know */
export const decodeModerationEvent = (type: string, data: string): ModerationEvent => codec.decode(type, data);
