/**
 * Events of one paid chat, in stream `chat-{chatId}`. They hold only ids, kinds, lengths and times; the text is stored
 * elsewhere.
 */

export type ChatSide = 'initiator' | 'host';

interface Fact<T extends string> {
  readonly type: T;
  readonly chatId: string;
  readonly initiatorId: string;
  readonly hostId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Follows the ledger's ChatPaymentHeld: taking money goes through the ledger first. */
export interface ChatRequested extends Fact<'ChatRequested'> {
  /** Minor units of NOVA. */
  readonly price: bigint;
  readonly acceptBy: number;
}

/** A payment was held but no request followed, because of a crash: the chat ends before it began. */
export type ChatRequestAbandoned = Fact<'ChatRequestAbandoned'>;

export interface ChatAccepted extends Fact<'ChatAccepted'> {
  /** The host's first message is due by then. */
  readonly verifyBy: number;
}

export type ChatDeclined = Fact<'ChatDeclined'>;
export type ChatRequestExpired = Fact<'ChatRequestExpired'>;

/** The chat's progress; in an event, including that event. */
export interface ChatCounts {
  /** An initiator's message followed, at any distance, by a host's; a run of one side counts once. */
  readonly exchanges: number;
  /** Code points of trimmed text, both sides. */
  readonly totalCharacters: number;
  /** Of these, the host's non-blank ones. */
  readonly hostCharacters: number;
}

export interface ChatMessageSent extends Fact<'ChatMessageSent'>, ChatCounts {
  /** The id of the row that holds the text. */
  readonly messageId: string;
  readonly senderId: string;
  readonly side: ChatSide;
  /** Code points of the trimmed text. */
  readonly characters: number;
}

/** In the same append as the message that caused it. The whole price is due. */
export interface ChatSucceeded extends Fact<'ChatSucceeded'>, ChatCounts {
  /** Rating closes then. */
  readonly rateBy: number;
}

export const TERMINATION_CAUSES = ['exit', 'no-first-message', 'idle', 'account-closing'] as const;
export type TerminationCause = (typeof TERMINATION_CAUSES)[number];

export interface ChatTerminated extends Fact<'ChatTerminated'>, ChatCounts {
  /** The member who broke off, or counts as having done so. */
  readonly by: ChatSide;
  readonly cause: TerminationCause;
  /**
   * The part of the price that goes to the payout split, in minor units of NOVA; the rest goes back. 0 if the host
   * broke off.
   */
  readonly due: bigint;
}

/** The caller's word about the outcome. */
export interface ChatVerified extends Fact<'ChatVerified'> {
  readonly side: ChatSide;
  readonly isSuccessful: boolean;
}

export interface ChatNudged extends Fact<'ChatNudged'> {
  /** Who nudged. */
  readonly side: ChatSide;
}

export interface ChatRated extends Fact<'ChatRated'> {
  /** Who rated. */
  readonly side: ChatSide;
  readonly raterId: string;
  readonly ratedId: string;
  /** 1 to 100. */
  readonly rating: number;
  readonly follow: boolean;
}

export interface ChatCompleted extends Fact<'ChatCompleted'> {
  readonly reason: 'both-rated' | 'ratings-closed';
  /** The ratings that the initiator and the host gave; null for a side that never rated. */
  readonly initiatorRating: number | null;
  readonly hostRating: number | null;
  /** Both rated 75 or higher: a block in each side's chain of threads. */
  readonly thread: boolean;
}

export type ChatEvent =
  | ChatRequested
  | ChatRequestAbandoned
  | ChatAccepted
  | ChatDeclined
  | ChatRequestExpired
  | ChatMessageSent
  | ChatSucceeded
  | ChatTerminated
  | ChatVerified
  | ChatNudged
  | ChatRated
  | ChatCompleted;

export type ChatEventType = ChatEvent['type'];

export const CHAT_STREAM_PREFIX = 'chat-';
export const chatStream = (chatId: string): string => `${CHAT_STREAM_PREFIX}${chatId}`;
