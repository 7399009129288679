import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { awayFromMidnight } from '../support/midnight.js';
import {
  asAdmin,
  expect,
  expectGoodScreen,
  grantNova,
  held,
  registered,
  someoneElse,
  test,
  toast,
  unique,
  type Account,
} from './nova.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const SECTIONS = ['overview', 'quests', 'users', 'content', 'reports', 'transactions', 'audit'];
/** Names as people have them: long, right to left, with what HTML would take for its own. */
const NAMES = ['Wolfeschlegelsteinhausenbergerdorff Adolph', 'نور الهدى', '<b>Bobby</b> & Tables'];

// A trace reads what a page loaded anew, also pictures from memory, which the page's content policy rightly refuses.
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
  await expect(dialog.getByAltText('The picked file')).toBeVisible();
  await expect(submit).toBeDisabled();
  await dialog.getByLabel('Member').fill(member.email);
  await dialog.getByRole('button', { name: new RegExp(member.email) }).click();
  await page.route('**/objects/uploads/*?*', (route) => route.fulfill({ status: 400, json: {} }), { times: 1 });
  await submit.click();
  await expect(toast(page, 'Failed to upload content')).toBeVisible();
  await submit.click();
  await expect(toast(page, 'Content Assigned')).toBeVisible();
  await expect(dialog).toBeHidden();
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

test('the overview says how a period went, draws it, and keeps the period in the address', async ({ browser }) => {
  await awayFromMidnight();
  const ada = await someoneElse(browser, 'Ada Overview');
  await grantNova(browser, ada, 1_234.5);
  await asAdmin(browser, async (page) => {
    await page.goto('/admin');
    await expect(page.getByRole('link', { name: 'Overview', exact: true })).toHaveAttribute('aria-current', 'page');
    await expect(page.getByText('Total Users')).toBeVisible();
    const tile = page.locator('dl > div').filter({ hasText: 'Registrations' });
    await expect(tile.locator('dd').first()).toHaveText(/^[1-9]/);
    await expect(page.locator('dl > div').filter({ hasText: 'Uptime' })).toContainText('As measured');
    await expect(page.locator('svg.recharts-surface')).toHaveCount(4);

    await page.getByRole('radio', { name: '7 days' }).click();
    await expect(page).toHaveURL(/days=7/);
    await page.getByText('Figures by day').click();
    const table = page.getByRole('table', { name: /^Figures by UTC day/ });
    await expect(table.getByRole('row')).toHaveCount(8);
    await expect(table.getByRole('rowheader').first()).toHaveText(new Date().toISOString().slice(0, 10));
    await page.reload();
    await expect(page.getByRole('radio', { name: '7 days' })).toBeChecked();
  });
});

test('a file is uploaded for a member, found in the gallery, looked at and deleted', async ({ browser }) => {
  const ada = await someoneElse(browser, unique('Ada Gallery'));
  await asAdmin(browser, async (page) => {
    await assign(page, ada);
    await page.getByLabel('Search content').fill(ada.displayName);
    await expect(page).toHaveURL(/search=Ada/);
    const tile = page.getByRole('button', { name: new RegExp(`by ${ada.displayName}`) });
    await expect(tile).toHaveCount(1);
    await page.getByLabel('Kind').selectOption('video');
    await expect(page.getByText('Nothing matches these filters')).toBeVisible();
    await page.getByRole('button', { name: 'Remove filter Videos' }).click();

    await tile.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(ada.email);
    await dialog.getByRole('button', { name: 'Delete content' }).click();
    await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
    await expectGoodScreen(page);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(toast(page, 'Content Deleted')).toBeVisible();
    await expect(page.getByText('Nothing matches these filters')).toBeVisible();

    await page.goto(`/admin?section=audit&targetId=${ada.id}`);
    await expect(page.getByRole('cell', { name: 'Deleted content' })).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Assigned content' })).toBeVisible();
  });
});

