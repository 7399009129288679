/**
 * The stand-in's own tables, separate from the product's: it plays another company's system that happens to run here.
 * `object` holds Stripe's objects as Stripe shows them, `event` is the outbox of webhooks.
 */
export const SANDBOX_SCHEMA_SQL = `
create schema if not exists sandbox;


create table sandbox.object (
  id text primary key,
  seq bigint generated always as identity,
  kind text not null,
  payment_intent text not null,
  body jsonb not null
);
create index object_by_payment_intent on sandbox.object (payment_intent, kind, seq);

create table sandbox.idempotency (
  key text primary key,
  fingerprint text not null,
  status integer,
  body jsonb,
  created_at timestamptz not null default now()
);
create index idempotency_by_age on sandbox.idempotency (created_at);

create table sandbox.event (
  id text primary key,
  seq bigint generated always as identity,
  type text not null,
  payload text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  delivered_at timestamptz,
  gave_up_at timestamptz,
  last_error text
);
create index event_due on sandbox.event (next_attempt_at) where delivered_at is null and gave_up_at is null;
create index event_by_age on sandbox.event (created_at);
`;

/**
 * The stand-in keeps a balance from now on. Earlier payments and refunds are entered once; earlier disputes are left
 * out.
 */
export const SANDBOX_BALANCE_SQL = `
create index object_by_creation on sandbox.object (((body->>'created')::bigint), seq) where kind = 'balance_transaction';
insert into sandbox.object (id, kind, payment_intent, body)
select 'txn_' || substr(id, 4), 'balance_transaction', payment_intent, jsonb_build_object(
  'id', 'txn_' || substr(id, 4), 'object', 'balance_transaction', 'amount', amount, 'fee', fee, 'net', amount - fee,
  'available_on', created + 172800, 'balance_type', 'payments', 'created', created, 'currency', 'usd', 'description', null,
  'exchange_rate', null, 'fee_details', '[]'::jsonb, 'reporting_category', kind, 'source', id, 'status', 'available',
  'type', kind, 'payment_intent', payment_intent)
from (
  select id, kind, payment_intent, seq, (body->>'created')::bigint as created,
    case kind when 'charge' then 1 else -1 end * (body->>'amount')::bigint as amount,
    case kind when 'charge' then round((body->>'amount')::bigint * 0.029)::bigint + 30 else 0 end as fee
  from sandbox.object where kind in ('charge', 'refund')
) moved order by seq;
`;
