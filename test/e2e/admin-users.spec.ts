import type { Page } from '@playwright/test';
import {
  adminContext,
  expect,
  expectGoodScreen,
  grantNova,
  held,
  registered,
  signInInBrowser,
  someoneElse,
  test,
  toast,
  unique,
  type Account,
} from './nova.js';
import { GOOD_PASSWORD, GOOD_PIN } from '../support/secrets.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

async function openUsers(page: Page, search: string): Promise<void> {
  await page.goto('/admin?section=users');
  await page.getByLabel('Search users').fill(search);
  await expect(page).toHaveURL(/search=/);
}

async function choose(page: Page, { displayName }: Account, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${displayName}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
  await expect(page.getByRole('dialog', { name: action })).toBeVisible();
}

test('an admin resets a password, and the member is out until they know it', async ({ browser, page: member }) => {
  const ada = await registered(member.request, unique('Ada'));
  await member.goto('/wallet');
  const context = await adminContext(browser);
  const page = await context.newPage();
  await openUsers(page, ada.email);
  await choose(page, ada, 'Reset Password');
  const dialog = page.getByRole('dialog', { name: 'Reset Password' });
  await dialog.getByLabel('New password').fill('short');
  await dialog.getByRole('button', { name: 'Reset Password' }).click();
  await expect(dialog.getByText('The password needs at least 6 characters.')).toBeVisible();
  await dialog.getByLabel('New password').fill('sesame street');
  await dialog.getByLabel('Reason (optional)').fill('She called us');
  await dialog.getByRole('button', { name: 'Reset Password' }).click();
  await expect(toast(page, 'Password Reset')).toBeVisible();
  await expect(page.getByRole('button', { name: `Actions for ${ada.displayName}` })).toBeFocused();

  expect((await member.request.get('/api/auth/user')).status()).toBe(401);
  const fresh = await browser.newContext();
  const again = await fresh.newPage();
  await signInInBrowser(again, { email: ada.email, password: 'sesame street' });
  await expect(again.getByRole('button', { name: 'Account menu' })).toBeVisible();

  await choose(page, ada, 'Reset PIN');
  const pin = page.getByRole('dialog', { name: 'Reset PIN' });
  await pin.getByLabel('New PIN').pressSequentially('0a4-2');
  await expect(pin.getByLabel('New PIN')).toHaveValue('042');
  await pin.getByRole('button', { name: 'Reset PIN' }).click();
  await expect(pin.getByText('The PIN needs exactly 4 digits.')).toBeVisible();
  await pin.getByLabel('New PIN').fill('0420');
  await pin.getByRole('button', { name: 'Reset PIN' }).click();
  await expect(toast(page, 'PIN Reset')).toBeVisible();
  await fresh.close();
  await context.close();
});

test('an admin changes a rating, and a failure is told in a toast', async ({ browser }) => {
  const ada = await someoneElse(browser, unique('Ada'));
  const context = await adminContext(browser);
  const page = await context.newPage();
  await openUsers(page, ada.email);
  await choose(page, ada, 'Change Rating');
  const dialog = page.getByRole('dialog', { name: 'Change Rating' });
  await dialog.getByLabel('New rating').fill('10');
  await dialog.getByRole('button', { name: 'Change Rating' }).click();
  await expect(dialog.getByText(/from 0.00 to 9.99/).first()).toBeVisible();
  await dialog.getByLabel('New rating').fill('8.25');
  await page.route('**/change-rating', (route) => route.fulfill({ status: 409, body: '' }), { times: 1 });
  await dialog.getByRole('button', { name: 'Change Rating' }).click();
  await expect(toast(page, 'Failed to update rating')).toBeVisible();
  const change = await held(page, /\/change-rating$/);
  await dialog.getByRole('button', { name: 'Change Rating' }).click();
  await change.arrived();
  await expect(dialog.locator('[aria-busy=true]')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  change.letGo();
  await expect(toast(page, 'Rating Updated')).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(ada.displayName) })).toContainText('8.25 (0)');
  await context.close();
});