test('an upload that is refused says so, and nothing is assigned', async ({ browser }) => {
  const ada = await someoneElse(browser, unique('Ada Refused'));
  await asAdmin(browser, async (page) => {
    await page.route('**/api/admin/content/assign', (route) => route.fulfill({ status: 429, body: '' }));
    await page.goto('/admin?section=content');
    await page.getByRole('button', { name: 'Upload for a member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Member').fill(ada.email);
    await dialog.getByRole('button', { name: new RegExp(ada.email) }).click();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'sky.jpg', mimeType: 'image/jpeg', buffer: await photo() });
    await dialog.getByRole('button', { name: 'Upload and assign' }).click();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await page.unroute('**/api/admin/content/assign');
    await dialog.getByRole('button', { name: 'Upload and assign' }).click();
    await expect(toast(page, 'Content Assigned')).toBeVisible();
  });
});

test('a report is read, its members are found, and it is closed once', async ({ browser }) => {
  const ben = await someoneElse(browser, unique('Ben Reported'));
  await report(browser, 'Ada Reporter', ben, '<i>rude</i> in every sentence');
  await asAdmin(browser, async (page) => {
    await page.goto('/admin?section=reports');
    const item = page.getByRole('listitem', { name: `Report about ${ben.displayName}` });
    await expect(item).toContainText('<i>rude</i> in every sentence');
    await item.getByRole('link', { name: ben.displayName, exact: true }).click();
    await expect(page).toHaveURL(/section=users&search=Ben/);
    await expect(page.getByText(ben.email)).toBeVisible();
    await page.goBack();

    await item.getByRole('button', { name: 'Close report' }).click();
    await expect(toast(page, 'Report Closed')).toBeVisible();
    await expect(item).toHaveCount(0);
    await page.getByRole('radio', { name: 'Closed' }).click();
    await expect(page).toHaveURL(/status=closed/);
    await expect(item).toContainText('closed just now');
    await expect(item.getByRole('button', { name: 'Close report' })).toHaveCount(0);
  });
});

test('the audit tells who did what and why, and leads to the event', async ({ browser }) => {
  const ada = await someoneElse(browser, unique('Ada Audited'));
  await grantNova(browser, ada, 12.5);
  await asAdmin(browser, async (page) => {
    await page.goto('/admin?section=audit');
    await page.getByLabel('Action').selectOption('NovaGranted');
    await page.getByRole('button', { name: 'One member' }).click();
    await page.getByLabel('Member', { exact: true }).fill(ada.email);
    await page.getByRole('button', { name: new RegExp(ada.email) }).click();
    await expect(page).toHaveURL(new RegExp(`action=NovaGranted&targetId=${ada.id}`));
    const rows = page.getByRole('table', { name: 'What admins did, newest first' }).getByRole('row');
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText('Added Nova');
    await expect(rows.nth(1)).toContainText(ada.displayName);
    await expect(rows.nth(1)).toContainText('For a test');
    await expect(rows.nth(1)).toContainText('+12.50');
    await rows.nth(1).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/admin\/events\//);
    await expect(page.getByText('NovaGranted').first()).toBeVisible();
    await page.goBack();
    await page.getByRole('button', { name: 'Remove filter Added Nova' }).click();
    await expect(page).not.toHaveURL(/action=/);
  });
});

test('transactions begin with the oldest when their time is sorted the other way', async ({ browser }) => {
  const ada = await someoneElse(browser, unique('Ada Sorted'));
  await grantNova(browser, ada, 10);
  await grantNova(browser, ada, 20);
  await asAdmin(browser, async (page) => {
    await page.goto(`/admin?userId=${ada.id}`);
    await expect(page).toHaveURL(`/admin?section=transactions&userId=${ada.id}`);
    const amounts = page.getByRole('row').filter({ hasText: 'Added by an admin' });
    await expect(amounts.first()).toContainText('+20.00');
    const time = page.getByRole('columnheader', { name: 'Time' });
    await expect(time).toHaveAttribute('aria-sort', 'descending');
    await time.getByRole('button').click();
    await expect(page).toHaveURL(/order=asc/);
    await expect(page.getByRole('table', { name: 'Transactions, oldest first' })).toBeVisible();
    await expect(time).toHaveAttribute('aria-sort', 'ascending');
    await expect(amounts.first()).toContainText('+10.00');
    await page.reload();
    await expect(amounts.first()).toContainText('+10.00');
  });
});

