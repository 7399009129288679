import type { PostingRule } from '../../finance/general-ledger/posting-rules.js';
import type { QuestStep } from '../../quests/counting.js';
import type { Fact, LedgerFact } from '../events.js';
import type { Rejection } from '../rejections.js';
import type { LedgerState } from '../state.js';

/** A rule's decision: events in order, at least one, or a refusal. */
export type Ruling = readonly LedgerFact[] | { readonly rejection: Rejection };

/** Decides one command on a state, changing nothing. `at` is journal time in milliseconds since 1970. */
export type Rule<C> = (state: LedgerState, command: C, at: number) => Ruling;

/**
 * How a field is written: `text`, `number` and `boolean` as JSON has them, `minor` (a bigint) as decimal digits in quotes,
 * `payouts` as pairs of pool and digits. Only `optional-text` may be absent, only `nullable-text` null.
 */
export type FieldKind = 'text' | 'optional-text' | 'nullable-text' | 'number' | 'boolean' | 'minor' | 'payouts';

/** The one kind in which a value of this type can be written. */
type KindOf<V> = undefined extends V
  ? 'optional-text'
  : null extends V
    ? 'nullable-text'
    : V extends string
      ? 'text'
      : V extends bigint
        ? 'minor'
        : V extends number
          ? 'number'
          : V extends boolean
            ? 'boolean'
            : 'payouts';

/** `cause` belongs to the stamp. */
type FieldsOf<E> = { readonly [K in Exclude<keyof E, 'type' | 'entries' | 'cause'>]-?: KindOf<E[K]> };

/** Names for ids, including erased members and applications. */
export interface EventNames {
  readonly member: (id: string) => string;
  readonly application: (clientId: string) => string;
}

/** Who a chat was between; known for every chat that was settled in full before its rewards are released. */
export type ChatParties = (chatId: string) => { readonly initiatorId: string; readonly hostId: string } | undefined;

/** A row of a member's statement. */
export interface StatementRowOf<R extends string> {
  readonly type: R;
  /** The member on the other side. */
  readonly counterpartyId?: string | null;
  /** The subject: a payment intent, chat, card, comment, post, quest, pool or admin. */
  readonly subject?: string | null;
  /** The OAuth application that took part. */
  readonly clientId?: string | null;
  /** Minor units, if different from the event's whole change of the member's purchased and earned Nova. */
  readonly amount?: bigint;
  /** The part that could not be taken because the member no longer had it, in minor units. */
  readonly shortfall?: bigint;
}

/** The text of a statement row. */
export interface RowRules {
  readonly words: (names: RowNames) => string;
  /** Whether the amount counts as earned from other members. */
  readonly earnedFromOthers: boolean;
}

export interface RowNames {
  /** The member on the other side. */
  readonly party: string;
  readonly application: string;
  /** ` through` and the application's name; empty if none took part. */
  readonly through: string;
  /** `: ` and the quest's title; empty if it is not known. */
  readonly ofQuest: string;
}

/**
 * A movement through an OAuth application, from the member's side. `fund` and `withdraw` are the owner's own; an admin
 * took back what ends in `_reversed`.
 */
export interface ThroughApp {
  readonly type:
    'spend' | 'earn' | 'transfer' | 'fund' | 'withdraw' | 'spend_reversed' | 'earn_reversed' | 'transfer_reversed';
  readonly clientId: string;
  readonly userId: string;
  /** Minor units, never negative. */
  readonly amount: bigint;
  /** Only for a transfer. */
  readonly recipientId: string | null;
  /** Whether it counts towards the application's daily limit (UTC). */
  readonly countsAgainstDailyLimit: boolean;
}

/** What a member is told at once about another member's act for them. */
export interface Announcement {
  /** The name of the frame. */
  readonly frame: 'gift_received';
  readonly senderId: string;
  readonly recipientId: string;
  /** Minor units, as all amounts. */
  readonly amount: bigint;
  readonly recipientShare: bigint;
}

/** The charts of the Admin Panel that add up events. */
export type ChartName = 'purchases' | 'gifts';

/**
 * How each reader of the journal treats a type of event. Nothing has a default: a movement that does not concern a
 * reader says `null`.
 */
export interface EventRules<E, C, R extends string> {
  /** Every field beyond stamp and entries, in the order in which they are written. This order never changes. */
  readonly fields: FieldsOf<E>;
  /** What the event does to the state beyond its entries. */
  readonly effect: ((state: LedgerState, event: E) => void) | null;
  /**
   * For the audit: the command from which the event, by its own fields, can have come; undefined if a field has a value
   * that no command gives.
   */
  readonly cameFrom: (event: E) => C | undefined;
  /**
   * For the audit: the fact that may occur only once, as a phrase. The product derives idempotency keys from these
   * facts, and a forged event would not carry the key. `null`: it may happen any number of times.
   */
  readonly onceOnly: ((event: E) => string | undefined) | null;
  /** One sentence that describes the event for any reader. */
  readonly sentence: (event: E, names: EventNames) => string;
  /** The rows of a member whose purchased or earned Nova the event changes. `null`: it changes nobody's. */
  readonly statementRows: ((event: E, userId: string, partiesOf: ChatParties) => readonly StatementRowOf<R>[]) | null;
  /**
   * The movement for the OAuth application that took part, with the daily limit. `null`: no application ever takes
   * part.
   */
  readonly throughApp: ((event: E) => ThroughApp | undefined) | null;
  /** What it means in dollars. `null`: nothing. */
  readonly posts: PostingRule<E> | null;
  /** What it adds to members' quests. `null`: it counts for none. */
  readonly quests: ((event: E) => readonly QuestStep[]) | null;
  /** The chart to which it adds, and the amount in minor units. `null`: it is on none. */
  readonly chart: ((event: E) => readonly [name: ChartName, amount: bigint]) | null;
  /** What the other member is told besides the change of their balance. `null`: nothing. */
  readonly announces: ((event: E) => Announcement) | null;
}

/** For events without an application, quest, chart or announcement. */
export const COUNTS_NOWHERE = { throughApp: null, quests: null, chart: null, announces: null } as const;

/**
 * A complete money movement: its commands, its events, and its statement rows. `movements/registry.ts` lists them all.
 * @typeParam C its commands
 * @typeParam E its events
 * @typeParam R the types of its rows, `never` if it adds none
 */
export interface Movement<
  in out C extends { readonly type: string },
  in out E extends Fact<string>,
  in out R extends string,
> {
  readonly commands: { readonly [T in C['type']]: Rule<Extract<C, { readonly type: T }>> };
  readonly events: { readonly [T in E['type']]: EventRules<Extract<E, { readonly type: T }>, C, R> };
  readonly rows: { readonly [T in R]: RowRules };
}
