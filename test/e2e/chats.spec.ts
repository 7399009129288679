import type { Browser, Page } from '@playwright/test';
import {
  balancePill,
  expect,
  expectGoodScreen,
  grantNova,
  registered,
  searchCard,
  test,
  toast,
  type Account,
} from './nova.js';

const REVIEW = 'A lovely talk: friendly, quick to answer and full of ideas.';
const EXPLANATION = 'It was fine, only a little short.';
const PRICE = '1,250';

interface Seat {
  readonly page: Page;
  readonly account: Account;
}

/** Two members, each at a browser of their own; the initiator has 10,000 Nova. */
async function twoSeats(browser: Browser, page: Page): Promise<{ ann: Seat; hal: Seat }> {
  const ann = { page, account: await registered(page.request, `Ann ${Date.now()}`) };
  await grantNova(browser, ann.account, 10_000);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const other = await context.newPage();
  const hal = { page: other, account: await registered(context.request, `Hal ${Date.now()}`) };
  for (const { page: each } of [ann, hal]) {
    await each.goto('/');
    await closeCookieNotice(each);
  }
  return { ann, hal };
}

async function closeCookieNotice(page: Page): Promise<void> {
  const notice = page.getByRole('button', { name: 'Accept All' });
  if (await notice.isVisible()) await notice.click();
}

/** From the host's card, which was unlocked before, to a request that is held. */
async function request(ann: Seat, hal: Seat): Promise<void> {
  const { page } = ann;
  await page.evaluate(
    ([me, them]) => localStorage.setItem(`nova.unlockedProfiles.${me}`, JSON.stringify([them])),
    [ann.account.id, hal.account.id],
  );
  await page.goto('/');
  await searchCard(page, hal.account.displayName);
  await page.getByRole('button', { name: `Open the profile of ${hal.account.displayName}` }).click();
  await page.getByRole('button', { name: `Chat with ${hal.account.displayName}` }).click();
  await page.getByRole('button', { name: `Request chat for ${PRICE} Nova` }).click();
  await expect(page.getByRole('timer')).toHaveText(/^[12]:\d\d$/);
  await expect(balancePill(page)).toContainText('8,750.00');
}

async function accept(hal: Seat, ann: Seat): Promise<void> {
  await hal.page.goto('/?tab=status');
  await hal.page.getByRole('button', { name: `Accept ${ann.account.displayName}` }).click();
  await expect(hal.page.getByLabel('Message', { exact: true })).toBeVisible();
  await expect(toast(ann.page, 'Chat Accepted!')).toBeVisible();
  await expect(ann.page.getByLabel('Message', { exact: true })).toBeEnabled();
}

async function say({ page }: Seat, other: Seat, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
  for (const each of [page, other.page]) await expect(each.getByText(text).first()).toBeAttached();
}

async function exchange(ann: Seat, hal: Seat, number: number): Promise<void> {
  await say(ann, hal, `Question ${number}: what would you do with a whole free day?`);
  await say(hal, ann, `Answer ${number}: I would walk along the sea, slowly.`);
}

const novaBalance = async ({ page }: Seat) =>
  (await (await page.request.get('/api/nova/balance')).json()) as {
    novaBalance: number;
    pendingNova: number;
    heldNova: number;
  };

test('request, accept, talk, succeed, both rate: the balances agree with the ledger to the minor unit', async ({
  page,
  browser,
}) => {
  const { ann, hal } = await twoSeats(browser, page);
  await request(ann, hal);
  await accept(hal, ann);
  for (let number = 1; number <= 4; number++) await exchange(ann, hal, number);
  await expect(page.getByText('4 / 5')).toBeVisible();
  await page.getByRole('button', { name: 'Show as text' }).click();
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('Answer 4');
  await expectGoodScreen(page);
  await expectGoodScreen(hal.page);
  await exchange(ann, hal, 5);

  const rating = page.getByRole('dialog');
  await expect(rating).toContainText('How was your chat');
  await page.getByLabel('Review').fill(REVIEW);
  await page.getByRole('slider', { name: 'Rating' }).focus();
  for (let press = 0; press < 4; press++) await page.keyboard.press('PageUp');
  await page.getByRole('button', { name: 'Rate 90 of 100' }).click();
  await expect(rating).toContainText('Payout summary');
  await expect(rating).toContainText('+1');
  await expectGoodScreen(page);
  expect(await novaBalance(hal)).toMatchObject({ novaBalance: 0, pendingNova: 625 });
  await page.getByRole('button', { name: 'Continue' }).click();

  const halRating = hal.page.getByRole('dialog');
  await hal.page.getByLabel('Review').fill(REVIEW);
  await hal.page.getByRole('button', { name: 'Rate 50 of 100' }).click();
  await expect(halRating).toContainText('What could have been better?');
  await hal.page.getByLabel('Explanation').fill(EXPLANATION);
  await hal.page.getByRole('button', { name: 'Rate 50 of 100' }).click();
  await expect(halRating).toContainText('Payout summary');
  await expect(halRating).toContainText('625.00');
  await hal.page.getByRole('button', { name: 'Continue' }).click();

  await expect(balancePill(hal.page)).toContainText('625.00');
  expect(await novaBalance(hal)).toMatchObject({ novaBalance: 625, pendingNova: 0 });
  expect(await novaBalance(ann)).toMatchObject({ novaBalance: 8_750, heldNova: 0 });
  await hal.page.goto('/payout-history');
  await expect(hal.page.getByRole('listitem')).toContainText(['625.00']);
  await expectGoodScreen(hal.page);
  await page.goto('/?tab=status');
  await expect(page.getByText('1 completed chat')).toBeVisible();
  await expectGoodScreen(page);
});