test('the search keeps what is typed while it goes into the address', async ({ browser }) => {
  const ada = await someoneElse(browser, unique('Ada Typed'));
  await asAdmin(browser, async (page) => {
    await page.goto('/admin?section=users');
    const search = page.getByLabel('Search users');
    // React writes into a field only what differs from what stands there.
    await search.evaluate((field: HTMLInputElement) => {
      const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      Object.defineProperty(field, 'value', {
        get: () => value?.get?.call(field),
        set(text: string) {
          if (text !== field.value) field.dataset['overwritten'] = 'yes';
          value?.set?.call(field, text);
        },
      });
    });
    await search.pressSequentially(ada.displayName);
    await expect(page).toHaveURL(new RegExp(`search=.*${ada.displayName.split(' ').at(-1)}`));
    await expect(page.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(2);
    await expect(search).toHaveValue(ada.displayName);
    expect(await search.getAttribute('data-overwritten')).toBeNull();
  });
});

test('a table that scrolls makes its page neither wider nor longer', async ({ browser }) => {
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
  });
});

test('high amounts stay inside the cards of the overview on a phone', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
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

test('a list that cannot be loaded says so and is tried again', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    for (const [section, path] of [
      ['overview', 'overview'],
      ['content', 'content'],
      ['reports', 'reports'],
      ['audit', 'audit'],
    ]) {
      const calls = `**/api/admin/${path}?*`;
      await page.route(calls, (route) => route.fulfill({ status: 429, body: '' }));
      await page.goto(`/admin?section=${section}`);
      const alert = page.getByRole('alert');
      await expect(alert).toBeVisible();
      await page.unroute(calls);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await expect(alert).toHaveCount(0);
    }
  });
});

test('a list that is on its way is not said to be empty', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    const nothing = { reports: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } };
    await page.route('**/api/admin/reports?status=open*', (route) => route.fulfill({ json: nothing }));
    await page.goto('/admin?section=reports');
    await expect(page.getByText('No open reports')).toBeVisible();
    const closed = await held(page, /\/api\/admin\/reports\?status=closed/);
    await page.getByRole('radio', { name: 'Closed' }).click();
    await closed.arrived();
    await expect(page.getByRole('list', { name: 'Loading reports' })).toBeVisible();
    await expect(page.getByText('No closed reports')).toHaveCount(0);
    closed.letGo();
  });
});

for (const size of SIZES) {
  test.describe(`${size.width} px wide`, () => {
    // Many scans in one test, each of which looks at every element of the screen.
    test.describe.configure({ timeout: 300_000 });

    test('every section, with much and with odd names', async ({ browser }) => {
      for (const name of NAMES) {
        const member = await someoneElse(browser, name);
        await grantNova(browser, member, 9_876_543.21);
        await report(browser, name, member, `${name} `.repeat(12));
      }
      const rania = await someoneElse(browser, 'رانيا');
      await asAdmin(browser, async (page) => {
        await page.setViewportSize(size);
        await assign(page, rania);
        for (const section of SECTIONS) {
          await page.goto(`/admin?section=${section}`);
          await settled(page);
          const link = page.getByRole('navigation', { name: /^Sections/ }).locator('[aria-current=page]');
          await expect(link).toBeInViewport({ ratio: 1 });
          await expectGoodScreen(page);
        }
        await page.goto('/admin?section=content');
        await page
          .getByRole('button', { name: /by رانيا/ })
          .first()
          .click();
        await settled(page);
        await expectGoodScreen(page);
        for (const path of [
          '/admin?section=reports&status=closed&page=9',
          '/admin?section=content&search=nobody%20has%20this',
        ]) {
          await page.goto(path);
          await settled(page);
          await expectGoodScreen(page);
        }
      });
    });
  });
}
