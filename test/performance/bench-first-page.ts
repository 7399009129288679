import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { any, comeOnline } from './bench-discovery.js';
import { freePort, ready, runPaced, startApi, WARM_UP_SECONDS } from './bench-http.js';
import { type BenchMember, makeMembers } from './bench-members.js';
import { fillForPages, MEMBERS } from './long-history.js';
import { familyMs, postmasterOf, processMs, tellsProcessorTime } from './processor-time.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const ONLINE = 500;
const PER_SECOND = 200;
/** So few that no page waits for another. */
const PER_SECOND_ALONE = 20;
const CALL_MS_MAX = 20;
/** Each opens one page, again from the first after the last. */
const VISITORS = 20_000;

/** What every page behind the sign-in asks for at its beginning (`apps/web/src/app/signed-in.tsx`). */
const FRAME = [
  '/api/auth/user',
  '/api/auth/security-notices',
  '/api/chats/inbound-priority',
  '/api/notices/unread',
] as const;

interface Page {
  readonly name: string;
  readonly paths: readonly string[];
}

/** A page that the client shows after the sign-in asks for each answer; one that is opened later brings them along. */
const PAGES: readonly Page[] = [
  {
    name: 'home',
    paths: [...FRAME, '/api/discovery/feed?limit=12&offset=0', '/api/chats/mine', '/api/chats/pending-requests'],
  },
  {
    name: 'wallet',
    paths: [
      ...FRAME,
      '/api/nova/balance',
      '/api/nova/transactions?limit=20&groupBy=day',
      '/api/nova/transactions/totals',
    ],
  },
  { name: 'home with its first answers', paths: ['/', '/api/notices/unread'] },
  { name: 'wallet with its first answers', paths: ['/wallet', '/api/notices/unread'] },
];

/** Measures every call of a member's first page, with many members and a long history. */
export async function benchFirstPage(
  surroundings: Surroundings,
  seconds: number,
  log: (line: string) => void,
): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-first-page-'));
  const port = await freePort();
  const url = await surroundings.database();
  // Members come from networks of their own.
  const api = startApi(port, url, dataDir, { TRUST_PROXY: 'loopback' });
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    await ready(port, api);
    log('  filling in 100,000 members and 5,000,000 rows …');
    const members = await makeMembers(pool, MEMBERS);
    await fillForPages(pool);
    await comeOnline(pool, members.slice(0, ONLINE));
    await pool.query('checkpoint');
    const postmaster = tellsProcessorTime ? await postmasterOf(url) : 0;
    const serverPid = api.pid ?? 0;
    const times = () => ({ server: processMs(serverPid), postgres: familyMs(postmaster) });
    const figures: Figure[] = [];
    for (const page of PAGES) {
      const calls = callsOf(page, members);
      const load = { port, calls, warmUpSeconds: 0, seconds };
      await runPaced({ ...load, perSecond: PER_SECOND_ALONE, seconds: WARM_UP_SECONDS });
      const alone = await runPaced({ ...load, perSecond: PER_SECOND_ALONE });
      await runPaced({ ...load, perSecond: PER_SECOND, seconds: WARM_UP_SECONDS });
      const before = tellsProcessorTime ? times() : undefined;
      const together = await runPaced({ ...load, perSecond: PER_SECOND });
      const after = before && times();
      figures.push(...callFigures(page, PER_SECOND_ALONE, alone), ...callFigures(page, PER_SECOND, together));
      if (!before || !after) continue;
      const group = 'processor time a first page';
      const pages = PER_SECOND * seconds;
      figures.push(
        { group, name: `${page.name}, server`, value: (after.server - before.server) / pages, unit: 'ms' },
        { group, name: `${page.name}, Postgres`, value: (after.postgres - before.postgres) / pages, unit: 'ms' },
      );
    }
    return figures;
  } finally {
    await pool.end();
    api.kill('SIGTERM');
    await once(api, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
}

const callsOf = ({ paths }: Page, members: readonly BenchMember[]) =>
  Array.from({ length: VISITORS }, () => {
    const network = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
    return { paths, headers: { cookie: any(members).cookie, 'x-forwarded-for': network } };
  });

const callFigures = ({ name, paths }: Page, perSecond: number, latenciesMs: readonly (readonly number[])[]): Figure[] =>
  paths.map((call, place) => ({
    group: `first page at ${perSecond}/s, p95: ${name}`,
    name: call,
    value: percentile(latenciesMs[place] ?? [], 95),
    unit: 'ms',
    goal: { at: '<=', value: CALL_MS_MAX } as const,
  }));
