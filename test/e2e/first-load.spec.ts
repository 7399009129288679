import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { accountMenuButton, expect, expectGoodScreen, expectOnlyErrors, grantNova, registered, test } from './nova.js';

/** The most JavaScript that a signed-out visitor loads, with the sign-in, in gzipped bytes: what it is, and a twentieth. */
const FIRST_LOAD_MAX = 185_000;

test('a signed-out visitor loads little, and nothing of the pages behind the sign-in', async ({ page }) => {
  const scripts = new Map<string, Promise<Buffer>>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.js')) scripts.set(pathname, response.body());
  });
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('.js')),
    page.goto('/'),
  ]);
  expect(await answer.headerValue('content-encoding')).toBe('br');
  await page.getByRole('button', { name: 'ENTER' }).click();
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  let total = 0;
  for (const body of scripts.values()) total += gzipSync(await body, { level: 9 }).length;
  expect([...scripts.keys()].filter((name) => /main-page|signed-in|wallet|chart|upload/.test(name))).toEqual([]);
  expect(scripts.size).toBeGreaterThan(2);
  expect(total).toBeLessThanOrEqual(FIRST_LOAD_MAX);
});

test.describe('what a member loads', () => {
  // Without pictures: the kilobytes are what it is and a twentieth, the requests leave room for two or three polls.
  const BUDGETS = [
    { path: '/', heading: 'Discover', requests: 20, kB: 310 },
    { path: '/wallet', heading: 'Nova Wallet', requests: 18, kB: 287 },
    { path: '/feed', heading: 'Feed', requests: 24, kB: 321 },
  ];

  for (const { path, heading, requests, kB } of BUDGETS) {
    test(`is little, and asked for once: ${path}`, async ({ page }) => {
      await registered(page.request, 'Wanda');
      const devtools = await page.context().newCDPSession(page);
      const urls = new Map<string, string>();
      let bytes = 0;
      // Others' cards are other tests' members, with pictures of any size.
      devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
        if (request.url.startsWith('http') && !request.url.includes('/objects/')) urls.set(requestId, request.url);
      });
      devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        if (urls.has(requestId)) bytes += encodedDataLength;
      });
      await devtools.send('Network.enable');
      const opened = await page.goto(path);
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(urls.size, [...urls.values()].join('\n')).toBeLessThanOrEqual(requests);
      expect(bytes / 1_000).toBeLessThanOrEqual(kB);
      // The page brought these answers along, which are nobody else's: no cache may keep it.
      expect(await opened?.headerValue('cache-control')).toBe('private, no-store');
      // Nor are they for whoever sits here after the member has signed out.
      await expect(page.locator('#first-answers')).toHaveCount(0);
      const asked = [...urls.values()].map((url) => new URL(url).pathname + new URL(url).search);
      expect(asked).not.toContain('/api/auth/user');
      expect(asked.filter((url) => /offset=0|transactions|balance/.test(url))).toEqual([]);
    });
  }
});

test.describe('what a page shows before any script of the client', () => {
  const withoutClient = (page: Page) => page.route('/start.js', (route) => route.fulfill({ body: '' }));

  /** Where the first text of this kind stands, whether or not it is for assistive software. */
  async function placeOf(page: Page, text: string): Promise<Record<string, number> | null> {
    await page.waitForLoadState('networkidle');
    return page.locator('#root').getByText(text, { exact: true }).last().boundingBox();
  }

  for (const { width, height } of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    test(`stands where the client then has it, ${width} px wide`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      const compared = async (path: string, text: string) => {
        await withoutClient(page);
        await page.goto(path);
        await expect(page.locator('#root [aria-hidden="true"]').first()).toBeAttached();
        const shell = await placeOf(page, text);
        await page.unroute('/start.js');
        await page.goto(path);
        await expect(page.locator('main')).toBeVisible();
        await expect(page.getByText(text, { exact: true }).last()).toBeVisible();
        const client = await placeOf(page, text);
        expect(shell, path).not.toBeNull();
        for (const side of ['x', 'y', 'height'] as const) {
          expect(Math.abs((shell?.[side] ?? 0) - (client?.[side] ?? 0)), `${side} of ${text}`).toBeLessThanOrEqual(4);
        }
      };
      await compared('/terms-of-nobody', 'Meet people worth talking to, in paid chats where both sides are rewarded.');
      await registered(page.request, 'Wanda');
      await compared('/wallet', 'Nova Wallet');
    });
  }

  test('has the pictures of the first cards', async ({ page }) => {
    await registered(page.request, 'Wanda');
    await withoutClient(page);
    await page.goto('/');
    const answers = JSON.parse((await page.locator('#first-answers').textContent()) ?? '{}') as Record<
      string,
      readonly [number, { profiles: readonly { profileCardContent: object | null }[] }]
    >;
    const [, { profiles }] = answers['/api/discovery/feed?limit=12&offset=0'] ?? [0, { profiles: [] }];
    const pictured = profiles.slice(0, 4).filter(({ profileCardContent }) => profileCardContent !== null);
    await expect(page.locator('#root img[src*="/objects/uploads/"]')).toHaveCount(pictured.length);
    await expect(page.locator('#root img[data-picture]')).toHaveCount(0);
  });
});

test.describe('a page whose next part is not there', () => {
  const WALLET = '**/assets/wallet-page-*.js';

  /** Signed in, on the way to the wallet by the menu; what the server gives instead of that page is told before. */
  async function goToWallet(page: Page): Promise<void> {
    await registered(page.request, 'Wanda');
    await page.goto('/quests');
    await accountMenuButton(page).click();
    await page.getByRole('link', { name: 'Buy Gifts' }).click();
  }

  test('is loaded anew once the server has another release', async ({ page }) => {
    let isReplaced = true;
    await page.route(WALLET, (route) => (isReplaced ? route.fulfill({ status: 404 }) : route.continue()));
    await page.route('/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/index-next.js"></script>' }),
    );
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.url().endsWith('/wallet')) isReplaced = false;
    });
    await goToWallet(page);
    await expect(page.getByRole('heading', { name: 'Nova Wallet' })).toBeVisible();
    expect(isReplaced).toBe(false);
    expectOnlyErrors('wallet-page');
  });

  test('says so where it is the same release, and leaves the ways to other pages open', async ({ page }) => {
    await page.route(WALLET, (route) => route.abort());
    await goToWallet(page);
    await expect(page.getByText('This page could not be shown.')).toBeVisible();
    await expectGoodScreen(page);
    await page.getByRole('link', { name: 'Status' }).click();
    await expect(page.getByRole('heading', { name: 'Nova Breakdown' })).toBeVisible();
    await page.goBack();
    await expect(page.getByText('This page could not be shown.')).toBeVisible();
    await page.unroute(WALLET);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Nova Wallet' })).toBeVisible();
    expectOnlyErrors('wallet-page');
  });

  test('leaves what is around a chart that does not come', async ({ page, browser }) => {
    await grantNova(browser, await registered(page.request, 'Wanda'), 100);
    await page.route('**/assets/nova-breakdown-chart-*.js', (route) => route.abort());
    await page.goto('/?tab=status');
    await expect(page.getByText('The chart could not be loaded.')).toBeVisible();
    await expect(page.getByRole('table', { name: 'Nova by part' })).toContainText('100');
    await page.unroute('**/assets/nova-breakdown-chart-*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator('.recharts-surface').first()).toBeVisible();
    expectOnlyErrors('nova-breakdown-chart');
  });
});
