import assert from 'node:assert/strict';
import type { LedgerEvent } from '@app/domain';
import { type Evidence, judge } from '../judge.js';
import type { Verdict } from './carrier.js';
import { acrossIn, type AcrossEvent, partitionAccount, transitAccount } from './transit.js';

interface PartitionEvidence extends Evidence {
  readonly number: number;
}

/**
 * Holds all journals against each other, once all is calm: each is sound by itself, every transfer has arrived once or was given
 * back once, nothing is in transit, and what each partition has with each other one agrees.
 * @throws AssertionError
 */
export async function judgePartitions(
  partitions: readonly PartitionEvidence[],
  told: ReadonlyMap<string, Verdict>,
): Promise<{ readonly arrived: number; readonly givenBack: number; readonly events: number }> {
  const journals: (readonly LedgerEvent[])[] = [];
  for (const partition of partitions) {
    journals.push(await partition.store.events());
    await judge(partition);
  }
  const transfers = new Map<string, AcrossEvent[]>();
  for (const events of journals) {
    for (const event of events) {
      const across = acrossIn(event);
      if (across) transfers.set(across.transferId, [...(transfers.get(across.transferId) ?? []), across]);
    }
  }
  let [arrived, givenBack] = [0, 0];
  for (const [id, events] of transfers) {
    const ending = judgeTransfer(id, events);
    assert.equal(told.get(id), ending, `${id} has ${ending}, and its sender was not told so`);
    if (ending === 'arrived') arrived += 1;
    else givenBack += 1;
  }
  judgeAccounts(partitions.map(({ number }, place) => ({ number, sums: sumsOf(journals[place] ?? []) })));
  return { arrived, givenBack, events: journals.flat().length };
}

function judgeTransfer(id: string, events: readonly AcrossEvent[]): Verdict {
  const count = (type: AcrossEvent['type']): number => events.filter((event) => event.type === type).length;
  const ways = ['SentAcross', 'ReceivedAcross', 'NettedAcross', 'DeclinedAcross', 'GivenBackAcross'] as const;
  const found = ways.map(count).join(' ');
  const ending = { '1 1 1 0 0': 'arrived', '1 0 0 1 1': 'given back' } as const;
  const verdict = ending[found as keyof typeof ending] as Verdict | undefined;
  assert.ok(verdict, `${id} was ${ways.map((way) => `${way} ${count(way)}`).join(', ')} times`);
  const amounts = new Set(events.map((event) => ('amount' in event ? event.amount : event.purchased + event.earned)));
  assert.equal(amounts.size, 1, `${id} changed its amount on the way`);
  return verdict;
}

function judgeAccounts(
  books: readonly { readonly number: number; readonly sums: ReadonlyMap<string, bigint> }[],
): void {
  for (const { number, sums } of books) {
    for (const other of books) {
      const transit = sums.get(transitAccount(other.number)) ?? 0n;
      assert.equal(transit, 0n, `${transit} from ${number} to ${other.number} stays in transit`);
      const both = (sums.get(partitionAccount(other.number)) ?? 0n) + (other.sums.get(partitionAccount(number)) ?? 0n);
      assert.equal(both, 0n, `what ${number} and ${other.number} have with each other differs by ${both}`);
    }
  }
}

/**
 * At any moment: what has left members for other partitions, and is in no other member's hands yet, is nothing less than zero.
 * @returns what is wrong
 */
export async function judgeTransit(partitions: readonly PartitionEvidence[]): Promise<Error | undefined> {
  const journals = await Promise.all(partitions.map(({ store }) => store.events()));
  let onTheWay = 0n;
  for (const events of journals) {
    for (const [account, sum] of sumsOf(events)) {
      if (account.startsWith('transit:') || account.startsWith('partition:')) onTheWay += sum;
    }
  }
  return onTheWay < 0n ? new Error(`members have ${-onTheWay} more than was given`) : undefined;
}

function sumsOf(events: readonly LedgerEvent[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { entries } of events) {
    for (const [account, , delta] of entries) sums.set(account, (sums.get(account) ?? 0n) + delta);
  }
  return sums;
}
