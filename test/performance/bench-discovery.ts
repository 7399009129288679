import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { contentStream, encodeContentEvent } from '@app/domain';
import { PostgresEventStore } from '@app/event-store';
import pLimit from 'p-limit';
import pg from 'pg';
import { ADMIN, freePort, post, ready, register, runPaced, startApi } from './bench-http.js';
import { type BenchMember, makeMembers } from './bench-members.js';
import type { PacedCalls } from './paced-load.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const MEMBERS = 10_000;
const POSTS = 100_000;
const UPVOTES = 1_000;
const ONLINE = 500;
const PER_SECOND = 200;
const WARM_UP_SECONDS = 2;
const AT_ONCE = 256;
const REQUESTS = 2_000;

const SYLLABLES = ['ka', 'mi', 'ro', 'ne', 'lu', 'sha', 'to', 'ber', 'an', 'del', 'vi', 'yo', 'ex', 'qui', 'zan', 'or'];
const syllable = (n: number): string => SYLLABLES[n % SYLLABLES.length] ?? '';
/** Names as varied as real ones. */
const nameOf = (n: number): string =>
  `${syllable(n)}${syllable(n >> 4)}${syllable(n * 7)} ${syllable(n >> 8)}${syllable(n * 13)}${syllable(n >> 2)} ${n % 97}`;

/** Measures cards, feed and search of a platform with many members. */
export async function benchDiscovery(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-discovery-'));
  const port = await freePort();
  const url = await surroundings.database();
  const api = startApi(port, url, dataDir);
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  try {
    await ready(port, api);
    const members = await makeMembers(pool, MEMBERS, nameOf);
    await publish(url, pool, members);
    await upvote(port, pool, members);
    await comeOnline(pool, members.slice(0, ONLINE));
    await pool.query('analyze');
    return [
      ...(await measure('cards', port, callsOf(members, cardsPath), { seconds, goal: 50 })),
      ...(await measure('feed', port, callsOf(members, feedPath), { seconds, goal: 50 })),
      ...(await measure('search', port, callsOf(members, searchPath), { seconds, goal: 60 })),
    ];
  } finally {
    await pool.end();
    api.kill('SIGTERM');
    await once(api, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Measure {
  readonly seconds: number;
  readonly goal: number;
}

async function measure(
  what: string,
  port: number,
  calls: readonly PacedCalls[],
  { seconds, goal }: Measure,
): Promise<Figure[]> {
  const order = { port, calls, perSecond: PER_SECOND, seconds, warmUpSeconds: WARM_UP_SECONDS };
  const [latenciesMs = []] = await runPaced(order);
  const group = `${what} at ${PER_SECOND}/s`;
  return [
    { group, name: 'p50', value: percentile(latenciesMs, 50), unit: 'ms' },
    { group, name: 'p95', value: percentile(latenciesMs, 95), unit: 'ms', goal: { at: '<=', value: goal } },
  ];
}

const callsOf = (members: readonly BenchMember[], pathOf: (members: readonly BenchMember[]) => string): PacedCalls[] =>
  Array.from({ length: REQUESTS }, () => ({ paths: [pathOf(members)], headers: { cookie: any(members).cookie } }));

/** Most members read the first pages; some filter. */
const cardsPath = (): string => {
  const query = new URLSearchParams({ limit: '12', offset: String(12 * (randomInt(10) < 7 ? 0 : randomInt(12))) });
  const dice = randomInt(10);
  if (dice === 0) query.set('minRating', '4.5');
  if (dice === 1) query.set('onlineOnly', 'true');
  return `/api/discovery/feed?${query.toString()}`;
};
const feedPath = (): string => `/api/content/feed?limit=10&offset=${10 * (randomInt(10) < 7 ? 0 : randomInt(20))}`;
const searchPath = (members: readonly BenchMember[]): string => {
  const name = any(members).displayName;
  const from = randomInt(3);
  return `/api/discovery/feed?limit=12&search=${encodeURIComponent(name.slice(from, from + 2 + randomInt(6)))}`;
};

export function any<T>(list: readonly T[]): T {
  const found = list[randomInt(list.length)];
  if (found === undefined) throw new Error('an empty list');
  return found;
}

const INSERT_CONTENTS = `
  insert into contents (id, owner_id, surface, content_type, file_id, media_type, media_url, thumbnail_url, caption, hashtags)
  select id, owner_id, 'feed', 'image', id, 'image/jpeg', '/objects/uploads/' || id, '/objects/uploads/' || id || '/thumbnail',
    'A caption of some words, as members write them', '{sky,stars}'
  from unnest($1::uuid[], $2::uuid[]) as given(id, owner_id)`;

/** Rows and events of posts, as publishing them makes them; their files are not read here. */
async function publish(url: string, pool: pg.Pool, members: readonly BenchMember[]): Promise<void> {
  const posts = Array.from({ length: POSTS }, () => ({ contentId: randomUUID(), authorId: any(members).id }));
  await pool.query(INSERT_CONTENTS, [posts.map(({ contentId }) => contentId), posts.map(({ authorId }) => authorId)]);
  const store = await PostgresEventStore.open({ connectionString: url });
  await pLimit(AT_ONCE).map(posts, (given) => {
    const at = Date.now() - randomInt(7 * 86_400_000);
    const data = encodeContentEvent({ type: 'ContentPublished', ...given, surface: 'feed', at });
    const event = { id: randomUUID(), type: 'ContentPublished', data, metadata: '{}' };
    return store.append(contentStream(given.contentId), [event], 'none');
  });
  await store.close();
}

/** Some cards have received Nova; waits until the read models have everything. */
async function upvote(port: number, pool: pg.Pool, members: readonly BenchMember[]): Promise<void> {
  const admin = await register(port, ADMIN);
  await post(port, `/api/admin/users/${admin.id}/add-nova`, { amount: 1_000_000 }, admin.cookie);
  for (let n = 0; n < UPVOTES; n += 8) {
    const cards = Array.from({ length: 8 }, () => any(members).id);
    await Promise.all(cards.map((profileId) => post(port, '/api/discovery/upvote', { profileId }, admin.cookie)));
  }
  const shown = 'select count(*)::int as posts from read.posts';
  while ((await pool.query<{ posts: number }>(shown)).rows[0]?.posts !== POSTS) await pause(200);
}

/** Makes members look online, as if they had sockets at a server that stays alive during the measurement. */
export async function comeOnline(pool: pg.Pool, members: readonly BenchMember[]): Promise<void> {
  const processId = randomUUID();
  await pool.query('insert into presence_process (id) values ($1)', [processId]);
  await pool.query('insert into presence (user_id, process_id) select member, $2 from unnest($1::uuid[]) as member', [
    members.map(({ id }) => id),
    processId,
  ]);
  const beat = (): void =>
    void pool
      .query('update presence_process set seen_at = now() where id = $1', [processId])
      .catch(() => clearInterval(beating));
  const beating = setInterval(beat, 1_000).unref();
}
