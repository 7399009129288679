import type pg from 'pg';
import { PUSH_PACE_MS, PUSHES_OF_BROWSER_WAITING_MAX, PUSHES_WAITING_MAX } from '../limits.js';
import type { NewPush } from './push.js';

/**
 * A row for each browser of a member who chose the kind. What waits on the same topic becomes the newer one, and what went out
 * on it a moment ago keeps the next waiting.
 */
const ADD = `
  insert into pushes as p (id, subscription_id, account_id, kind, topic, facts, expires_at, next_at)
  select gen_random_uuid(), s.id, s.account_id, n.kind, n.topic, n.facts, n.expires_at,
    greatest(clock_timestamp(), (
      select max(q.created_at) + $6 * interval '1 ms' from pushes q
      where q.subscription_id = s.id and q.topic = n.topic and q.attempts > 0))
  from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[])
      as n(account_id, kind, topic, facts, expires_at)
    join push_subscriptions s on s.account_id = n.account_id
    left join push_settings t on t.account_id = n.account_id
  where n.expires_at > clock_timestamp()
    and not n.kind = any(coalesce(t.off_kinds, '{}'))
    and (select count(*) from (select from pushes where finished_at is null limit $7) waiting) < $7
    and (select count(*) from pushes q where q.subscription_id = s.id and q.finished_at is null) < $8
  on conflict (subscription_id, topic) where attempts = 0
    do update set facts = excluded.facts, expires_at = excluded.expires_at`;

/** Puts notifications into the queue, in the caller's transaction if it has one (rule notices-6). */
export async function queuePushes(client: Pick<pg.PoolClient, 'query'>, pushes: readonly NewPush[]): Promise<void> {
  // Within one statement a row is changed once: the newest of a topic counts.
  const newest = [...new Map(pushes.map((push) => [`${push.memberId} ${push.topic}`, push])).values()];
  if (newest.length === 0) return;
  await client.query(ADD, [
    newest.map(({ memberId }) => memberId),
    newest.map(({ kind }) => kind),
    newest.map(({ topic }) => topic),
    newest.map(({ facts }) => JSON.stringify(facts)),
    newest.map(({ expiresAt }) => new Date(expiresAt)),
    PUSH_PACE_MS,
    PUSHES_WAITING_MAX,
    PUSHES_OF_BROWSER_WAITING_MAX,
  ]);
}
