import { SANDBOX_BALANCE_SQL, SANDBOX_SCHEMA_SQL } from '@app/stripe-stand-in';
import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';
import { paymentsTakeout } from './takeout.js';

/** Movements of the provider's balance and our own events as the last run found them, and the runs. */
const RECONCILIATION_SCHEMA_SQL = `
create table reconciliation_run (
  id uuid primary key,
  actor text not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  error text,
  matched integer not null default 0,
  explained integer not null default 0,
  flagged integer not null default 0,
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  net_cents bigint not null default 0
);
create index reconciliation_run_newest on reconciliation_run (started_at desc, id desc);

create table reconciliation_line (
  subject text primary key,
  side text not null check (side in ('provider', 'ledger')),
  kind text not null,
  provider_id text,
  payment_intent_id text,
  cents bigint not null,
  fee_cents bigint not null,
  happened_at timestamptz not null,
  status text not null check (status in ('matched', 'explained', 'flagged')),
  code text,
  note text,
  event_id text,
  run_id uuid not null,
  explained_by uuid,
  explained_at timestamptz,
  reason_id uuid
);
create index reconciliation_line_newest on reconciliation_line (happened_at desc, subject desc);
create index reconciliation_line_by_status on reconciliation_line (status, happened_at desc, subject desc);
create index reconciliation_line_intent on reconciliation_line (payment_intent_id) where kind = 'payment';
create index reconciliation_line_provider on reconciliation_line (provider_id);
create index reconciliation_line_unsettled on reconciliation_line (subject)
  where status = 'flagged' or code in ('IN_TRANSIT', 'DISPUTE_OPEN', 'BY_ADMIN');
`;

/** Which difference an admin explained; unknown for older explanations. Lines that agree have no explanation. */
const EXPLAINED_CODE_SQL = `
alter table reconciliation_line add column explained_code text;
update reconciliation_line set explained_by = null, explained_at = null, reason_id = null
where explained_by is not null and code is distinct from 'BY_ADMIN';
`;

/**
 * State of payments outside the journal: which payments still have to be checked with the provider, and how much of a
 * purchase each refund takes. Only the journal says what was credited.
 */
export const PAYMENTS_SCHEMA_SQL = `
create table payment (
  payment_intent_id text primary key,
  user_id text not null,
  nova_minor bigint not null check (nova_minor > 0),
  charged_cents integer not null check (charged_cents > 0),
  livemode boolean not null,
  state text not null default 'open' check (state in ('open', 'credited', 'returned', 'abandoned', 'unusable')),
  event_id text,
  event_revision bigint,
  created_at timestamptz not null default now(),
  credited_at timestamptz,
  next_check_at timestamptz not null
);
create index payment_to_check on payment (next_check_at) where state = 'open';
create index payment_by_user on payment (user_id, created_at);
create index payment_by_mode on payment (livemode) where state = 'credited';

create table payment_reversal (
  reversal_id text primary key,
  payment_intent_id text not null references payment,
  reason text not null check (reason in ('refund', 'dispute')),
  cents integer not null check (cents > 0),
  nova_minor bigint not null check (nova_minor >= 0),
  state text not null default 'open' check (state in ('open', 'reversed', 'refused')),
  event_id text,
  created_at timestamptz not null default now()
);
create index payment_reversal_by_payment on payment_reversal (payment_intent_id);
create index payment_reversal_open on payment_reversal (payment_intent_id) where state = 'open';
`;

/** For other areas: the ledger events that a payment led to. */
const PAYMENT_DIRECTORY_SQL = `
create view payment_directory as
  select payment_intent_id, event_id from payment where event_id is not null
  union all
  select payment_intent_id, event_id from payment_reversal where event_id is not null;
`;

/** Reversals whose Nova was given back. */
const REINSTATED_SQL = `
alter table payment_reversal drop constraint payment_reversal_state_check;
alter table payment_reversal add constraint payment_reversal_state_check
  check (state in ('open', 'reversed', 'refused', 'reinstated'));
`;

export const paymentsMigrations: readonly SqlMigration[] = [
  { name: 'payments', sql: PAYMENTS_SCHEMA_SQL },
  { name: 'sandbox', sql: SANDBOX_SCHEMA_SQL },
  { name: 'sandbox_balance', sql: SANDBOX_BALANCE_SQL },
  { name: 'reconciliation', sql: RECONCILIATION_SCHEMA_SQL },
  { name: 'reconciliation_explained_code', sql: EXPLAINED_CODE_SQL },
  { name: 'payment_directory', sql: PAYMENT_DIRECTORY_SQL },
  { name: 'payment_reversal_reinstated', sql: REINSTATED_SQL },
];

export const paymentsTables: AreaTables = {
  folder: 'payments',
  tables: {
    payment: { kept: 'Real money was paid: the books need it.' },
    payment_reversal: 'nobody',
    reconciliation_run: { kept: 'Which admin looked stays.' },
    reconciliation_line: { kept: 'Which admin explained it stays.' },
  },
  directories: ['payment_directory'],
  takeout: paymentsTakeout,
};
