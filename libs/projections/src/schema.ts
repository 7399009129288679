/** The schema of the live read models and of their checkpoints. */
export const READ_SCHEMA = 'read';

/** Tells waiting processes the progress of read models. Payload: `{ledger revision}:{name},{name},…`. */
export const PROGRESS_CHANNEL = 'projection_progress';

/** Raised by `read.advance`: see there. */
export const LOST_OWNERSHIP_STATE = 'NV001';

/**
 * Moves the checkpoints of a batch. Fails, and its transaction with it, if one of them is no longer the caller's or not
 * where the caller left it. The lists have the same length: names, epochs, and the owner's positions.
 */
const advance = `
create function ${READ_SCHEMA}.advance(
  names text[], epochs bigint[], positions bigint[], to_position bigint, to_revision bigint, lease interval
) returns void language plpgsql as $$
declare
  moved integer;
begin
  with mine as materialized (
    select c.name from ${READ_SCHEMA}.checkpoint c join unnest(names, epochs, positions) as held (name, epoch, "position")
      on held.name = c.name and held.epoch = c.epoch and held.position = c.position
    order by c.name for update of c)
  update ${READ_SCHEMA}.checkpoint c set position = to_position, revision = greatest(c.revision, to_revision),
    lease_until = clock_timestamp() + lease, updated_at = clock_timestamp()
  from mine where c.name = mine.name;
  get diagnostics moved = row_count;
  if moved < cardinality(names) then
    raise exception 'only % of the read models % are still held', moved, names using errcode = '${LOST_OWNERSHIP_STATE}';
  end if;
end
$$;
`;

/**
 * The schema that must exist before a runner starts. The runner creates the read models' own tables, because they
 * depend on the models' versions. Positions and revisions are −1 before the first event.
 */
export const projectionMigrations: readonly {
  readonly name: string;
  readonly sql: string;
  /** As of every step that takes something away. */
  readonly unusedSince?: string;
}[] = [
  {
    name: 'projections_0001_checkpoints',
    sql: `
      create schema if not exists ${READ_SCHEMA};
      create table if not exists ${READ_SCHEMA}.checkpoint (
        name text primary key,
        version integer not null,
        position bigint not null,
        revision bigint not null,
        tables text[] not null default '{}',
        epoch bigint not null default 0,
        owner text,
        lease_until timestamptz not null default '-infinity',
        rebuild_requested boolean not null default false,
        updated_at timestamptz not null default clock_timestamp()
      ) with (fillfactor = 20);
    `,
  },
  { name: 'projections_0002_advance', sql: advance },
  {
    // The result of the last rebuild of each read model (`rebuild/rebuild-log.ts`).
    name: 'projections_0003_rebuilds',
    sql: `
      create table ${READ_SCHEMA}.rebuild (
        name text primary key,
        phase text not null default 'reading',
        events_done bigint not null default 0,
        events_total bigint not null default 0,
        outcome text not null default '',
        began_at timestamptz not null default clock_timestamp(),
        updated_at timestamptz not null default clock_timestamp()
      );
    `,
  },
  {
    // Nobody read this table: a chat's stream has its messages.
    name: 'projections_0004_no_chat_messages',
    unusedSince: '1.0.0',
    sql: `
      delete from ${READ_SCHEMA}.checkpoint where name = 'chat_messages';
      delete from ${READ_SCHEMA}.rebuild where name = 'chat_messages';
      drop table if exists ${READ_SCHEMA}.chat_messages;
    `,
  },
];
