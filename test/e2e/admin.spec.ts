import { readFile } from 'node:fs/promises';
import { ADMIN } from './installation.js';
import {
  accountMenuButton,
  expect,
  grantNova,
  registered,
  signInInBrowser,
  someoneElse,
  test,
  toast,
  unique,
} from './nova.js';

test('an admin signs in, filters transactions, opens an event with its hash, and exports CSV', async ({
  browser,
  page: member,
}) => {
  const name = unique('Dorothy');
  const dorothy = await registered(member.request, name);
  await grantNova(browser, dorothy, 5_000);
  const friend = await someoneElse(browser, 'Mary Jackson');
  const sent = await member.request.post('/api/gifts/send', { data: { recipientId: friend.id, amount: 1_000 } });
  expect(sent.status(), await sent.text()).toBe(201);

  const context = await browser.newContext();
  const page = await context.newPage();
  await signInInBrowser(page, ADMIN);
  await accountMenuButton(page).click();
  await page.getByRole('link', { name: 'Admin Panel' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Panel' })).toBeVisible();
  await page.getByRole('link', { name: 'Transactions', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Nova Transactions' })).toBeVisible();
  await page.getByLabel('Search transactions').fill(dorothy.email);
  const table = page.getByRole('table', { name: 'Transactions, newest first' });
  const rows = table.getByRole('row');
  await expect(rows).toHaveCount(3);
  await rows.nth(1).focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Ledger event' })).toContainText('NovaGranted');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(rows.nth(2)).toBeFocused();
  await page.getByLabel('Type').selectOption('gift_send');
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/type=gift_send/);
  await expect(page.getByRole('button', { name: /^Remove filter/ })).toHaveCount(2);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(dorothy.email);
  expect(lines[1]).toContain('gift_send');
  await expect(toast(page, 'Download ready')).toBeVisible();

  await table.getByRole('row', { name: /Gift to Mary Jackson/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Ledger event' });
  await expect(dialog.getByText('GiftSent').first()).toBeVisible();
  await expect(dialog.getByText('Hash', { exact: true })).toBeVisible();
  await expect(dialog.getByText(/^[0-9a-f]{64}$/).first()).toBeVisible();
  await expect(dialog.getByText(`user:${dorothy.id}:earned`, { exact: true })).toBeVisible();
  await dialog.getByRole('link', { name: 'Open as a page' }).click();
  await expect(page).toHaveURL(/\/admin\/events\//);
  await expect(page.getByText(`user:${dorothy.id}:earned`).first()).toBeVisible();
  await context.close();
});
