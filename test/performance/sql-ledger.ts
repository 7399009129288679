import pg from 'pg';
import { GIFT, type Pair } from './gifts.js';

/**
 * A ledger as a team would write it by hand: double entry in tables. Each gift is one transaction that locks the rows
 * it changes in the order of their ids, checks the balance, and writes the entries and an idempotency key.
 */
const SCHEMA = `
  create table account (id text primary key, balance bigint not null check (balance >= 0)) with (fillfactor = 70);
  create table transfer (id bigint generated always as identity primary key, key text not null unique, at timestamptz not null default now());
  create table entry (transfer bigint not null references transfer, account text not null references account, delta bigint not null);
  create index entry_account on entry (account, transfer);
  create function send_gift(sender text, recipient text, amount bigint, idempotency_key text) returns void language plpgsql as $$
  declare
    available bigint;
    new_transfer bigint;
  begin
    perform 1 from account where id in (sender, recipient, 'treasury') order by id for update;
    select balance into available from account where id = sender;
    if available < amount then raise exception 'insufficient funds'; end if;
    insert into transfer (key) values (idempotency_key) returning id into new_transfer;
    update account set balance = balance - amount where id = sender;
    update account set balance = balance + amount / 2 where id = recipient;
    update account set balance = balance + (amount - amount / 2) where id = 'treasury';
    insert into entry values (new_transfer, sender, -amount), (new_transfer, recipient, amount / 2), (new_transfer, 'treasury', amount - amount / 2);
  end $$;
`;

export class SqlLedger {
  private readonly pool: pg.Pool;

  constructor(url: string, connections: number) {
    this.pool = new pg.Pool({ connectionString: url, max: connections });
  }

  async prepare(members: readonly string[]): Promise<void> {
    await this.pool.query(SCHEMA);
    await this.pool.query(
      `insert into account select id, 1000000000000 from unnest($1::text[]) as id union all select 'treasury', 0`,
      [members],
    );
  }

  async sendGift(pair: Pair, key: string): Promise<void> {
    const [sender, recipient] = pair();
    await this.pool.query({
      name: 'gift',
      text: 'select send_gift($1, $2, $3, $4)',
      values: [sender, recipient, GIFT, key],
    });
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
