import type { APIRequestContext, Browser, Page } from '@playwright/test';
import {
  acceptCookies,
  asAdmin,
  balancePill,
  expect,
  expectGoodAtEverySize,
  grantNova,
  registered,
  someoneElse,
  test,
  toast,
  unique,
} from './nova.js';
import { HOUR_MS, makeQuest } from './quest.js';

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
test('quests of every kind, and the panel that makes them, are in order at every size', async ({ page, browser }) => {
  await acceptCookies(page);
  const { friendId } = await giver(page, browser);
  const rtl = unique('أرسل هدية إلى صديق قديم');
  const long = unique('Supercalifragilisticexpialidocious-and-even-longer-than-that');
  await makeQuest(browser, { title: rtl, target: 2, reward: 12_345.67, lastsMs: 50 * HOUR_MS });
  await makeQuest(browser, { title: long, type: 'nova_earned', target: 123_456.78, reward: 1_000_000 });
  await give(page.request, friendId);
  await page.goto('/quests');
  await expect(card(page, rtl)).toContainText('1 / 2');
  await expect(card(page, long)).toContainText('0 / 123,456.78');
  await expectGoodAtEverySize(page);

  await asAdmin(browser, async (admin) => {
    await admin.goto('/admin?section=quests');
    await expect(admin.getByText(rtl)).toBeVisible();
    await expectGoodAtEverySize(admin);
    await admin.getByRole('button', { name: 'Create Quest' }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Create Quest' }).click();
    await expect(toast(admin, 'Missing Information')).toContainText('Please fill in all required fields.');
    await expectGoodAtEverySize(admin);
  });
});

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
  // No reload is needed: the page polls every ten seconds.
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
  const rewards = page.getByRole('button', { name: `Quest reward: ${title}` });
  await expect(rewards).toHaveCount(1);
  await expect(rewards).toContainText('250.00');
});
