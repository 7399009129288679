import type { APIRequestContext, Browser, Page, Request } from '@playwright/test';
import { clip } from '../support/media.js';
import {
  acceptCookies,
  balancePill,
  expect,
  expectGoodAtEverySize,
  grantNova,
  registered,
  test,
  toast,
  type Account,
} from './nova.js';
import { onlyPosts, publish } from './posts.js';

const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff Adolph';
const HOSTILE = '<img src=x onerror=alert(1)>';
const LONG_CAPTION = 'The tide was out and the light came late. '.repeat(11);
/** Longer than a qualified view takes (rule feed-7). */
const QUALIFYING_MS = 3_200;

interface Author {
  readonly account: Account;
  readonly request: APIRequestContext;
}

async function author(browser: Browser, displayName: string): Promise<Author> {
  const { request } = await browser.newContext();
  return { account: await registered(request, displayName), request };
}

const post = (page: Page, caption: string) => page.getByRole('article').filter({ hasText: caption });

/** The calls of a kind that the page makes from now on. */
function calls(page: Page, path: string): Request[] {
  const made: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === path) made.push(request);
  });
  return made;
}

const eventTypes = (requests: readonly Request[]): unknown[] =>
  requests.map((request) => request.postDataJSON().eventType);

test('the feed, a rating, a post and one that is not there', async ({ page, browser }) => {
  // Many scans in one test, each of which looks at every element of the screen.
  test.setTimeout(300_000);
  await acceptCookies(page);
  const me = await registered(page.request, 'Viewer');
  await grantNova(browser, me, 10);
  const [ada, noor] = [await author(browser, LONG_NAME), await author(browser, 'نور الهدى')];
  const ids = [
    await publish(ada.request, { caption: LONG_CAPTION, hashtags: ['sea', 'été', 'بحر'] }),
    await publish(noor.request, { caption: `${HOSTILE} a clip`, file: await clip('webm') }),
    await publish(page.request, { caption: 'Of my own' }),
  ];
  await onlyPosts(page, ids);
  await page.goto('/feed');
  await expect(page.getByRole('article')).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Your engagement' })).toContainText('Level 1');
  await expect(post(page, HOSTILE)).toHaveCount(1);
  await expect(page.getByText('You have seen every post.')).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0);
  await post(page, HOSTILE).getByRole('button', { name: 'Rate' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto(`/post/${ids[1]}`);
  await expect(post(page, HOSTILE)).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.goto('/post/01a1fd04-a00c-7302-8962-7f3f5aca1fec');
  await expect(page.getByRole('heading', { name: 'Post not found' })).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.getByRole('link', { name: 'Back to Feed', exact: true }).click();
  await expect(page).toHaveURL(/\/feed$/);
});

test('a post is paid for once, half of it to its author; its view earns points, also when it ends with the page', async ({
  page,
  browser,
}) => {
  const me = await registered(page.request, 'Viewer');
  await grantNova(browser, me, 10);
  const ada = await author(browser, 'Ada');
  const id = await publish(ada.request, { caption: 'A lake' });
  const [scrolls, events] = [calls(page, '/api/scroll'), calls(page, '/api/events')];
  await page.goto(`/post/${id}`);
  await expect.poll(() => eventTypes(events)).toEqual(['impression']);
  // Who was only led here pays when they begin to read.
  expect(scrolls).toHaveLength(0);
  await post(page, 'A lake').hover();
  await page.mouse.wheel(0, 40);
  await expect(balancePill(page)).toContainText('9.00');
  expect(scrolls).toHaveLength(1);
  expect(eventTypes(events)).toEqual(['impression']);
  await page.waitForTimeout(QUALIFYING_MS);
  await page.getByRole('link', { name: 'Back to the feed' }).click();
  await expect(toast(page, '+1')).toBeVisible();
  await expect
    .poll(() => eventTypes(events.filter((event) => event.postDataJSON().postId === id)))
    .toEqual(['impression', 'qualified_view']);
  await page.goto(`/post/${id}`);
  await post(page, 'A lake').hover();
  await page.mouse.wheel(0, 40);
  // The impression comes after the call that would bring a charge.
  await expect.poll(() => eventTypes(events).filter((type) => type === 'impression').length).toBeGreaterThan(1);
  expect(scrolls.filter((scroll) => scroll.postDataJSON().postId === id)).toHaveLength(1);
  const wallet = await ada.request.get('/api/nova/balance');
  expect(await wallet.json()).toMatchObject({ earnedNova: 0.5 });

  const another = await publish(ada.request, { caption: 'A hill' });
  const qualifiedViews = async (): Promise<number> =>
    (await (await ada.request.get(`/api/content/posts/${another}`)).json()).qualifiedViews;
  await page.goto(`/post/${another}`);
  await expect(post(page, 'A hill')).toBeVisible();
  await page.waitForTimeout(QUALIFYING_MS);
  expect(await qualifiedViews()).toBe(0);
  await page.goto('/terms');
  await expect.poll(qualifiedViews).toBe(1);
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('sharing copies a link that opens the post for somebody else', async ({ page, browser, context }) => {
    // Browsers on phones have a sheet of their own.
    await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: () => Promise.resolve() }));
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await grantNova(browser, await registered(page.request, 'Viewer'), 100);
    const ada = await author(browser, 'Ada');
    const id = await publish(ada.request, { caption: 'A lake' });
    let charges = 0;
    page.on('request', (request) => (charges += Number(request.url().endsWith('/api/scroll'))));
    await page.goto(`/post/${id}`);
    await page.getByRole('button', { name: 'Share' }).click();
    // Seeing the post scores as well.
    await expect(toast(page, /^Link copied · \+[56]$/)).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(link).pathname).toBe(`/post/${id}`);
    expect(charges, 'charges of who only shared').toBe(0);
    const other = await browser.newContext();
    await registered(other.request, 'Ben');
    const othersPage = await other.newPage();
    await othersPage.goto(link);
    await expect(post(othersPage, 'A lake')).toBeVisible();
    await other.close();
  });
});

