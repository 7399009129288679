/** Movements on the provider's balance, and events of ours, as the last look found them; and when was looked. */
export const RECONCILIATION_SCHEMA_SQL = `
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

/** Which difference an admin explained; unknown for what was explained before. What agrees by itself is explained by nobody. */
export const EXPLAINED_CODE_SQL = `
alter table reconciliation_line add column explained_code text;
update reconciliation_line set explained_by = null, explained_at = null, reason_id = null
where explained_by is not null and code is distinct from 'BY_ADMIN';
`;