test('the host declines: the initiator has everything back', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  await request(ann, hal);
  await hal.page.goto('/');
  await hal.page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText(/declined this request/)).toBeVisible();
  await expect(balancePill(page)).toContainText('10,000.00');
  await page.goto('/');
  await searchCard(page, hal.account.displayName);
  await page.getByRole('button', { name: `Open the profile of ${hal.account.displayName}` }).click();
  await expect(page.getByText(/^Available in \d+s$/)).toBeVisible();
});

test('nobody answers within two minutes: the request expires, and everything comes back', async ({ page, browser }) => {
  // The real two minutes: it is the server's clock that counts.
  test.setTimeout(240_000);
  const { ann, hal } = await twoSeats(browser, page);
  await request(ann, hal);
  await expect(page.getByText(/did not answer in time/)).toBeVisible({ timeout: 150_000 });
  await expect(balancePill(page)).toContainText('10,000.00');
  expect(await novaBalance(ann)).toMatchObject({ novaBalance: 10_000, heldNova: 0 });
  await hal.page.goto('/?tab=status');
  await expect(hal.page.getByText('Nobody is waiting for you')).toBeVisible();
});

test('the host terminates: a full refund, a toast, and the feed', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  await request(ann, hal);
  await accept(hal, ann);
  await exchange(ann, hal, 1);
  await hal.page.getByRole('button', { name: 'Terminate Chat' }).click();
  await expect(hal.page.getByRole('dialog')).toContainText(`all ${PRICE} Nova go back`);
  await hal.page.getByRole('dialog').getByRole('button', { name: 'Terminate Chat' }).click();
  await expect(hal.page).toHaveURL(/\/feed$/);
  await expect(toast(page, 'Chat Terminated')).toBeVisible();
  await expect(page).toHaveURL(/\/feed$/);
  await expect(balancePill(page)).toContainText('10,000.00');
});

test('the initiator terminates: what was talked is paid, the rest comes back', async ({ page, browser }) => {
  // A browser under load goes back over the closed dialog later than the page leaves.
  await page.addInitScript(() => {
    const go = history.go.bind(history);
    history.go = (delta) => void setTimeout(() => go(delta), 400);
  });
  const { ann, hal } = await twoSeats(browser, page);
  await request(ann, hal);
  await accept(hal, ann);
  await exchange(ann, hal, 1);
  await page.getByRole('button', { name: 'Terminate Chat' }).click();
  const said = /You pay for what was talked so far: ([\d.,]+) Nova/.exec(await page.getByRole('dialog').innerText());
  const due = Number(said?.[1]?.replaceAll(',', ''));
  expect(due).toBeGreaterThan(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Terminate Chat' }).click();
  await expect(page).toHaveURL(/\/feed$/);
  await expect(toast(hal.page, 'Chat Terminated')).toBeVisible();
  await expect.poll(async () => (await novaBalance(ann)).novaBalance).toBe(10_000 - due);
  const halHas = (await novaBalance(hal)).novaBalance;
  expect(Math.abs(halHas - due / 2)).toBeLessThanOrEqual(0.01);
});

test('a chat opens beside its card, and a stranger is told that there is none', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  await request(ann, hal);
  const address = page.url();
  await accept(hal, ann);
  await page.goto('/');
  await searchCard(page, hal.account.displayName);
  await page.getByRole('button', { name: `Open chat with ${hal.account.displayName}` }).click();
  const overlay = page.getByRole('dialog');
  await expect(overlay).toContainText(`Chat with ${hal.account.displayName}`);
  await overlay.getByLabel('Message', { exact: true }).fill('Hello from beside the card');
  await page.keyboard.press('Enter');
  await expect(hal.page.getByText('Hello from beside the card').first()).toBeAttached();

  const stranger = await browser.newContext();
  await registered(stranger.request, 'Eve');
  const eve = await stranger.newPage();
  await eve.goto(new URL(address).pathname);
  await expect(eve.getByText("This chat may have been deleted or you don't have access to it.")).toBeVisible();
  await eve.getByRole('link', { name: 'Back to Feed' }).click();
  await expect(eve).toHaveURL(/\/$/);
  await stranger.close();
});

test('video is part of an active chat, and says when the camera is refused', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  await page.goto(`/video-chat/${hal.account.id}`);
  await expect(page.getByText('No active chat with this member')).toBeVisible();
  await request(ann, hal);
  await accept(hal, ann);
  await page.goto(`/video-chat/${hal.account.id}`);
  await page.getByRole('button', { name: 'Start call' }).click();
  await expect(page.getByText(/camera/).first()).toBeVisible();
  await expectGoodScreen(page);
});
