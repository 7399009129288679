/** One step of the schema, applied once and never changed afterwards. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** First key of the advisory locks that appends take on their streams; the second is a hash of the stream's name. */
export const APPEND_LOCK_CLASS = 1_246_709_844;

/** First key of the lock under which a store opens: migrations and the check of positions happen one at a time. */
export const OPEN_LOCK_CLASS = 1_246_709_845;

/**
 * Positions are (transaction id + xid_offset) << 20 | ordinal in the transaction. Within a stream they rise with the
 * revisions, because a transaction takes its id only when it holds the streams' locks, and keeps the locks until its commit
 * is visible.
 */
const tables = `
create table journal.streams (
  id integer generated always as identity primary key,
  name text not null unique
);

create table journal.events (
  position bigint primary key,
  stream integer not null,
  revision integer not null,
  id uuid not null,
  type text not null,
  data text not null,
  metadata text not null,
  unique (stream, revision)
);

create table journal.position_base (
  only_row boolean primary key default true check (only_row),
  xid_offset bigint not null
);
insert into journal.position_base (xid_offset) values (0);
`;

/**
 * After a restore into a cluster that has used fewer transaction ids, new positions must still be above all that exist: the
 * offset makes up the difference. In a living cluster the condition never holds.
 */
const raisePositions = `
create function journal.raise_positions() returns void language sql as $$
  update journal.position_base
  set xid_offset = newest.xid + 1 - pg_snapshot_xmax(pg_current_snapshot())::text::bigint
  from (select max(position) >> 20 as xid from journal.events) newest
  where newest.xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + xid_offset
$$;
`;

/**
 * Are the events that an append brings the very ones that the stream holds from revision "at" on?
 */
const repeated = `
create function journal.is_repeat(
  stream_id integer, at integer, skip integer, count integer, ids text, types text, datas text, metadatas text
) returns boolean language sql stable as $$
  select count(*) = count
  from rows from (
    string_to_table(ids, E'\\n'), string_to_table(types, E'\\n'), string_to_table(datas, E'\\n'), string_to_table(metadatas, E'\\n')
  ) with ordinality as brought (id, type, data, metadata, n)
  join journal.events kept on kept.stream = stream_id and kept.revision = at + (brought.n - skip - 1)
    and kept.id = brought.id::uuid and kept.type = brought.type and kept.data = brought.data
    and kept.metadata = brought.metadata
  where brought.n > skip and brought.n <= skip + count
$$;
`;

/**
 * Appends a group: for each stream (at most once a group) so many of the events, if the stream is where it is expected
 * (−1: it does not exist, −2: anywhere). What conflicts is left out and does not disturb the rest. Lists come as text with
 * line breaks between, because arrays are slow to make and to parse.
 */
const append = `
create function journal.append(
  names text, expected_revisions text, counts text, ids text, types text, datas text, metadatas text
) returns table (status text, revision integer) language plpgsql
-- Plans are cached when the table is still small, and must suit it when it is large.
set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  name_of text[] := string_to_array(names, E'\\n');
  expected_of integer[] := string_to_array(expected_revisions, E'\\n')::integer[];
  count_of integer[] := string_to_array(counts, E'\\n')::integer[];
  appends integer := cardinality(name_of);
  stream_of integer[];
  actual_of integer[];
  status_of text[] := array_fill('conflict'::text, array[appends]);
  answer_of integer[];
  -- Ordinal of the append's first event in the lists, and the revision that this event gets (−1: none of them is written).
  first_of integer[] := array_fill(0, array[appends]);
  start_of integer[] := array_fill(-1, array[appends]);
  skip integer := 0;
  at integer;
  lock_key integer;
  new_stream integer;
  base bigint;
begin
  -- A transaction id from before the locks would put positions out of order, unseen by journal.horizon().
  if pg_current_xact_id_if_assigned() is not null then
    raise exception 'journal.append must be the first write of its transaction';
  end if;
  for lock_key in select distinct hashtext(name) from unnest(name_of) as name order by 1 loop
    perform pg_advisory_xact_lock(${APPEND_LOCK_CLASS}, lock_key);
  end loop;

  select array_agg(coalesce(streams.id, 0) order by asked.n), array_agg(coalesce(head.revision, -1) order by asked.n)
  into stream_of, actual_of
  from unnest(name_of) with ordinality as asked (name, n)
  left join journal.streams on streams.name = asked.name
  left join lateral (
    select events.revision from journal.events where events.stream = streams.id order by events.revision desc limit 1
  ) head on true;
  answer_of := actual_of;

  for i in 1..appends loop
    first_of[i] := skip + 1;
    at := case when expected_of[i] = -2 then null else expected_of[i] + 1 end;
    if expected_of[i] = -2 and actual_of[i] >= 0 then
      select events.revision into at from journal.events
      where events.stream = stream_of[i] and events.revision > actual_of[i] - 1000
        and events.id = split_part(ids, E'\\n', skip + 1)::uuid
      order by events.revision desc limit 1;
    end if;
    if at is null or expected_of[i] = actual_of[i] then
      status_of[i] := 'appended';
      start_of[i] := actual_of[i] + 1;
      answer_of[i] := actual_of[i] + count_of[i];
    elsif at + count_of[i] - 1 <= actual_of[i]
      and journal.is_repeat(stream_of[i], at, skip, count_of[i], ids, types, datas, metadatas) then
      status_of[i] := 'repeated';
      answer_of[i] := at + count_of[i] - 1;
    end if;
    skip := skip + count_of[i];
  end loop;

  if 'appended' = any (status_of) then
    base := (select (pg_current_xact_id()::text::bigint + xid_offset) << 20 from journal.position_base);
    for i in 1..appends loop
      if status_of[i] = 'appended' and stream_of[i] = 0 then
        insert into journal.streams (name) values (name_of[i]) returning id into new_stream;
        stream_of[i] := new_stream;
      end if;
    end loop;
    insert into journal.events (position, stream, revision, id, type, data, metadata)
    select base + n, stream_of[a], start_of[a] + (n::integer - first_of[a]), brought.id::uuid, brought.type, brought.data,
      brought.metadata
    from (
      select *, width_bucket(n::integer, first_of) as a
      from rows from (
        string_to_table(ids, E'\\n'), string_to_table(types, E'\\n'), string_to_table(datas, E'\\n'),
        string_to_table(metadatas, E'\\n')
      ) with ordinality as lists (id, type, data, metadata, n)
    ) brought
    where start_of[a] >= 0;
    perform pg_notify('journal', '');
  end if;
  return query select * from unnest(status_of, answer_of);
end
$$;
`;

