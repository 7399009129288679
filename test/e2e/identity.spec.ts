import {
  accountMenuButton,
  expect,
  grantNova,
  held,
  registered,
  registerInBrowser,
  signInHere,
  signInInBrowser,
  somebody,
  someoneElse,
  test,
  toast,
} from './nova.js';

test('registers, signs out, and signs in again to the page asked for', async ({ page }) => {
  const ada = somebody('Ada Lovelace');
  await registerInBrowser(page, ada);
  await expect(page).toHaveURL('/');
  await accountMenuButton(page).click();
  await expect(page.getByRole('link', { name: 'Ada Lovelace' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(toast(page, 'Signed out')).toBeVisible();
  await expect(page.getByRole('button', { name: 'ENTER' })).toBeVisible();

  await signInInBrowser(page, ada, '/gifts');
  await expect(page.getByRole('heading', { level: 1, name: 'Gifts' })).toBeVisible();
  await expect(page).toHaveURL('/gifts');
});

test('shows nothing more of a member whose session ended in another tab', async ({ page, context, browser }) => {
  const ada = await registered(page.request, 'Ada Lovelace');
  await grantNova(browser, ada, 4321);
  const bela = await someoneElse(browser, 'Bela Bartok');
  await page.goto('/wallet');
  await expect(page.getByRole('main')).toContainText('4,321');

  const other = await context.newPage();
  await other.goto('/gifts');
  await accountMenuButton(other).click();
  await other.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();

  await page.getByRole('link', { name: 'Go Home' }).click();
  const balances = await held(page, /\/api\/nova\/balance/);
  await signInHere(page, bela);
  await accountMenuButton(page).click();
  await page.getByRole('link', { name: 'Buy Gifts' }).click();
  await balances.arrived();
  await expect(page.getByRole('heading', { name: 'Nova Wallet' })).toBeVisible();
  await expect(page.locator('body')).not.toContainText('4,321');
  balances.letGo();
  await expect(page.getByRole('main')).not.toContainText('4,321');
});

test('stops the moving background also before it has begun', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  let load = (): void => undefined;
  const loading = new Promise<void>((resolve) => (load = resolve));
  await page.route(/landing\.(webm|mp4)$/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Pause background' }).click();
  await expect(page.getByRole('button', { name: 'Play background' })).toBeVisible();
  load();
  const video = page.locator('video');
  await expect.poll(() => video.evaluate((shown: HTMLVideoElement) => shown.readyState)).toBeGreaterThan(0);
  expect(await video.evaluate((shown: HTMLVideoElement) => shown.paused)).toBe(true);
  await page.getByRole('button', { name: 'Play background' }).click();
  await expect(page.getByRole('button', { name: 'Pause background' })).toBeVisible();
});
