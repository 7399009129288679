/**
 * State of payments beside the journal: what is still to be asked of the provider, and how much of a purchase each
 * refund takes. Only the journal says what was credited.
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

/** For other areas: the events of the ledger that a payment led to. */
export const PAYMENT_DIRECTORY_SQL = `
create view payment_directory as
  select payment_intent_id, event_id from payment where event_id is not null
  union all
  select payment_intent_id, event_id from payment_reversal where event_id is not null;
`;