/**
 * The position below which nothing new can appear any more: every append below it has committed (and is seen by the next
 * statement) or has gone. "settled" is false while an append under way holds it back.
 *
 * Only appends hold it back, not whatever else writes in the cluster. An append takes its streams' advisory locks before it
 * takes a transaction id, and gives both up after its commit is visible; pg_locks shows both at one moment. So, with a
 * snapshot from before that moment: who holds no such lock has ended, or will get an id that the snapshot has not seen; who
 * holds one and shows an id has that id; who holds one and still waits for another has no id yet; and who holds all and shows
 * no id may just be taking it, which is then not below the oldest of the snapshot.
 */
const horizon = `
create function journal.horizon(out "position" bigint, out settled boolean) language plpgsql volatile as $$
declare
  seen pg_snapshot := pg_current_snapshot();
  oldest_xid bigint := pg_snapshot_xmin(seen)::text::bigint;
  next_xid bigint := pg_snapshot_xmax(seen)::text::bigint;
  bound bigint := next_xid;
begin
  if oldest_xid < next_xid then
    select least(next_xid, min(
      case
        when held.xid is null then oldest_xid
        -- pg_locks shows the low 32 bits; what is ahead of next_xid came after the snapshot.
        when (next_xid - held.xid) & 4294967295 < 2147483648 then next_xid - ((next_xid - held.xid) & 4294967295)
        else next_xid
      end
    ))
    into bound
    from (
      select
        bool_or(is_append and granted) as appends,
        bool_or(is_append and not granted) as waits,
        max(xid) as xid
      from (
        select pid, virtualtransaction, granted,
          locktype = 'advisory' and classid = ${APPEND_LOCK_CLASS} and objsubid = 2
            and database = (select oid from pg_database where datname = current_database()) as is_append,
          case when locktype = 'transactionid' and mode = 'ExclusiveLock' and granted
            then transactionid::text::bigint end as xid
        from pg_locks
      ) locks
      group by pid, virtualtransaction
    ) held
    where held.appends and not (held.waits and held.xid is null);
  end if;
  settled := bound >= next_xid;
  "position" := (select (bound + xid_offset) << 20 from journal.position_base);
end
$$;
`;

/**
 * What comes after a position, up to the horizon, in one exchange. Each statement of a volatile function sees what has
 * committed when it begins, so that everything below the horizon is there to be read; and both come from one life of the
 * server, because a crash between them breaks the connection.
 *
 * Unless there may be more below the horizon, a last row follows without a stream: its position is the last that a reader
 * of these streams has seen then, and its revision is 1 when no append under way holds anything back. It passes what the
 * filter leaves out, but nothing beyond what has committed: after a crash Postgres gives the transaction ids out again that
 * left nothing behind, and appends with those ids must not be taken for read.
 */
