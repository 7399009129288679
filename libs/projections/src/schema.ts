/** The schema of the live read models and of their checkpoints. */
export const READ_SCHEMA = 'read';

/** Tells waiting processes how far the read models are. Payload: `{ledger revision}:{name},{name},…`. */
export const PROGRESS_CHANNEL = 'projection_progress';

/**
 * What must exist before a runner starts. The read models' own tables are made by the runner, because they follow the
 * models' versions. Positions and revisions are −1 before the first event.
 */
export const projectionMigrations: readonly { readonly name: string; readonly sql: string }[] = [
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
];
