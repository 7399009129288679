import type { AccountName } from '../../../libs/domain/src/ledger/accounts.js';
import type { LedgerCommand } from '../../../libs/domain/src/ledger/commands.js';
import type { Fact, LedgerEvent } from '../../../libs/domain/src/ledger/events.js';
import { recipientRejection, refuse, spend } from '../../../libs/domain/src/ledger/funds.js';
import {
  COUNTS_NOWHERE,
  type EventRules,
  type Movement,
  type Ruling,
} from '../../../libs/domain/src/ledger/movements/movement.js';
import { type Mix, mixTotal, Postings } from '../../../libs/domain/src/ledger/postings.js';
import type { LedgerState } from '../../../libs/domain/src/ledger/state.js';

/*
 * A movement that the product does not have: Nova from a member of one partition to a member of another. It is written as
 * the product's movements are, and put into their list as the simulator loads it (`withTransit` in `plants.ts`).
 *
 * A partition has two accounts for each other one. `transit:{partition}` holds what is on its way there, and is never below
 * zero. `partition:{partition}` is what has arrived there, less what came from there: the other side's account for us has the
 * same balance with the other sign.
 */

/** All amounts are minor units of NOVA; partitions are numbers from 0. */
export type AcrossCommand =
  | {
      readonly type: 'SendAcross';
      readonly transferId: string;
      readonly senderId: string;
      readonly recipientId: string;
      readonly to: number;
      readonly amount: bigint;
    }
  | ({ readonly type: 'ReceiveAcross' } & Arrival)
  | { readonly type: 'NetAcross'; readonly transferId: string; readonly to: number; readonly amount: bigint }
  | ({ readonly type: 'GiveBackAcross'; readonly transferId: string } & Origin);

interface Arrival {
  readonly transferId: string;
  readonly recipientId: string;
  readonly from: number;
  readonly amount: bigint;
}

/** From whom it was taken, and of which kind. */
interface Origin extends Mix {
  readonly senderId: string;
  readonly to: number;
}

export interface SentAcross extends Fact<'SentAcross'>, Origin {
  readonly transferId: string;
  readonly recipientId: string;
}
interface ReceivedAcross extends Fact<'ReceivedAcross'>, Arrival {}
/** The recipient takes no part any more. An event too: the same question later gets the same answer. */
interface DeclinedAcross extends Fact<'DeclinedAcross'>, Arrival {}
interface NettedAcross extends Fact<'NettedAcross'> {
  readonly transferId: string;
  readonly to: number;
  readonly amount: bigint;
}
interface GivenBackAcross extends Fact<'GivenBackAcross'>, Origin {
  readonly transferId: string;
}
export type AcrossEvent = SentAcross | ReceivedAcross | DeclinedAcross | NettedAcross | GivenBackAcross;

export const transitAccount = (partition: number) => `transit:${partition}` as AccountName;
export const partitionAccount = (partition: number) => `partition:${partition}` as AccountName;

/** The product's types do not know this movement. */
export const commandOf = (command: AcrossCommand): LedgerCommand => command as unknown as LedgerCommand;
export function acrossIn(event: LedgerEvent): AcrossEvent | undefined {
  const across = event as unknown as AcrossEvent;
  return across.type in transit.events ? across : undefined;
}

const one = (event: AcrossEvent): Ruling => [event] as unknown as Ruling;

function send(state: LedgerState, command: Extract<AcrossCommand, { type: 'SendAcross' }>): Ruling {
  const { transferId, senderId, recipientId, to, amount } = command;
  const funds = spend(state, senderId, amount);
  if ('rejection' in funds) return funds;
  const { purchased, earned } = funds.mix;
  const entries = new Postings().takeFromUser(senderId, funds.mix).add(transitAccount(to), amount).entries();
  const sent = one({ type: 'SentAcross', transferId, senderId, recipientId, to, purchased, earned, entries });
  return 'rejection' in sent ? sent : [...funds.before, ...sent];
}