test('more posts come ten at a time, and the place is kept for who comes back', async ({ page, browser }) => {
  const me = await registered(page.request, 'Viewer');
  await grantNova(browser, me, 100);
  const ada = await author(browser, 'Ada');
  for (let count = 1; count <= 11; count++) await publish(ada.request, { caption: `Number ${count}` });
  await page.goto('/feed');
  const articles = page.getByRole('article');
  await expect(articles).toHaveCount(10);
  await page.getByRole('button', { name: 'Load More Posts' }).click();
  await expect.poll(() => articles.count()).toBeGreaterThan(10);
  const links = await articles
    .locator('a[href^="/post/"]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
  expect(new Set(links).size).toBe(links.length);
  const link = articles.nth(6).locator('a[href^="/post/"]');
  await link.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(1_000);
  await link.click();
  await expect(page).toHaveURL(/\/post\//);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
  await link.click();
  await page.getByRole('link', { name: 'Back to the feed' }).click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
});

test.describe('videos', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('play in view, muted and one at a time, until they are stopped', async ({ page, browser }) => {
    await registered(page.request, 'Viewer');
    const ada = await author(browser, 'Ada');
    const ids = [
      await publish(ada.request, { caption: 'First', file: await clip('webm') }),
      await publish(ada.request, { caption: 'Second', file: await clip('webm') }),
    ];
    await onlyPosts(page, ids);
    await page.goto('/feed');
    const [first, second] = [post(page, 'First'), post(page, 'Second')];
    await first.getByRole('button', { name: 'Share' }).scrollIntoViewIfNeeded();
    await expect(first.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect(second.getByRole('button', { name: 'Play' })).toBeVisible();
    expect(await first.locator('video').evaluate((video: HTMLVideoElement) => video.muted)).toBe(true);
    await first.getByRole('button', { name: 'Unmute' }).click();
    expect(await first.locator('video').evaluate((video: HTMLVideoElement) => video.muted)).toBe(false);
    await second.getByRole('button', { name: 'Share' }).scrollIntoViewIfNeeded();
    await expect(second.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect(first.getByRole('button', { name: 'Play' })).toBeVisible();
    await second.getByRole('button', { name: 'Pause' }).click();
    await expect(second.getByRole('button', { name: 'Play' })).toBeVisible();
    await second.getByRole('button', { name: 'Play' }).click();
    await expect(second.getByRole('button', { name: 'Pause' })).toBeVisible();
  });
});
