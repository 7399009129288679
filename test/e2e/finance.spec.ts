import { readFile } from 'node:fs/promises';
import type { Browser, Download } from '@playwright/test';
import {
  asAdmin,
  expect,
  expectGoodAtEverySize,
  expectGoodScreen,
  grantNova,
  someoneElse,
  test,
  toast,
  unique,
  type Account,
} from './nova.js';

// A trace reads the page's resources again, including pictures in memory, which the page's content policy rightly
// refuses.
test.use({ trace: 'off' });

async function funded(browser: Browser, name: string): Promise<Account> {
  const member = await someoneElse(browser, unique(name));
  await grantNova(browser, member, 1_234.5);
  return member;
}

const saved = async (download: Promise<Download>): Promise<{ name: string; text: string }> => {
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
};

test('the trial balance sums to zero at any moment, and leads to the accounts, entries and events behind it', async ({
  browser,
}) => {
  await funded(browser, 'Ada Books');
  await asAdmin(browser, async (page) => {
    await page.goto('/admin?section=finance');
    const nova = page.getByRole('table', { name: 'Accounts in Nova' });
    await expect(nova.getByRole('rowheader', { name: /Members: earned Nova/ })).toBeVisible();
    await expect(nova.getByText('Sums to zero')).toBeVisible();
    await expect(nova).toBeVisible();
    await expectGoodAtEverySize(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await saved(download)).text).toMatch(/\nuser:earned,NOVA,\d+\.\d\d,\d+,/);

    await page.getByLabel('As of (UTC)').fill('2020-01-01T00:00:00');
    await expect(page).toHaveURL(/at=2020-01-01T00/);
    await expect(page.getByText('Before the first event.')).toBeVisible();
    await expect(page.getByText('Nothing yet')).toBeVisible();
    await expect(nova).toHaveCount(0);
    await page.getByRole('button', { name: 'Now' }).click();
    await expect(nova).toBeVisible();
    await expect(page).not.toHaveURL(/at=/);

    await page.getByRole('link', { name: /Members: earned Nova/ }).click();
    await expect(page.getByRole('heading', { name: 'Members: earned Nova' })).toBeVisible();
    const account = page.getByRole('link', { name: /user:[0-9a-f-]{36}:earned/ }).first();
    await expect(account).toBeVisible();
    await expectGoodAtEverySize(page);
    await account.click();

    const entry = page.getByRole('list', { name: 'Entries' }).getByRole('button').first();
    await expect(entry).toBeVisible();
    await expectGoodAtEverySize(page);
    const hash = await entry.locator('code').getAttribute('title');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    await entry.click();
    await expect(page.getByRole('dialog')).toContainText(hash ?? '');
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').first().click();
    await expect(page.getByRole('table', { name: 'Accounts in Nova' })).toBeVisible();
  });
});

test('a member’s statement opens and closes with the right balances, and is printed, and saved as CSV', async ({
  browser,
}) => {
  const ada = await funded(browser, 'Ada Statement');
  await asAdmin(browser, async (page) => {
    await page.goto('/admin?section=finance');
    await page.getByRole('radio', { name: 'Statement' }).click();
    await expect(page.getByText('Whose statement?')).toBeVisible();
    await page.getByRole('button', { name: 'Choose a member' }).click();
    await page.getByLabel('Member', { exact: true }).fill(ada.email);
    await page.getByRole('button', { name: new RegExp(ada.email) }).click();
    const table = page.getByRole('table', { name: 'Opening and closing balances' });
    const row = table.getByRole('row', { name: /^Nova balance/ });
    await expect(row.getByRole('cell').first()).toContainText('0.00');
    await expect(row.getByRole('cell').last()).toContainText('1,234.50');
    await expect(page.getByRole('list', { name: 'Entries' }).getByRole('button')).toHaveCount(1);
    await expect(table).toBeVisible();
    await expectGoodAtEverySize(page);

    // Print shows nothing that is only for the screen.
    await page.emulateMedia({ media: 'print' });
    await expect(table).toBeVisible();
    for (const shown of ['Download CSV', 'Choose a member']) {
      await expect(page.getByRole('button', { name: shown })).toBeHidden();
    }
    for (const way of ['Main', 'Sections of the Admin Panel']) {
      await expect(page.getByRole('navigation', { name: way })).toBeHidden();
    }
    await expectGoodScreen(page);
    await page.emulateMedia({ media: 'screen' });

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await expect(toast(page, 'Download ready')).toBeVisible();
    const { name, text } = await saved(download);
    expect(name).toBe(`nova-statement-${ada.id}.csv`);
    expect(text).toContain(`user:${ada.id}:earned,NOVA,NovaGranted,1234.50,1234.50,`);

    const from = page.getByLabel('From (UTC)');
    await from.fill('2100-01-01T00:00:01');
    await expect(from).toHaveValue('2100-01-01T00:00:01');
    await expect(row.getByRole('cell').first()).toContainText('1,234.50');
    await expect(page.getByText('No movements in this period.')).toBeVisible();
  });
});

