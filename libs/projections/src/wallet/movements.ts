import { type ChatParties, type LedgerEvent, rulesOf, type StatementRowOf, type StatementType } from '@app/domain';
import type { Posting } from '../runner/postings.js';

/** One change of a member's purchased + earned Nova. */
export interface Movement {
  readonly userId: string;
  readonly type: StatementType;
  /** Minor units, signed from the member's side. */
  readonly amount: bigint;
  /** The member on the other side. */
  readonly counterpartyId: string | null;
  /** What it was about: a payment intent, chat, card, comment, post, quest, pool or admin. */
  readonly subject: string | null;
  /** The OAuth application that took part. */
  readonly clientId: string | null;
  /** What else was to be taken and was no longer there, in minor units. */
  readonly shortfall: bigint;
}

/**
 * The rows that an event adds to statements: amounts from its entries (so that rows always add up to the balances), the rest
 * from its meaning. A reversal that took less than it reverses says so beside. Pending and held Nova are no part of a balance:
 * moving them gives a row only where purchased or earned Nova changes.
 */
export function movements(event: LedgerEvent, postings: readonly Posting[], partiesOf: ChatParties): Movement[] {
  const rows: Movement[] = [];
  const nets = netByMember(postings);
  // A reversal is shown also where nothing was left to take.
  if (event.type === 'PurchaseReversed' && nets.length === 0) nets.push([event.userId, 0n]);
  for (const [userId, net] of nets) {
    if (net === 0n && event.type !== 'PurchaseReversed') continue;
    for (const row of rowsOf(event, userId, partiesOf)) {
      const { type, amount = net, counterpartyId = null, subject = null, clientId = null, shortfall = 0n } = row;
      if (amount === 0n && shortfall === 0n) continue;
      rows.push({ userId, type, amount, counterpartyId, subject, clientId, shortfall });
    }
  }
  return rows;
}

function rowsOf(event: LedgerEvent, userId: string, partiesOf: ChatParties): readonly StatementRowOf<StatementType>[] {
  const { statementRows } = rulesOf(event);
  if (statementRows) return statementRows(event, userId, partiesOf);
  throw new Error(`${event.type} at ${event.at} moves Nova of ${userId}: this has no place in a statement`);
}

/** The change of purchased + earned of each member, in the order of the entries. */
function netByMember(postings: readonly Posting[]): [userId: string, amount: bigint][] {
  const nets: [string, bigint][] = [];
  for (const { account, delta } of postings) {
    const { member } = account;
    if (member?.balance !== 'purchased' && member?.balance !== 'earned') continue;
    const known = nets.find(([id]) => id === member.userId);
    if (known) known[1] += delta;
    else nets.push([member.userId, delta]);
  }
  return nets;
}