const readAfter = `
create function journal.read_after(after bigint, prefixes text[], size integer)
returns table (
  "position" bigint, stream text, revision integer, id uuid, type text, data text, metadata text
) language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  bound record;
  found integer;
  last bigint := after;
begin
  select h.position, h.settled into bound from journal.horizon() h;
  select max(e.position) into last from journal.events e where e.position > after and e.position < bound.position;
  if last is null then
    return query select after, '', bound.settled::integer, null::uuid, '', '', '';
    return;
  end if;
  return query
    select e.position, s.name, e.revision, e.id, e.type, e.data, e.metadata
    from journal.events e join lateral (select name from journal.streams where streams.id = e.stream) s on true
    where e.position > after and e.position <= last and (prefixes is null or s.name ^@ any (prefixes))
    order by e.position limit size;
  get diagnostics found = row_count;
  if found < size then
    return query select last, '', bound.settled::integer, null::uuid, '', '', '';
  end if;
end
$$;
`;

/** A function of an earlier step, with what a later one changes in it. */
const replaced = (sql: string, from: string, to: string): string =>
  sql.replace('create function', 'create or replace function').replaceAll(from, () => to);

/** Whoever listens is told the streams' names; an empty text, where they are too long to be told, is any stream. */
const appendTelling = replaced(
  append,
  `pg_notify('journal', '')`,
  `pg_notify('journal', case when octet_length(names) < 8000 then names else '' end)`,
);

/**
 * An append under way holds nothing back while nothing has committed beyond it: its own commit is told, and so is whatever
 * comes before that. Asked after the horizon was found, so that what is not seen yet is told afterwards.
 */
const readAfterUnlessHeldBack = replaced(
  readAfter,
  'bound.settled::integer',
  '(bound.settled or not exists (select from journal.events e where e.position >= bound.position))::integer',
);

/**
 * Postgres made a plan for each append anew, because plans for the lists at hand look cheaper to it than one for any: a third of
 * a millisecond, as much as writing fifty events.
 */
const planOnce = `
alter function journal.append(text, text, text, text, text, text, text) set plan_cache_mode = force_generic_plan;
`;

/** A server of one's own compiles what looks dear to it (`jit`, on by default): 28 ms for an append of 35 events that takes half a millisecond. */
const NO_JIT = [
  'append(text, text, text, text, text, text, text)',
  'is_repeat(integer, integer, integer, integer, text, text, text, text)',
  'horizon()',
  'read_after(bigint, text[], integer)',
  'raise_positions()',
]
  .map((signature) => `alter function journal.${signature} set jit = off;\n`)
  .join('');

/** What a group says of itself is not believed: counts that are wrong would leave gaps, and readers take "" for no stream. */
const appendOfWhatIsCounted = [
  ['  base bigint;\n', '  base bigint;\n  asked integer := 0;\n  written integer;\n'],
  [
    '    first_of[i] := skip + 1;\n',
    `    if count_of[i] is null or count_of[i] < 1 or name_of[i] = '' then
      raise exception 'journal.append got a stream without a name or without events';
    end if;
    first_of[i] := skip + 1;\n`,
  ],
  [
    '      start_of[i] := actual_of[i] + 1;\n',
    '      start_of[i] := actual_of[i] + 1;\n      asked := asked + count_of[i];\n',
  ],
  [
    '    where start_of[a] >= 0;\n',
    `    where start_of[a] >= 0;
    get diagnostics written = row_count;
    if written <> asked then
      raise exception 'journal.append got other events than it was told to count';
    end if;\n`,
  ],
].reduce((sql, [from = '', to = '']) => replaced(sql, from, to), appendTelling);

/**
 * Who may call these needs no right to write: they work as the journal's owner, and so they take no name from the caller's own
 * search path. What replaces a function takes its settings along, and not its grants.
 */
const appendAsOwner =
  appendOfWhatIsCounted +
  planOnce +
  ['append(text, text, text, text, text, text, text)', 'raise_positions()']
    .map(
      (signature) => `
alter function journal.${signature} security definer set search_path = pg_catalog, pg_temp set jit = off;
revoke execute on function journal.${signature} from public;`,
    )
    .join('');

/** All functions of the schema as the last step leaves them, where there is none. */
export const JOURNAL_FUNCTIONS =
  raisePositions + repeated + horizon + readAfterUnlessHeldBack + appendOfWhatIsCounted + NO_JIT + appendAsOwner;

/** Forward only, in this order; the schema is `journal`. */
export const postgresEventStoreMigrations: readonly Migration[] = [
  {
    name: '0001-journal',
    sql: `create schema if not exists journal;\n${tables}${raisePositions}${repeated}${append}${horizon}`,
  },
  { name: '0002-read-after', sql: readAfter },
  { name: '0003-fewer-reads', sql: appendTelling + readAfterUnlessHeldBack },
  { name: '0004-plan-appends-once', sql: planOnce },
  { name: '0005-no-jit', sql: NO_JIT },
  { name: '0006-append-as-owner', sql: appendAsOwner },
];