test('the journal is saved for other programs, each event with its hash', async ({ browser }) => {
  const ada = await funded(browser, 'Ada Export');
  await asAdmin(browser, async (page) => {
    await page.goto('/admin?section=finance&view=export');
    const button = page.getByRole('button', { name: 'Export', exact: true });
    await expect(button).toBeVisible();
    await expectGoodAtEverySize(page);
    await page.getByLabel('Format').selectOption('postings');
    await page.getByLabel('Your account numbers (optional)').fill('assets:bank,1200');
    await expectGoodAtEverySize(page);
    await button.click();
    await expect(toast(page, 'Download failed')).toContainText('The mapping lacks assets:provider:balance');
    await page.getByLabel('Format').selectOption('jsonl');
    const download = page.waitForEvent('download');
    await button.click();
    await expect(toast(page, 'Download ready')).toBeVisible();
    const { name, text } = await saved(download);
    expect(name).toMatch(/^nova-journal-\d{4}-\d\d-\d\d\.jsonl$/);
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).revision)).toEqual(lines.map((_, index) => index));
    expect(text).toContain(`user:${ada.id}:earned`);
  });
});

test('the books in dollars open each figure to its lines, and say what keeps a month open', async ({ browser }) => {
  await funded(browser, 'Ada Dollars');
  await asAdmin(browser, async (page) => {
    await page.goto('/admin?section=finance&view=dollars&compare=2026-01');
    await expect(page.getByText(/Time zone: UTC/)).toBeVisible();
    await expectGoodAtEverySize(page);
    await page.getByRole('radio', { name: 'Month-end close' }).click();
    await expect(page.getByRole('list', { name: 'Checklist' })).toBeVisible();
    await expectGoodAtEverySize(page);
    await page.getByRole('button', { name: 'Post an adjustment' }).click();
    const adjustment = page.getByRole('dialog', { name: 'Post an adjustment' });
    await adjustment.getByLabel('Debit').first().fill('5');
    await adjustment.getByLabel('Credit').last().fill('5');
    await expect(adjustment.getByRole('status')).toContainText('Left over0.00');
    await expectGoodAtEverySize(page);
    const day = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
    await adjustment.getByLabel('Date').fill(day);
    await adjustment.getByLabel('Reason').fill('Expected losses');
    await adjustment.getByRole('button', { name: 'Post the adjustment' }).click();
    await expect(toast(page, 'Adjustment Posted')).toBeVisible();

    await page.getByRole('radio', { name: 'Dollars' }).click();
    const loss = page
      .getByRole('table', { name: 'Profit and loss' })
      .getByRole('row', { name: /Losses from disputes/ });
    await expectGoodAtEverySize(page);
    await loss.getByRole('link').click();
    await expect(page.getByRole('list', { name: 'Lines' })).toContainText('Adjustment');
    await expectGoodAtEverySize(page);
    await page.goBack();
    await expect(loss).toBeVisible();
    await page.getByRole('radio', { name: 'Month-end close' }).click();
    await page.getByLabel('Month').selectOption(day.slice(0, 'yyyy-mm'.length));
    await page.getByRole('button', { name: 'Close the month' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Close / })
      .click();
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('This month is not over yet.');
  });
});
