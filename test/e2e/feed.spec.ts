import type { APIRequestContext, Browser, Page, Request, Route } from '@playwright/test';
import { clip } from '../support/media.js';
import {
  balancePill,
  expect,
  expectGoodScreen,
  grantNova,
  held,
  registered,
  searchCard,
  test,
  toast,
  unique,
  type Account,
} from './nova.js';
import { onlyPosts, publish } from './posts.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
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

async function withoutCookieNotice(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('nova.optionalCookies', 'true'));
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

for (const size of SIZES) {
  test.describe(`${size.width} px wide`, () => {
    test.use({ viewport: size });
    test.describe.configure({ timeout: 300_000 });

    test('the feed, a rating, a post and one that is not there', async ({ page, browser }) => {
      await withoutCookieNotice(page);
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
      await expectGoodScreen(page);
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0);
      await post(page, HOSTILE).getByRole('button', { name: 'Rate' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectGoodScreen(page);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.goto(`/post/${ids[1]}`);
      await expect(post(page, HOSTILE)).toBeVisible();
      await expectGoodScreen(page);
      await page.goto('/post/01a1fd04-a00c-7302-8962-7f3f5aca1fec');
      await expect(page.getByRole('heading', { name: 'Post not found' })).toBeVisible();
      await expectGoodScreen(page);
      await page.getByRole('link', { name: 'Back to Feed', exact: true }).click();
      await expect(page).toHaveURL(/\/feed$/);
    });
  });
}

test('a post is paid for once, half of it to its author, and its view earns points', async ({ page, browser }) => {
  const me = await registered(page.request, 'Viewer');
  await grantNova(browser, me, 10);
  const ada = await author(browser, 'Ada');
  const id = await publish(ada.request, { caption: 'A lake' });
  const [scrolls, events] = [calls(page, '/api/scroll'), calls(page, '/api/events')];
  await page.goto(`/post/${id}`);
  await expect(balancePill(page)).toContainText('9.00');
  expect(scrolls).toHaveLength(1);
  expect(eventTypes(events)).toEqual(['impression']);
  await page.waitForTimeout(QUALIFYING_MS);
  await page.getByRole('link', { name: 'Back to the feed' }).click();
  await expect(toast(page, 'Engagement')).toContainText('+1 point');
  await expect
    .poll(() => eventTypes(events.filter((event) => event.postDataJSON().postId === id)))
    .toEqual(['impression', 'qualified_view']);
  await page.goto(`/post/${id}`);
  await expect(post(page, 'A lake')).toBeVisible();
  // The impression comes after what a charge would come with.
  await expect.poll(() => eventTypes(events).filter((type) => type === 'impression').length).toBeGreaterThan(1);
  expect(scrolls.filter((scroll) => scroll.postDataJSON().postId === id)).toHaveLength(1);
  const wallet = await ada.request.get('/api/nova/balance');
  expect(await wallet.json()).toMatchObject({ earnedNova: 0.5 });
});

test('a view counts also when it ends with the page', async ({ page, browser }) => {
  await registered(page.request, 'Viewer');
  const ada = await author(browser, 'Ada');
  const id = await publish(ada.request, { caption: 'A lake' });
  const qualifiedViews = async (): Promise<number> =>
    (await (await ada.request.get(`/api/content/posts/${id}`)).json()).qualifiedViews;
  await page.goto(`/post/${id}`);
  await expect(post(page, 'A lake')).toBeVisible();
  await page.waitForTimeout(QUALIFYING_MS);
  expect(await qualifiedViews()).toBe(0);
  await page.goto('/terms');
  await expect.poll(qualifiedViews).toBe(1);
});

test('a charge draws the post anew that was paid for, and no other', async ({ page, browser }) => {
  await registered(page.request, 'Viewer');
  const ada = await author(browser, 'Ada');
  const known = await (await page.request.get(`/api/content/posts/${await publish(ada.request)}`)).json();
  const posts = Array.from({ length: 10 }, () => ({ ...known, id: crypto.randomUUID() }));
  await page.route('**/api/content/feed?*', (route) => route.fulfill({ json: { posts, hasMore: true } }));
  await page.route('**/api/events', (route) => route.fulfill({ json: { score: 0 } }));
  const charges: Route[] = [];
  await page.route('**/api/scroll', (route) => void charges.push(route));
  // Every drawing of a post writes its date.
  await page.addInitScript(() => {
    const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')!;
    Object.assign(window, { datesWritten: 0 });
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get() {
        Object.assign(window, { datesWritten: Reflect.get(window, 'datesWritten') + 1 });
        return format.get?.call(this);
      },
    });
  });
  const datesWritten = () => page.evaluate<number>(() => Reflect.get(window, 'datesWritten'));
  await page.goto('/feed');
  await expect.poll(() => charges.length).toBe(1);
  const before = await datesWritten();
  expect(before).toBeGreaterThanOrEqual(posts.length);
  await charges[0]?.fulfill({ json: { message: '', novaDeducted: 1, novaBalance: 41 } });
  await expect(balancePill(page)).toContainText('41.00');
  expect((await datesWritten()) - before).toBeLessThan(posts.length / 2);
});

