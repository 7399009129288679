import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { embeddedDatabase } from '../support/product.js';

/** One statement reads one moment: the sum of all accounts, of members and of the platform, for each currency. */
const TOTALS = `
  select currency, sum(amount) as total from (
    select 'nova' as currency, purchased + earned + pending as amount from read.member_balance
    union all select 'karma', karma from read.member_balance
    union all select 'influence', influence from read.member_balance
    union all select 'seyvn', seyvn from read.member_balance
    union all select lower(currency), balance from read.account_balance) accounts
  group by currency having sum(amount) <> 0`;

/** Reads the whole bank over and over, from before the first crash to after the last. */
export class BankReader {
  reads = 0;
  /** Sums that were not zero. */
  readonly wrong: string[] = [];
  private over = false;
  private readonly reading: Promise<void>;

  constructor(private readonly dataDir: string) {
    this.reading = this.readOn();
  }

  async stop(): Promise<void> {
    this.over = true;
    await this.reading;
  }

  private async readOn(): Promise<void> {
    while (!this.over) {
      const client = new Client(embeddedDatabase(this.dataDir));
      client.on('error', () => undefined);
      try {
        await client.connect();
        while (!this.over) await this.read(client);
      } catch {
        // Postgres is down at the moment.
        await sleep(50);
      }
      await client.end().catch(() => undefined);
    }
  }

  private async read(client: Client): Promise<void> {
    const { rows } = await client.query<{ currency: string; total: string }>(TOTALS);
    this.reads += 1;
    for (const { currency, total } of rows) this.wrong.push(`read ${this.reads}: ${currency} adds up to ${total}`);
    await sleep(5);
  }
}
