import type { LedgerCommand, LedgerCommandType } from '../commands.js';
import type { LedgerEventType, LedgerFact } from '../events.js';
import { accountClosing } from './account-closing.js';
import { adminAdjustment } from './admin-adjustment.js';
import { appWallet } from './app-wallet.js';
import { burn } from './burn.js';
import { cardPayment } from './card-payment.js';
import { chatPayment } from './chat-payment.js';
import { freeze } from './freeze.js';
import { gift } from './gift.js';
import type { EventRules, FieldKind, Movement, Rule, RowRules } from './movement.js';
import { period } from './period.js';
import { purchase } from './purchase.js';
import { questReward } from './quest-reward.js';
import { reversal } from './reversal.js';
import { rewards } from './rewards.js';
import { shortfall } from './shortfall.js';
import { signing } from './signing.js';

/**
 * Every money movement. Commands, events, the codec, `decide`, `evolve`, statements, exports and metrics follow from this list.
 * Its order is the order in which the API names the types of statement rows.
 */
const MOVEMENTS = [
  purchase,
  shortfall,
  freeze,
  gift,
  cardPayment,
  chatPayment,
  rewards,
  questReward,
  adminAdjustment,
  burn,
  appWallet,
  reversal,
  accountClosing,
  period,
  signing,
] as const;

type Listed = (typeof MOVEMENTS)[number];
type CommandsOf<M> = M extends Movement<infer C, infer _E, infer _R> ? C : never;
type EventsOf<M> = M extends Movement<infer _C, infer E, infer _R> ? E : never;
type RowsOf<M> = M extends Movement<infer _C, infer _E, infer R> ? R : never;

/** Every command, event and type of statement row that a listed movement has. */
export type ListedCommand = CommandsOf<Listed>;
export type ListedFact = EventsOf<Listed>;
export type StatementType = RowsOf<Listed>;

type AnyEventRules = EventRules<LedgerFact, LedgerCommand, StatementType>;

/** One map of all parts. Each rule is looked up by the type that it is written for, and gets only that type. */
const byType = <T>(parts: readonly object[]): ReadonlyMap<string, T> =>
  new Map(parts.flatMap((part) => Object.entries(part) as [type: string, rules: T][]));

const COMMANDS = byType<Rule<LedgerCommand>>(MOVEMENTS.map(({ commands }) => commands));
const EVENTS = byType<AnyEventRules>(MOVEMENTS.map(({ events }) => events));
const ROWS = byType<RowRules>(MOVEMENTS.map(({ rows }) => rows));

export const LEDGER_COMMAND_TYPES = [...COMMANDS.keys()] as readonly LedgerCommandType[];
export const LEDGER_EVENT_TYPES = [...EVENTS.keys()] as readonly LedgerEventType[];
/** The types of a statement's rows. */
export const STATEMENT_TYPES = [...ROWS.keys()] as readonly StatementType[];

function listed<T>(rules: ReadonlyMap<string, T>, type: string): T {
  const found = rules.get(type);
  if (!found) throw new Error(`no movement has ${type}`);
  return found;
}

export const ruleOf = ({ type }: LedgerCommand): Rule<LedgerCommand> => listed(COMMANDS, type);
export const rulesOf = ({ type }: LedgerFact): AnyEventRules => listed(EVENTS, type);
export const rowRulesOf = (type: StatementType): RowRules => listed(ROWS, type);

/** A field of an event's data beyond stamp and entries. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** The text before its value. */
  readonly lead: string;
  /** Its name in errors. */
  readonly where: string;
}

/** Each type's fields in writing order. */
export const FIELDS: ReadonlyMap<string, readonly Field[]> = new Map(
  [...EVENTS].map(([type, { fields }]) => [
    type,
    Object.entries<FieldKind>(fields).map(([name, kind]) => ({
      name,
      kind,
      lead: `,"${name}":`,
      where: `${type}.${name}`,
    })),
  ]),
);
