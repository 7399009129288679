import { type ChartName, type ChatEvent, type LedgerEvent, rulesOf, utcDay } from '@app/domain';
import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import type { Posting } from '../runner/postings.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';
import { bigint, date, Table, tablesOf, text } from '../tables/table.js';

const dailyTotals = new Table('daily_totals', {
  columns: { day: date, name: text, count: bigint, amount: bigint },
  key: ['day', 'name'],
  fillfactor: 50,
});

/**
 * Counts and amounts (minor units of NOVA) of each UTC day by name, for the charts of the Admin Panel (rule admin-5).
 * `circulation` is the change of all Nova of members, applications, escrow and pools (rule admin-4).
 */
export const daily: ReadModel = {
  name: 'daily',
  version: 1,
  streamPrefixes: ['ledger', 'chat-'],
  ...tablesOf(dailyTotals),
  createApplier: () => new DailyApplier(),
};

/** The names of the sums, as in the API's charts. */
export type DailyName =
  'circulation' | 'transactions' | ChartName | 'chats_requested' | 'chats_accepted' | 'chats_successful';

/** Kinds of accounts whose Nova is in circulation: neither the platform's own nor outside. */
const CIRCULATING = /^(?:user:|app:|pool:|chat$)/;

const CHATS: Readonly<Partial<Record<ChatEvent['type'], DailyName>>> = {
  ChatRequested: 'chats_requested',
  ChatAccepted: 'chats_accepted',
  ChatSucceeded: 'chats_successful',
};

class DailyApplier implements ReadModelApplier {
  private readonly totals = new DeltaTable(dailyTotals);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { ledger, chat, postings } of events) {
      if (ledger) this.take(ledger, postings);
      const name = chat && CHATS[chat.type];
      if (chat && name) this.add(utcDay(chat.at), name, 0n);
    }
    await writeTables(client, [this.totals], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.totals], 'all');
  }

  private take(event: LedgerEvent, postings: readonly Posting[]): void {
    const day = utcDay(event.at);
    this.add(day, 'transactions', 0n);
    const chart = rulesOf(event).chart?.(event);
    if (chart) this.add(day, ...chart);
    let change = 0n;
    for (const { account, currency, delta } of postings) {
      if (currency === 'NOVA' && CIRCULATING.test(account.kind)) change += delta;
    }
    if (change !== 0n) this.add(day, 'circulation', change);
  }

  private add(day: string, name: DailyName, amount: bigint): void {
    this.totals.addAll(`${day} ${name}`, { count: 1n, amount }, [day, name]);
  }
}
