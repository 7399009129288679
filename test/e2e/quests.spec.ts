import type { APIRequestContext, Browser, Page } from '@playwright/test';
import {
  adminContext,
  balancePill,
  expect,
  expectGoodScreen,
  grantNova,
  registered,
  someoneElse,
  test,
  toast,
  unique,
} from './nova.js';
import { HOUR_MS, makeQuest } from './quest.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
async function give(request: APIRequestContext, recipientId: string): Promise<void> {
  const answer = await request.post('/api/gifts/send', { data: { recipientId, amount: 1_000 } });
  expect(answer.status(), await answer.text()).toBe(201);
}

async function giver(page: Page, browser: Browser): Promise<{ friendId: string }> {
  const me = await registered(page.request, 'Ada');
  await grantNova(browser, me, 10_000);
  return { friendId: (await someoneElse(browser, 'Ben')).id };
}

const card = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });
const withoutCookieNotice = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('nova.optionalCookies', 'true'));

for (const size of SIZES) {
  test.describe(`${size.width} px wide`, () => {
    test.use({ viewport: size });

    test('quests of every kind, and the panel that makes them', async ({ page, browser }) => {
      await withoutCookieNotice(page);
      const { friendId } = await giver(page, browser);
      const rtl = unique('أرسل هدية إلى صديق قديم');
      const long = unique('Supercalifragilisticexpialidocious-and-even-longer-than-that');
      await makeQuest(browser, { title: rtl, target: 2, reward: 12_345.67, lastsMs: 50 * HOUR_MS });
      await makeQuest(browser, { title: long, type: 'nova_earned', target: 123_456.78, reward: 1_000_000 });
      await give(page.request, friendId);
      await page.goto('/quests');
      await expect(card(page, rtl)).toContainText('1 / 2');
      await expect(card(page, rtl)).toContainText('50% Complete');
      await expect(card(page, rtl)).toContainText('12,345.67 Nova');
      await expect(card(page, rtl)).toContainText('2d 1h');
      await expect(card(page, long)).toContainText('0 / 123,456.78');
      await expect(card(page, long)).toContainText('Earn Nova');
      await expectGoodScreen(page);

      const admin = await (await adminContext(browser)).newPage();
      await withoutCookieNotice(admin);
      await admin.setViewportSize(size);
      await admin.goto('/admin?section=quests');
      await expect(admin.getByText(rtl)).toBeVisible();
      await expectGoodScreen(admin);
      await admin.getByRole('button', { name: 'Create Quest' }).click();
      await admin.getByRole('dialog').getByRole('button', { name: 'Create Quest' }).click();
      await expect(toast(admin, 'Missing Information')).toContainText('Please fill in all required fields.');
      await expectGoodScreen(admin);
      await admin.context().close();
    });
  });
}