test('without Nova it is said once, and nothing more is charged', async ({ page, browser }) => {
  await registered(page.request, 'Viewer');
  const ada = await author(browser, 'Ada');
  const ids = [await publish(ada.request, { caption: 'First' }), await publish(ada.request, { caption: 'Second' })];
  await onlyPosts(page, ids);
  const [scrolls, events] = [calls(page, '/api/scroll'), calls(page, '/api/events')];
  await page.goto('/feed');
  await post(page, 'First').scrollIntoViewIfNeeded();
  await expect(toast(page, 'Insufficient Nova')).toContainText('0.00 Nova');
  await expect(page.getByRole('link', { name: 'Top up to pay for what you read' })).toBeVisible();
  await post(page, 'Second').getByRole('button', { name: 'Share' }).scrollIntoViewIfNeeded();
  await expect.poll(() => eventTypes(events).filter((type) => type === 'impression')).toHaveLength(2);
  expect(scrolls).toHaveLength(1);
  await expect(balancePill(page)).toContainText('0.00');
});

test('one’s own posts are not charged, liked or rated', async ({ page }) => {
  await registered(page.request, 'Viewer');
  const [scrolls, events] = [calls(page, '/api/scroll'), calls(page, '/api/events')];
  const id = await publish(page.request, { caption: 'Of my own' });
  await page.goto(`/post/${id}`);
  await expect(post(page, 'Of my own').getByRole('button')).toHaveText(['Share']);
  await page.waitForTimeout(QUALIFYING_MS);
  await page.getByRole('link', { name: 'Back to the feed' }).click();
  await expect(page.getByRole('heading', { name: 'Feed' })).toBeVisible();
  expect([...scrolls, ...events].filter((request) => request.postDataJSON().postId === id)).toEqual([]);
});

test('a like shows at once, earns points, and is taken back when it fails', async ({ page, browser }) => {
  await registered(page.request, 'Viewer');
  const ada = await author(browser, 'Ada');
  const id = await publish(ada.request, { caption: 'A lake' });
  await page.goto(`/post/${id}`);
  const like = page.getByRole('button', { name: 'Like' });
  const likes = page.getByTitle('Likes');
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(likes).toContainText('1');
  await expect(toast(page, 'Engagement')).toContainText('+3 points');
  await expect(page.getByTitle('Likes')).toContainText('1');
  const path = `**/api/content/${id}/like`;
  await page.route(path, (route) => route.fulfill({ status: 409, json: { code: 'X', message: 'Not now.' } }));
  await like.click();
  await expect(toast(page, 'Failed to take your like back')).toContainText('Not now.');
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(likes).toContainText('1');
  await page.unroute(path);
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  await expect(likes).toContainText('0');
  await page.reload();
  await expect(like).toHaveAttribute('aria-pressed', 'false');
});

test('a rating starts at 50, is shown with its average, and says when it fails', async ({ page, browser }) => {
  await registered(page.request, 'Viewer');
  const ada = await author(browser, 'Ada');
  const id = await publish(ada.request, { caption: 'A lake' });
  await page.goto(`/post/${id}`);
  await page.getByRole('button', { name: 'Rate' }).click();
  const slider = page.getByRole('slider', { name: 'Rating' });
  await expect(slider).toHaveAttribute('aria-valuenow', '50');
  await slider.press('ArrowRight');
  const path = `**/api/content/${id}/rate`;
  await page.route(path, (route) => route.fulfill({ status: 409, json: { code: 'X', message: 'Not now.' } }));
  await page.getByRole('button', { name: 'Rate 51 of 100' }).click();
  await expect(toast(page, 'Failed to submit rating')).toContainText('Not now.');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.unroute(path);
  const rating = await held(page, /\/rate$/);
  await page.getByRole('button', { name: 'Rate 51 of 100' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeVisible();
  rating.letGo();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(toast(page, 'Engagement')).toContainText('+4 points');
  await expect(page.getByRole('button', { name: 'Rated 51' })).toBeVisible();
  await expect(page.getByTitle('Average rating')).toContainText('51 (1)');
});

for (const hasTouch of [false, true]) {
  test.describe(hasTouch ? 'on a touch screen' : 'with a mouse', () => {
    test.use({ hasTouch, isMobile: hasTouch });
    test('sharing copies a link that opens the post for somebody else', async ({ page, browser, context }) => {
      // Browsers on phones have a sheet of their own.
      await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: () => Promise.resolve() }));
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await registered(page.request, 'Viewer');
      const ada = await author(browser, 'Ada');
      const id = await publish(ada.request, { caption: 'A lake' });
      await page.goto(`/post/${id}`);
      await page.getByRole('button', { name: 'Share' }).click();
      await expect(toast(page, 'Engagement')).toContainText('Link copied · +5 points');
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(new URL(link).pathname).toBe(`/post/${id}`);
      const other = await browser.newContext();
      await registered(other.request, 'Ben');
      const othersPage = await other.newPage();
      await othersPage.goto(link);
      await expect(post(othersPage, 'A lake')).toBeVisible();
      await other.close();
    });
  });
}

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
  const links = await articles.getByRole('link').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
  expect(new Set(links).size).toBe(links.length);
  const link = articles.nth(6).getByRole('link');
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