test('an admin deletes an account only after typing its name', async ({ browser, page: member }) => {
  const ada = await registered(member.request, unique('Ada  نور'));
  await grantNova(browser, ada, 1_250);
  const context = await adminContext(browser);
  const page = await context.newPage();
  await openUsers(page, ada.email);
  await choose(page, ada, 'Delete Account');
  const dialog = page.getByRole('dialog', { name: 'Delete Account' });
  await expect(dialog).toContainText(`(${ada.email}) is deleted for good.`);
  await expect(dialog).toContainText('1,250.00 Nova are forfeited');
  await expect(dialog.getByRole('button', { name: 'Delete Account' })).toBeDisabled();
  await dialog.getByLabel(/to confirm/).fill(ada.displayName.slice(0, -1));
  await expect(dialog.getByRole('button', { name: 'Delete Account' })).toBeDisabled();
  await dialog.getByLabel(/to confirm/).fill(ada.displayName.replace('  ', ' '));
  await dialog.getByRole('button', { name: 'Delete Account' }).click();
  await expect(toast(page, 'Account Deleted')).toBeVisible();
  await expect(page.getByText('Nothing matches these filters')).toBeVisible();
  expect((await member.request.get('/api/auth/user')).status()).toBe(401);
  await context.close();
});

test('an admin blocks an address and lets it register again', async ({ browser }) => {
  const name = `mallory${crypto.randomUUID().slice(0, 8)}`;
  const context = await adminContext(browser);
  const page = await context.newPage();
  await page.goto('/admin?section=users');
  await page.getByRole('button', { name: 'Block E-mail' }).click();
  const dialog = page.getByRole('dialog', { name: 'Block E-mail' });
  await dialog.getByLabel('E-mail address').fill('nobody');
  await dialog.getByRole('button', { name: 'Block E-mail' }).click();
  await expect(dialog.getByText('Enter a valid e-mail address.')).toBeVisible();
  await dialog.getByLabel('E-mail address').fill(`${name}+spam@gmail.com`);
  await dialog.getByLabel('Reason (optional)').fill('Spam');
  await dialog.getByRole('button', { name: 'Block E-mail' }).click();
  await expect(toast(page, 'E-mail Blocked')).toBeVisible();
  await page.getByLabel('Search blocked e-mails').fill(name);
  const blocked = page.getByRole('list', { name: 'Blocked e-mails' });
  const row = blocked.getByRole('listitem').filter({ hasText: `${name}+spam@gmail.com` });
  await expect(row).toContainText(`As ${name}@gmail.com`);
  await expect(row).toContainText('Spam');
  const register = async () => {
    const stranger = await browser.newContext();
    const data = { displayName: 'M', email: `${name}@gmail.com`, password: GOOD_PASSWORD, pin: GOOD_PIN };
    const answer = await stranger.request.post('/api/auth/register', {
      data: { ...data, tcConsent: true, tcVersion: '1.0' },
    });
    await stranger.close();
    return answer.status();
  };
  expect(await register()).toBe(403);
  await row.getByRole('button', { name: `Unblock ${name}+spam@gmail.com` }).click();
  await expect(toast(page, 'E-mail Unblocked')).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await register()).toBe(201);
  await context.close();
});

test('users are sorted by the server, kept in the address, and walked with the keyboard', async ({ browser }) => {
  const run = crypto.randomUUID().slice(0, 8);
  const poor = await someoneElse(browser, `Anna ${run}`);
  const rich = await someoneElse(browser, `Zoe ${run}`);
  await grantNova(browser, rich, 700);
  const context = await adminContext(browser);
  const page = await context.newPage();
  await openUsers(page, run);
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText(rich.displayName);
  await page.getByRole('button', { name: 'User', exact: true }).click();
  await expect(rows.nth(1)).toContainText(poor.displayName);
  await page.getByRole('button', { name: 'Balance' }).click();
  await expect(rows.nth(1)).toContainText(rich.displayName);
  await expect(page.getByRole('columnheader', { name: 'Balance' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/sort=balance/);
  await page.reload();
  await expect(rows.nth(1)).toContainText(rich.displayName);
  await rows.nth(1).focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Comments' })).toContainText('Nobody has rated this member yet.');
  await page.keyboard.press('Escape');
  await expect(rows.nth(2)).toBeFocused();
  await rows
    .nth(1)
    .getByRole('button', { name: /^Actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Show transactions' }).click();
  await expect(page).toHaveURL(new RegExp(`section=transactions.*userId=${rich.id}`));
  await context.close();
});

for (const size of SIZES) {
  test(`the users and their dialogs at ${size.width} px`, async ({ browser }) => {
    test.setTimeout(180_000);
    const ada = await someoneElse(browser, unique('<b>نور الهدى</b>'));
    const context = await adminContext(browser);
    const page = await context.newPage();
    await page.setViewportSize(size);
    await openUsers(page, ada.email);
    await expect(page.getByText(ada.displayName)).toBeVisible();
    await expectGoodScreen(page);
    for (const action of ['Reset Password', 'Change Rating', 'Comments', 'Block E-mail', 'Delete Account']) {
      await choose(page, ada, action);
      await expectGoodScreen(page);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
    await context.close();
  });
}
