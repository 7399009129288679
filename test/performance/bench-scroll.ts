import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import pg from 'pg';
import sharp from 'sharp';
import { freePort, ready, startApi } from './bench-http.js';
import { type BenchMember, makeMembers } from './bench-members.js';
import type { Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const CARDS = 300;
const VIEWPORT = { width: 1280, height: 800 };
/** A quick flick of a wheel: a screen in half a second. */
const PIXELS_A_SECOND = 1_600;
const BROWSERS = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome'];

interface Scrolled {
  readonly framesPerSecond: number;
  readonly nodes: number;
}

const SHOW_CONTENT = `
  with given as (select unnest($1::uuid[]) as id),
  shown as (
    update accounts set profile_card_content_url = '/objects/uploads/' || accounts.id, profile_card_content_type = 'image/jpeg'
    from given where accounts.id = given.id),
  chosen as (insert into profiles (account_id, card_content_id) select id, id from given)
  insert into contents (id, owner_id, surface, content_type, file_id, media_type, media_url, thumbnail_url)
  select id, id, 'discovery', 'image', id, 'image/jpeg', '/objects/uploads/' || id, '/objects/uploads/' || id || '/thumbnail'
  from given`;

/** Measures frames per second, and nodes in the document, while 300 cards with pictures scroll by in a real browser. */
export async function benchScroll(surroundings: Surroundings, log: (line: string) => void): Promise<Figure[]> {
  const executablePath = BROWSERS.find((file) => file !== undefined && existsSync(file));
  if (executablePath === undefined) {
    log('  skipped: no Chromium is installed (CHROMIUM names one)');
    return [];
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-scroll-'));
  const port = await freePort();
  const url = await surroundings.database();
  const api = startApi(port, url, dataDir);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await ready(port, api);
    const members = await makeMembers(pool, CARDS + 1);
    await pool.query(SHOW_CONTENT, [members.map(({ id }) => id)]);
    const page = await browser.newPage({ viewport: VIEWPORT });
    await signIn(page, port, members);
    const { framesPerSecond, nodes } = await page.evaluate<Scrolled>(SCROLL);
    const group = `${CARDS} cards scrolled`;
    return [
      { group, name: 'frames', value: framesPerSecond, unit: '/s', goal: { at: '>=', value: 55 } },
      { group, name: 'cards in the document at most', value: nodes, unit: '', goal: { at: '<=', value: 60 } },
    ];
  } finally {
    await browser.close();
    await pool.end();
    api.kill('SIGTERM');
    await once(api, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function signIn(page: Page, port: number, members: readonly BenchMember[]): Promise<void> {
  const origin = `http://localhost:${port}`;
  const [name = '', value = ''] = (members[0]?.cookie ?? '').split('=');
  await page.context().addCookies([{ name, value, url: origin }]);
  const picture = await sharp({
    create: {
      width: 480,
      height: 640,
      channels: 3,
      background: '#334',
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer();
  await page.route('**/objects/uploads/**', (route) => route.fulfill({ body: picture, contentType: 'image/jpeg' }));
  await page.goto(`${origin}/discovery`);
  await page.locator('main li[aria-posinset]').first().waitFor();
}

/** Runs in the page: scrolls steadily to the last card, which is loaded on the way. */
const SCROLL = `(async () => {
  const shown = () => document.querySelectorAll('main li[aria-posinset]');
  const last = () => Math.max(0, ...[...shown()].map((card) => Number(card.getAttribute('aria-posinset'))));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const start = await frame();
  let [frames, nodes, before] = [0, 0, start];
  while (last() < ${CARDS} && before < start + 120000) {
    const now = await frame();
    window.scrollBy(0, (${PIXELS_A_SECOND} * (now - before)) / 1000);
    before = now;
    frames += 1;
    if (frames % 10 === 0) nodes = Math.max(nodes, shown().length);
  }
  return { framesPerSecond: (frames * 1000) / (before - start), nodes };
})()`;
