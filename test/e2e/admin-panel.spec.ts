import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import {
  asAdmin,
  expect,
  expectGoodAtEverySize,
  grantNova,
  registered,
  settled,
  someoneElse,
  test,
  toast,
  unique,
  type Account,
} from './nova.js';

const SECTIONS = ['overview', 'quests', 'users', 'reports', 'transactions', 'audit'];
/** Difficult names: long, right to left, with characters that have a meaning in HTML. */
const NAMES = ['Wolfeschlegelsteinhausenbergerdorff Adolph', 'نور الهدى', '<b>Bobby</b> & Tables'];

// A trace reads the page's resources again, including pictures in memory, which the page's content policy rightly
// refuses.
test.use({ trace: 'off' });

const photo = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer();

async function report(browser: Browser, reporterName: string, reported: Account, text: string): Promise<void> {
  const context = await browser.newContext();
  try {
    await registered(context.request, reporterName);
    const answer = await context.request.post(`/api/users/${reported.id}/report`, { data: { text } });
    expect(answer.ok(), await answer.text()).toBe(true);
  } finally {
    await context.close();
  }
}

/** Assigns a picture through the screen. */
async function assign(page: Page, member: Account): Promise<void> {
  await page.goto('/admin?section=content');
  await page.getByRole('button', { name: 'Upload for a member' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('up to 100MB');
  const submit = dialog.getByRole('button', { name: 'Upload and assign' });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'sky.jpg', mimeType: 'image/jpeg', buffer: await photo() });
  await expect(dialog.getByAltText('Preview of the file')).toBeVisible();
  await expect(submit).toBeDisabled();
  await dialog.getByLabel('Member').fill(member.email);
  await dialog.getByRole('button', { name: new RegExp(member.email) }).click();
  await page.route('**/objects/uploads/*?*', (route) => route.fulfill({ status: 400, json: {} }), { times: 1 });
  await submit.click();
  await expect(toast(page, 'Failed to upload content')).toBeVisible();
  await page.route('**/api/admin/content/assign', (route) => route.fulfill({ status: 429, body: '' }), { times: 1 });
  await submit.click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await submit.click();
  await expect(toast(page, 'Content Assigned')).toBeVisible();
  await expect(dialog).toBeHidden();
}

test('a table that scrolls makes its page neither wider nor longer, and high amounts stay inside their cards', async ({
  browser,
}) => {
  const ada = await someoneElse(browser, unique('Ada Scrolled'));
  for (let nova = 1; nova <= 20; nova += 1) await grantNova(browser, ada, nova);
  await asAdmin(browser, async (page) => {
    await page.setViewportSize({ width: 1024, height: 600 });
    await page.goto(`/admin?section=transactions&userId=${ada.id}`);
    await expect(page.getByRole('row')).toHaveCount(21);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Event id' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('columnheader', { name: 'Event id' })).toBeAttached();
    const { beside, below } = await page.evaluate(() => ({
      beside: document.documentElement.scrollWidth - window.innerWidth,
      below:
        document.documentElement.scrollHeight -
        window.scrollY -
        document.getElementById('content')!.getBoundingClientRect().bottom,
    }));
    expect(beside, 'pixels beyond the width of the screen').toBeLessThanOrEqual(0);
    expect(below, 'pixels below the page').toBeLessThan(1);

    await page.route('**/api/admin/stats', (route) =>
      route.fulfill({ json: { totalUsers: 1, totalChats: 2, novaInCirculation: 1_234_567_890.12, activeQuests: 3 } }),
    );
    for (const width of [390, 1024]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto('/admin');
      const card = page.locator('dl > div').filter({ hasText: 'Nova in Circulation' });
      await expect(card).toContainText('1,234,567,890.12');
      const spilt = await card.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(spilt, `pixels beyond the card, ${width} px wide`).toBeLessThanOrEqual(0);
    }
  });
});

// Many scans in one test, each of which looks at every element of the screen.
test.describe(() => {
  test.describe.configure({ timeout: 300_000 });
  const PHONE = { width: 390, height: 844 };

  test('every list is in order at every size, with much and with odd names', async ({ browser }) => {
    for (const name of NAMES) {
      const member = await someoneElse(browser, name);
      await grantNova(browser, member, 9_876_543.21);
      await report(browser, name, member, `${name} `.repeat(12));
    }
    await asAdmin(browser, async (page) => {
      await page.setViewportSize(PHONE);
      await page.goto('/admin');
      const registrations = page.locator('dl > div').filter({ hasText: 'Registrations' });
      await expect(registrations.locator('dd').first()).toHaveText(/^[1-9]/);
      await expect(page.locator('svg.recharts-surface')).toHaveCount(4);
      for (const section of SECTIONS) {
        await page.goto(`/admin?section=${section}`);
        await settled(page);
        await expect(page.getByRole('combobox', { name: 'Section' })).toHaveValue(section);
        await expectGoodAtEverySize(page);
      }
      await page.goto('/admin?section=reports&status=closed&page=9');
      await settled(page);
      await expectGoodAtEverySize(page);
    });
  });

  test('a file is uploaded for a member, found in the gallery, looked at and deleted, at every size', async ({
    browser,
  }) => {
    const rania = await someoneElse(browser, unique('رانيا'));
    await asAdmin(browser, async (page) => {
      await assign(page, rania);
      await settled(page);
      await expectGoodAtEverySize(page);
      await page.getByLabel('Search content').fill(rania.displayName);
      await expect(page).toHaveURL(/search=/);
      const tile = page.getByRole('button', { name: new RegExp(`by ${rania.displayName}`) });
      await expect(tile).toHaveCount(1);
      await page.getByLabel('Kind').selectOption('video');
      await expect(page.getByText('Nothing matches these filters')).toBeVisible();
      await settled(page);
      await expectGoodAtEverySize(page);
      await page.getByRole('button', { name: 'Remove filter Videos' }).click();

      await tile.click();
      const dialog = page.getByRole('dialog');
      await expect(dialog).toContainText(rania.email);
      await dialog.getByRole('button', { name: 'Delete content' }).click();
      await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
      await settled(page);
      await expectGoodAtEverySize(page);
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await expect(toast(page, 'Content Deleted')).toBeVisible();
      await expect(page.getByText('Nothing matches these filters')).toBeVisible();

      await page.goto(`/admin?section=audit&targetId=${rania.id}`);
      await expect(page.getByRole('cell', { name: 'Deleted content' })).toBeVisible();
      await expect(page.getByRole('cell', { name: 'Assigned content' })).toBeVisible();
    });
  });
});
