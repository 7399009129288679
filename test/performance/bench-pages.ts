import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { freePort, ready, startApi } from './bench-http.js';
import { loadPage } from './page-load.js';
import type { Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const BROWSERS = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];
const VIEWPORT = { width: 1280, height: 800 };
const MEMBER = 'ada@nova.example';
/** Its latest release that runs on Node 20. It has 200 packages, so it is fetched only here. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const LIGHTHOUSE_MS_MAX = 180_000;
const LIGHTHOUSE_LOADS = 3;
const PAINT_MS = 2_200;

interface PageGoals {
  readonly name: string;
  readonly path: string;
  readonly isOfMember: boolean;
  readonly requests?: number;
  readonly coldKb?: number;
  readonly warmKb?: number;
  readonly score?: number;
}

const PAGES: readonly PageGoals[] = [
  { name: 'landing', path: '/', isOfMember: false, requests: 15, coldKb: 250, score: 98 },
  { name: 'home', path: '/', isOfMember: true, requests: 35, coldKb: 500, warmKb: 30, score: 95 },
  { name: 'wallet', path: '/wallet', isOfMember: true, requests: 25, coldKb: 350, score: 97 },
  { name: 'feed', path: '/feed', isOfMember: true, score: 95 },
];
const LOOP_KB = 160;

/** Measures what pages fetch in a real browser, with the demo's members, and how Lighthouse judges them on a slow phone. */
export async function benchPages(surroundings: Surroundings, log: (line: string) => void): Promise<Figure[]> {
  const executablePath = BROWSERS.find((file) => file !== undefined && existsSync(file));
  if (executablePath === undefined) {
    log('  skipped: no Chromium is installed (CHROMIUM names one)');
    return [];
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-pages-'));
  const port = await freePort();
  const api = startApi(port, await surroundings.database(), dataDir, { DEMO_DATA: 'true' });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await ready(port, api);
    await fillDemo(port, dataDir);
    const origin = `http://localhost:${port}`;
    const cookie = await signIn(origin, dataDir);
    const figures: Figure[] = [];
    for (const page of PAGES) figures.push(...(await fetched(browser, origin, cookie, page)));
    figures.push(...(await judged(executablePath, origin, cookie, log)));
    return figures;
  } finally {
    await browser.close();
    api.kill('SIGTERM');
    await once(api, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function fillDemo(port: number, dataDir: string): Promise<void> {
  const demo: ChildProcess = spawn(process.execPath, ['tools/demo/main.mjs'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(port), NOVA_DATA_DIR: dataDir },
  });
  const [code] = (await once(demo, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the demo could not be filled: ${code ?? 'a signal'}`);
}

/** @returns the cookies of a member, as a header */
async function signIn(origin: string, dataDir: string): Promise<string> {
  const [password] = (await readFile(path.join(dataDir, 'secrets', 'demo-sign-in'), 'utf8')).split(' ');
  const answer = await fetch(`${origin}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email: MEMBER, password, tcConsent: true, tcVersion: '1.0' }),
  });
  if (!answer.ok) throw new Error(`${MEMBER} could not sign in: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

async function fetched(browser: Browser, origin: string, cookie: string, page: PageGoals): Promise<Figure[]> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  if (page.isOfMember) {
    await context.addCookies(
      cookie.split('; ').map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        return { name, value, url: origin };
      }),
    );
  }
  const cold = await loadPage(context, origin + page.path);
  const warm = await loadPage(context, origin + page.path);
  await context.close();
  const group = `page: ${page.name}`;
  const goal = (value: number | undefined) => (value === undefined ? {} : { goal: { at: '<=' as const, value } });
  return [
    { group, name: 'requests', value: cold.requests, unit: '', ...goal(page.requests) },
    { group, name: 'cold', value: (cold.bytes - cold.loopBytes) / 1_000, unit: 'kB', ...goal(page.coldKb) },
    { group, name: 'warm', value: warm.bytes / 1_000, unit: 'kB', ...goal(page.warmKb) },
    ...(cold.loopBytes > 0
      ? [{ group, name: 'loop, after the first picture', value: cold.loopBytes / 1_000, unit: 'kB', ...goal(LOOP_KB) }]
      : []),
  ];
}

interface Report {
  readonly categories: { readonly performance: { readonly score: number | null } };
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
}

/** Lighthouse's own simulation of a phone on slow 4G: the median of some loads, for one alone may meet anything. */
async function judged(chrome: string, origin: string, cookie: string, log: (line: string) => void): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, path: place, isOfMember, score } of PAGES) {
    const headers = isOfMember ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : [];
    try {
      const reports: Report[] = [];
      while (reports.length < LIGHTHOUSE_LOADS) reports.push(await judgedOnce(chrome, [origin + place, ...headers]));
      const group = `page: ${name}, Lighthouse mobile`;
      const ms = (audit: string) => medianOf(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
      const scores = reports.map(({ categories }) => Math.round((categories.performance.score ?? 0) * 100));
      figures.push(
        { group, name: 'score', value: medianOf(scores), unit: '', ...(score && { goal: { at: '>=', value: score } }) },
        {
          group,
          name: 'largest contentful paint',
          value: ms('largest-contentful-paint'),
          unit: 'ms',
          goal: { at: '<=', value: PAINT_MS },
        },
        { group, name: 'total blocking time', value: ms('total-blocking-time'), unit: 'ms' },
      );
    } catch (error) {
      log(`  Lighthouse left out for ${name}: ${String(error).slice(0, 300)}`);
    }
  }
  return figures;
}

async function judgedOnce(chrome: string, args: readonly string[]): Promise<Report> {
  const flags = ['--quiet', '--output=json', '--only-categories=performance', '--chrome-flags=--headless --no-sandbox'];
  const { stdout } = await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, ...args, ...flags], {
    env: { ...process.env, CHROME_PATH: chrome },
    timeout: LIGHTHOUSE_MS_MAX,
    maxBuffer: 100_000_000,
  });
  return JSON.parse(stdout) as Report;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