test('whose author is blocked is gone, also for who comes back to their place', async ({ page, browser }) => {
  await withoutCookieNotice(page);
  await registered(page.request, 'Viewer');
  const [ada, ben] = [await author(browser, unique('Ada')), await author(browser, 'Ben')];
  await onlyPosts(page, [
    await publish(ada.request, { caption: 'Of Ada' }),
    await publish(ben.request, { caption: 'Of Ben' }),
  ]);
  await page.goto('/feed');
  await expect(page.getByRole('article')).toHaveCount(2);
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Discover' }).click();
  await searchCard(page, ada.account.displayName);
  await page.getByRole('button', { name: `More about ${ada.account.displayName}` }).click();
  await page.getByRole('menuitem', { name: 'Block', exact: true }).click();
  await expect(toast(page, 'This member is blocked.')).toBeVisible();
  await page.goBack();
  await expect(post(page, 'Of Ben')).toBeVisible();
  await expect(post(page, 'Of Ada')).toHaveCount(0);
});

test('a feed that cannot be loaded says so, and can be tried again', async ({ page }) => {
  await registered(page.request, 'Viewer');
  await page.route('**/api/content/feed?*', (route) =>
    route.fulfill({ status: 404, json: { code: 'X', message: 'Not this.' } }),
  );
  await page.route('**/api/status-bar', (route) =>
    route.fulfill({ status: 404, json: { code: 'X', message: 'Nor that.' } }),
  );
  await page.goto('/feed');
  await expect(page.getByRole('alert').filter({ hasText: 'Not this.' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Nor that.' })).toBeVisible();
  await expectGoodScreen(page);
  await onlyPosts(page, []);
  await page.unroute('**/api/status-bar');
  await page.getByRole('button', { name: 'Try again' }).last().click();
  await expect(page.getByRole('heading', { name: 'No posts yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Your engagement' })).toContainText('points today');
  await expectGoodScreen(page);
});

test('perks of the third level are offered, and a refusal is said', async ({ page }) => {
  await registered(page.request, 'Viewer');
  const id = await publish(page.request, { caption: 'Of my own' });
  await onlyPosts(page, [id]);
  const third = {
    dailyPoints: 126.5,
    dailyGoal: 100,
    currentLevel: 3,
    streakDays: 12,
    boostTokens: 1,
    prioritySlots: 1,
  };
  await page.route('**/api/status-bar', (route) => route.fulfill({ json: third }));
  await page.goto('/feed');
  const standing = page.getByRole('region', { name: 'Your engagement' });
  await expect(standing).toContainText('Level 3');
  await expect(standing).toContainText('126.5 / 100');
  await expectGoodScreen(page);
  // The server knows that this member is on the first level.
  await standing.getByRole('button', { name: 'Use priority slot' }).click();
  await expect(toast(page, 'Failed to use the priority slot')).toContainText('level 3');
  await page.getByRole('button', { name: 'Boost' }).click();
  await expect(toast(page, 'Failed to boost this post')).toContainText('level 2');
  const boostedUntil = new Date(Date.now() + 3_600_000).toISOString();
  await page.route(`**/api/content/${id}/boost`, (route) =>
    route.fulfill({ json: { message: 'Doubled for an hour.', boostedUntil } }),
  );
  await page.getByRole('button', { name: 'Boost' }).click();
  await expect(toast(page, 'Post boosted')).toContainText('Doubled for an hour.');
  await expect(page.getByRole('article')).toContainText('Boosted');
  await expect(page.getByRole('button', { name: 'Boost' })).toHaveCount(0);
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
