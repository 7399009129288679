import { gzipSync } from 'node:zlib';
import { expect, test } from './nova.js';

/** What a signed-out visitor loads at most, in gzipped bytes of JavaScript. */
const FIRST_LOAD_MAX = 180_000;

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
