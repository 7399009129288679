import type { Pool } from 'pg';

/** How many members `FILL_MEMBERS` makes, and rows of their statements `FILL_HISTORY`. */
export const MEMBERS = 100_000;
const ROWS = 5_000_000;

/**
 * Rows of the accounts that are there, as the projections write them, without a journal: creating that many events is not
 * measured.
 */
const FILL_HISTORY: readonly string[] = [
  `create temp table member as select row_number() over () - 1 as n, id::text from accounts`,
  `create unique index on member (n)`,
  `insert into read.member_balance (user_id, purchased, earned, pending, karma, influence, seyvn, held)
   select id, (random() * 1e6)::bigint, (random() * 1e6)::bigint, 0, 0, 0, 0, 0 from member on conflict do nothing`,
  `insert into read.member_ratings (user_id, value, mean, count, given_count, given_total)
   select id, r, r, 1, 0, 0 from (select id, round((random() * 9)::numeric, 2) as r from member where n % 2 = 0) rated`,
  `insert into read.statements_row (revision, idx, user_id, type, amount, balance, counterparty_id, event_id, created_at)
   select 1000 + r, i, uuid_send(sender.id::uuid), case i when 0 then 'gift_send' else 'gift_receive' end, case i when 0 then -100000 else 50000 end,
     500000, uuid_send(receiver.id::uuid), md5('event ' || r)::uuid, now() - (${ROWS / 2} - r) * interval '1 second'
   from generate_series(1, ${ROWS / 2}) r cross join generate_series(0, 1) i
   join member sender on sender.n = (r::bigint * 7919 + i * 31) % ${MEMBERS} join member receiver on receiver.n = (r::bigint * 104729 + i) % ${MEMBERS}`,
  `insert into read.statements_count (type, rows) select type, count(*) from read.statements_row group by type
   on conflict (type) do update set rows = excluded.rows`,
  `insert into read.statements_second (second, revision)
   select extract(epoch from created_at)::bigint, max(revision) from read.statements_row where idx = 0 group by 1 on conflict do nothing`,
];

/** What else a member's first pages read: keys of the gifts, shares, chats, cards, characters and notices. */
const FILL_AROUND: readonly string[] = [
  `insert into read.ledger_key (hash, fingerprint, revision)
   select decode(md5('key ' || r), 'hex'), decode(left(md5('fingerprint ' || r), 16), 'hex'), 1000 + r from generate_series(1, ${ROWS / 2}) r`,
  `insert into read.statements_member (user_id, balance, earned_from_others) select id, 500000, 100000 from member on conflict do nothing`,
  ...['pool', 'statements_pool'].map(
    (table) => `insert into read.${table} (pool, accumulator, remainder, shares)
      select 'pool:' || name, 1e18, 0, 1e6 from unnest(array['influence', 'karma']) name on conflict do nothing`,
  ),
  ...['pool_share', 'statements_share'].map(
    (table) => `insert into read.${table} (user_id, pool, shares, settled_at, fraction)
      select id, 'pool:' || name, 10, 0, 0 from member cross join unnest(array['influence', 'karma']) name on conflict do nothing`,
  ),
  `insert into read.cards (user_id, heat, nova_received, shown_rating, rating_mean, rating_count, followers, following, wall_count)
   select id, random() * 1e6, 100000, 5, 5, 1, n % 50, n % 70, 0 from member where n % 2 = 0 on conflict do nothing`,
  // Of two chats a member, one in fifty is a request that waits.
  `insert into read.chats (chat_id, initiator_id, host_id, price, status, revision, requested_at, accept_by, exchanges,
     total_characters, host_characters, ended_at, completed_at, thread, host_released_at, initiator_released_at, side_closed)
   select gen_random_uuid()::text, initiator.id, host.id, 100000, case when is_open then 'requested' else 'completed' end, 1, at,
     at + interval '5 minutes', 12, 4000, 2000, case when not is_open then at end, case when not is_open then at end, false,
     case when not is_open then at end, case when not is_open then at end, false
   from (
     select n, n % 50 = 0 as is_open, now() - n * interval '1 minute' as at from generate_series(1, ${2 * MEMBERS}) n) chat
   join member initiator on initiator.n = chat.n % ${MEMBERS} join member host on host.n = (chat.n * 7919::bigint + 1) % ${MEMBERS}`,
  `insert into resonance_profiles (account_id, horizon, scores, current_traits, ideal_traits)
   select id::uuid, 'midterm', array_fill(50 + n % 50, array[15]), '{Calm,Curious}', '{Kind,Patient}' from member where n % 2 = 0
   on conflict do nothing`,
  `insert into notices (id, account_id, source, kind, facts, created_at)
   select gen_random_uuid(), id::uuid, 'event ' || k, 'gift_received', '{}', now() - k * interval '1 day'
   from member cross join generate_series(1, 10) k`,
  `insert into security_notices (id, account_id, kind, facts, created_at)
   select gen_random_uuid(), id::uuid, 'password_changed', '{"kind":"password_changed"}', now() - interval '1 year' from member`,
];

/** Gives every account a part of 5,000,000 rows of gifts, and a rating to every other one. */
export const fillHistory = (pool: Pool): Promise<void> => fill(pool, FILL_HISTORY);

/** The same, with all that the first pages of members read. */
export const fillForPages = (pool: Pool): Promise<void> => fill(pool, [...FILL_HISTORY, ...FILL_AROUND]);

async function fill(pool: Pool, statements: readonly string[]): Promise<void> {
  const client = await pool.connect();
  try {
    for (const sql of statements) await client.query(sql);
    await client.query('vacuum analyze');
  } finally {
    client.release();
  }
}