test('a quest is completed before one’s eyes, and its reward claimed once', async ({ page, browser }) => {
  const { friendId } = await giver(page, browser);
  const title = unique('A generous hour');
  const id = await makeQuest(browser, { title });
  await page.goto('/quests');
  const quest = card(page, title);
  await expect(quest).toContainText('In Progress');
  await expect(quest).toContainText('0 / 1');
  await expect(quest).toContainText('Send Gifts');
  await expect(quest).toContainText(/0h 5\dm/);
  await expect(page.getByText(/^\d+ Active$/)).toBeVisible();
  await give(page.request, friendId);
  // Nobody reloads: the page looks every ten seconds.
  await expect(quest.getByRole('button', { name: 'Claim' })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(`Quest complete: ${title}.`)).toBeAttached();
  const keys = new Set<string | undefined>();
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/quests/${id}/claim`)) keys.add(request.headers()['idempotency-key']);
  });
  await quest.getByRole('button', { name: 'Claim' }).dblclick();
  await expect(toast(page, 'Reward Claimed!').first()).toContainText('You received 250 Nova.');
  await expect(quest).toContainText('Claimed');
  expect(keys.size).toBe(1);
  await expect(balancePill(page)).toContainText('9,250.00');
  await expect(page.getByRole('definition')).toContainText([/\d/, '1', /\d/]);
  await page.goto('/wallet');
  const rewards = page.getByRole('button', { name: 'Quest reward' });
  await expect(rewards).toHaveCount(1);
  await expect(rewards).toContainText('250.00');
});

test('a claim that is refused says why, and can be made again', async ({ page, browser }) => {
  const { friendId } = await giver(page, browser);
  const title = unique('A stubborn quest');
  await makeQuest(browser, { title });
  await give(page.request, friendId);
  const path = '**/api/quests/*/claim';
  await page.route(path, (route) =>
    route.fulfill({ status: 409, json: { code: 'QUEST_CLAIM_OVER', message: 'The time to claim is over.' } }),
  );
  await page.goto('/quests');
  await card(page, title).getByRole('button', { name: 'Claim' }).click();
  await expect(toast(page, 'Failed to claim reward')).toContainText('The time to claim is over.');
  await page.unroute(path);
  await card(page, title).getByRole('button', { name: 'Claim' }).click();
  await expect(card(page, title)).toContainText('Claimed');
});

test('a day without quests, quests that are over, and an answer that does not come', async ({ page }) => {
  await registered(page.request, 'Ada');
  await page.route('**/api/quests', (route) => route.fulfill({ json: { quests: [] } }));
  await page.route('**/api/quests/progress', (route) => route.fulfill({ json: { progress: [] } }));
  await page.goto('/quests');
  await expect(page.getByRole('heading', { name: 'No Active Quests' })).toBeVisible();
  await expect(page.getByText('Check back later for new daily quests and rewards!')).toBeVisible();
  await expect(page.getByText('0 Active')).toBeVisible();
  const past = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z', isActive: false };
  const quest = { title: 'Over', description: '', reward: 10, status: 'expired', rules: { type: 'messages_sent' } };
  await page.route('**/api/quests', (route) =>
    route.fulfill({
      json: {
        quests: [
          { id: 'x', ...quest, ...past },
          { id: 'y', ...quest, ...past, title: 'Done' },
        ],
      },
    }),
  );
  const done = { questId: 'y', isCompleted: true, rewardClaimed: false, percent: 100 };
  await page.route('**/api/quests/progress', (route) =>
    route.fulfill({
      json: { progress: [{ ...done, countersJSON: { messages_sent: 1 }, claimableUntil: '2026-01-03T00:00:00Z' }] },
    }),
  );
  await page.reload();
  await expect(card(page, 'Over').getByText('Expired')).toHaveCount(2);
  await expect(card(page, 'Done').getByRole('button', { name: 'Claim' })).toBeVisible();
  await expect(card(page, 'Done')).toContainText('until Jan 3, 2026');
  await page.route('**/api/quests', (route) =>
    route.fulfill({ status: 429, json: { code: 'X', message: 'Too many requests.' } }),
  );
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Too many requests.');
  await page.unroute('**/api/quests');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('an admin makes a quest, which members see once it starts', async ({ page, browser }) => {
  await registered(page.request, 'Ada');
  const context = await adminContext(browser);
  const admin = await context.newPage();
  await admin.goto('/admin?section=quests');
  await admin.getByRole('button', { name: 'Create Quest' }).click();
  const dialog = admin.getByRole('dialog');
  const title = unique('Write three lines');
  const submit = dialog.getByRole('button', { name: 'Create Quest' });
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Description').fill('Three messages in any chat.');
  await dialog.getByLabel('Target').fill('3');
  await expect(dialog).toContainText('Times of UTC');
  for (const reward of ['-5', 'abc', '0']) {
    await dialog.getByLabel('Reward').fill(reward);
    await submit.click();
    await expect(toast(admin, 'Invalid Reward').first()).toContainText('Reward must be a positive number.');
  }
  await dialog.getByLabel('Reward').fill('1,250.50');
  const starts = await dialog.getByLabel('Starts').inputValue();
  await dialog.getByLabel('Ends').fill(starts);
  await submit.click();
  await expect(dialog).toContainText('The end must come after the start.');
  const day = (ahead: number): string => new Date(Date.now() + ahead * 24 * HOUR_MS).toISOString().slice(0, 16);
  await dialog.getByLabel('Starts').fill(day(1));
  await dialog.getByLabel('Ends').fill(day(2));
  await submit.dblclick();
  await expect(toast(admin, 'Quest Created').first()).toContainText('is scheduled');
  await expect(dialog).toHaveCount(0);
  await admin.getByRole('combobox', { name: 'Status' }).selectOption('scheduled');
  await expect(admin).toHaveURL(/status=scheduled/);
  const row = admin.getByRole('row').filter({ hasText: title });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Scheduled');
  await expect(row).toContainText('1,250.50');
  await expect(row).toContainText('Send Messages: 3');
  await admin.getByRole('button', { name: 'Reward' }).click();
  await expect(admin).toHaveURL(/sort=reward/);
  await admin.reload();
  await expect(row).toBeVisible();
  await admin.getByRole('combobox', { name: 'Status' }).selectOption('expired');
  await expect(row).toHaveCount(0);
  await context.close();
  await page.goto('/quests');
  await expect(page.getByRole('heading', { level: 1, name: 'Daily Quests' })).toBeVisible();
  await expect(card(page, title)).toHaveCount(0);
});