function receive(state: LedgerState, command: Extract<AcrossCommand, { type: 'ReceiveAcross' }>): Ruling {
  const { transferId, recipientId, from, amount } = command;
  const arrival = { transferId, recipientId, from, amount };
  const declined = recipientRejection(state, recipientId);
  if (declined) return one({ type: 'DeclinedAcross', ...arrival, entries: [] });
  const entries = new Postings()
    .add(partitionAccount(from), -amount)
    .giveToUser(recipientId, { purchased: 0n, earned: amount })
    .entries();
  return one({ type: 'ReceivedAcross', ...arrival, entries });
}

function net(state: LedgerState, { transferId, to, amount }: Extract<AcrossCommand, { type: 'NetAcross' }>): Ruling {
  if (amount > state.platformBalance(transitAccount(to))) return refuse(NOT_IN_TRANSIT);
  const entries = new Postings().add(transitAccount(to), -amount).add(partitionAccount(to), amount).entries();
  return one({ type: 'NettedAcross', transferId, to, amount, entries });
}

/** Each part goes where it came from; also to a member who is closing meanwhile. */
function giveBack(state: LedgerState, command: Extract<AcrossCommand, { type: 'GiveBackAcross' }>): Ruling {
  const { transferId, senderId, to, purchased, earned } = command;
  const mix = { purchased, earned };
  const amount = mixTotal(mix);
  if (amount > state.platformBalance(transitAccount(to))) return refuse(NOT_IN_TRANSIT);
  const entries = new Postings().add(transitAccount(to), -amount).giveToUser(senderId, mix).entries();
  return one({ type: 'GivenBackAcross', transferId, senderId, to, ...mix, entries });
}

const NOT_IN_TRANSIT = { code: 'NOTHING_TO_RETURN', message: 'Nothing of this is on its way any more.' } as const;

const rulesFor = <E extends AcrossEvent>(
  fields: EventRules<E, AcrossCommand, never>['fields'],
  cameFrom: (event: E) => AcrossCommand,
  doing: string,
): EventRules<E, AcrossCommand, never> => ({
  fields,
  effect: null,
  posts: null,
  cameFrom,
  onceOnly: ({ transferId }) => `${doing} of transfer ${transferId}`,
  sentence: ({ transferId }) => `${doing} of transfer ${transferId}`,
  statementRows: null,
  ...COUNTS_NOWHERE,
});

const ARRIVAL = { transferId: 'text', recipientId: 'text', from: 'number', amount: 'minor' } as const;
const asReceive = ({ transferId, recipientId, from, amount }: Arrival): AcrossCommand => ({
  type: 'ReceiveAcross',
  transferId,
  recipientId,
  from,
  amount,
});

export const transit: Movement<AcrossCommand, AcrossEvent, never> = {
  commands: { SendAcross: send, ReceiveAcross: receive, NetAcross: net, GiveBackAcross: giveBack },
  events: {
    SentAcross: rulesFor<SentAcross>(
      {
        transferId: 'text',
        senderId: 'text',
        recipientId: 'text',
        to: 'number',
        purchased: 'minor',
        earned: 'minor',
      },
      ({ transferId, senderId, recipientId, to, purchased, earned }) => ({
        type: 'SendAcross',
        transferId,
        senderId,
        recipientId,
        to,
        amount: purchased + earned,
      }),
      'Sending',
    ),
    ReceivedAcross: rulesFor<ReceivedAcross>(ARRIVAL, asReceive, 'Arrival'),
    DeclinedAcross: rulesFor<DeclinedAcross>(ARRIVAL, asReceive, 'Refusal'),
    NettedAcross: rulesFor<NettedAcross>(
      { transferId: 'text', to: 'number', amount: 'minor' },
      ({ transferId, to, amount }) => ({ type: 'NetAcross', transferId, to, amount }),
      'Netting',
    ),
    GivenBackAcross: rulesFor<GivenBackAcross>(
      { transferId: 'text', senderId: 'text', to: 'number', purchased: 'minor', earned: 'minor' },
      ({ transferId, senderId, to, purchased, earned }) => ({
        type: 'GiveBackAcross',
        transferId,
        senderId,
        to,
        purchased,
        earned,
      }),
      'Return',
    ),
  },
  rows: {},
};
