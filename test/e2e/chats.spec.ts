import type { Browser, Locator, Page } from '@playwright/test';
import {
  balancePill,
  expect,
  expectGoodScreen,
  grantNova,
  pressPaid,
  registered,
  searchCard,
  test,
  toast,
  unique,
  type Account,
} from './nova.js';
import { onlyPosts } from './posts.js';

const REVIEW = 'A lovely talk: friendly, quick to answer and full of ideas.';
const EXPLANATION = 'It was fine, only a little short.';
const PRICE = '1,250';

interface Seat {
  readonly page: Page;
  readonly account: Account;
}

/** Two members, each at a browser of their own; the initiator has 10,000 Nova. */
async function twoSeats(browser: Browser, page: Page, hostName = unique('Hal')): Promise<{ ann: Seat; hal: Seat }> {
  const ann = { page, account: await registered(page.request, unique('Ann')) };
  await grantNova(browser, ann.account, 10_000);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const other = await context.newPage();
  const hal = { page: other, account: await registered(context.request, hostName) };
  for (const { page: each } of [ann, hal]) {
    // Other tests' posts cost Nova when a member opens the feed.
    await onlyPosts(each, []);
    await each.goto('/');
    await closeCookieNotice(each);
  }
  return { ann, hal };
}

async function closeCookieNotice(page: Page): Promise<void> {
  const notice = page.getByRole('button', { name: 'Accept All' });
  if (await notice.isVisible()) await notice.click();
}

/** Shows only the host's card, which was unlocked before. */
async function findUnlockedCard(ann: Seat, hal: Seat): Promise<void> {
  const { page } = ann;
  await page.evaluate(
    ([me, them]) => localStorage.setItem(`nova.unlockedProfiles.${me}`, JSON.stringify([them])),
    [ann.account.id, hal.account.id],
  );
  await page.goto('/');
  await searchCard(page, hal.account.displayName);
}

async function askForChat({ page }: Seat, { account: { displayName } }: Seat): Promise<void> {
  await page.getByRole('button', { name: `Open the profile of ${displayName}` }).click();
  await page.getByRole('button', { name: `Chat with ${displayName}` }).click();
}

/** Goes from the host's card to a request with a held payment. */
async function request(ann: Seat, hal: Seat): Promise<void> {
  const { page } = ann;
  await findUnlockedCard(ann, hal);
  await askForChat(ann, hal);
  await pressPaid(page.getByRole('button', { name: `Request chat for ${PRICE} Nova` }));
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

/** On a phone one can write without scrolling: the button that sends is above the tabs. */
async function expectRoomToWrite(page: Page): Promise<void> {
  const tabs = page.getByRole('navigation', { name: 'Main' });
  const tabsBegin = await tabs.evaluate((element) => element.getBoundingClientRect().top);
  const send = page.getByRole('button', { name: 'Send', exact: true });
  expect(await send.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(tabsBegin);
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

/** Actions of either member without the screens on the way. */
async function does<T = unknown>({ page }: Seat, path: string, data: object = {}): Promise<T> {
  const answer = await page.request.post(path, { data });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return answer.json();
}

async function active(ann: Seat, hal: Seat): Promise<string> {
  const { chatId } = await does<{ chatId: string }>(ann, '/api/chats/initiate', { hostId: hal.account.id });
  await does(hal, `/api/chats/${chatId}/accept`);
  return chatId;
}

async function openOnItsPage({ page }: Seat, chatId: string): Promise<void> {
  await page.goto(`/chat/${chatId}`);
  await expect(page.getByRole('region', { name: 'About this chat' })).toBeVisible();
}

/** The position of an element, in pixels from the top of the screen, and its opacity. */
const boxOf = (shown: Locator) =>
  shown.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom, opacity: getComputedStyle(element).opacity };
  });

/** Where the words of an element begin and end, in pixels from the left of the screen. */
const wordsOf = (shown: Locator) =>
  shown.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { left, right } = range.getBoundingClientRect();
    return { left, right };
  });

/** A name that no other test has, in letters that are written from right to left. */
const arabicName = (): string =>
  `نور ${Array.from(crypto.randomUUID().slice(0, 8), (digit) => 'ابتثجحخدذرزسشصضط'[Number.parseInt(digit, 16)]).join('')}`;

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
  await expectRoomToWrite(hal.page);
  for (let number = 1; number <= 4; number++) await exchange(ann, hal, number);
  await expect(page.getByText('4 / 5')).toBeVisible();
  for (const each of [page, hal.page]) {
    await each.getByRole('button', { name: 'Show as text' }).click();
    await expect(each.getByRole('region', { name: 'Transcript' })).toContainText('Answer 4');
  }
  await expectRoomToWrite(hal.page);
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

test('the initiator terminates and pays for the part that took place; the rest comes back', async ({
  page,
  browser,
}) => {
  // A browser under load leaves the closed dialog's history entry later than the page navigates.
  await page.addInitScript(() => {
    const go = history.go.bind(history);
    history.go = (delta) => void setTimeout(() => go(delta), 400);
  });
  const { ann, hal } = await twoSeats(browser, page);
  await request(ann, hal);
  await accept(hal, ann);
  await exchange(ann, hal, 1);
  await page.getByRole('button', { name: 'Terminate Chat' }).click();
  const said = /You pay for the part of the chat that took place: ([\d.,]+) Nova/.exec(
    await page.getByRole('dialog').innerText(),
  );
  const due = Number(said?.[1]?.replaceAll(',', ''));
  expect(due).toBeGreaterThan(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Terminate Chat' }).click();
  await expect(page).toHaveURL(/\/feed$/);
  await expect(toast(hal.page, 'Chat Terminated')).toBeVisible();
  await expect.poll(async () => (await novaBalance(ann)).novaBalance).toBe(10_000 - due);
  const halHas = (await novaBalance(hal)).novaBalance;
  expect(Math.abs(halHas - due / 2)).toBeLessThanOrEqual(0.01);
});

test('a name from right to left keeps to its place, and a message to its lines', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page, arabicName());
  const { displayName } = hal.account;
  await does(hal, '/api/users/update-profile', { status: 'السماء' });
  await findUnlockedCard(ann, hal);
  const front = page.getByRole('listitem').filter({ hasText: 'السماء' });
  const nameOnCard = await wordsOf(front.getByText(displayName, { exact: true }));
  expect(nameOnCard.left).toBeCloseTo((await wordsOf(front.getByText('السماء'))).left, 0);

  await askForChat(ann, hal);
  const share = page.getByRole('region', { name: 'Who gets what' }).getByRole('listitem').first();
  const named = await wordsOf(share.getByText(displayName));
  expect((await wordsOf(share.getByText('50%'))).left).toBeGreaterThanOrEqual(named.right);
  await page.keyboard.press('Escape');

  const chatId = await active(ann, hal);
  await does(hal, `/api/chats/${chatId}/messages`, { message: 'بخير!\nشكرا' });
  await openOnItsPage(ann, chatId);
  const floating = page.getByRole('region', { name: `Host: ${displayName}` }).locator('li');
  expect(await floating.innerText()).toBe('بخير!\nشكرا');
  await expect(floating).toHaveCSS('direction', 'rtl');
  await page.getByRole('button', { name: 'Show as text' }).click();
  const said = page.getByRole('region', { name: 'Transcript' }).getByRole('listitem').first();
  const speaker = await wordsOf(said.getByText(displayName, { exact: true }));
  expect((await wordsOf(said.locator('time'))).left).toBeGreaterThanOrEqual(speaker.right);
});

test('a camera that opens after its page was left is let go, and nobody is called', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  await active(ann, hal);
  const sent: string[] = [];
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
  await page.addInitScript(() => {
    const stream = document.createElement('canvas').captureStream();
    navigator.mediaDevices.getUserMedia = () =>
      new Promise((resolve) => Object.assign(window, { stream, openCamera: () => resolve(stream) }));
  });
  await page.goto(`/video-chat/${hal.account.id}`);
  await expectGoodScreen(page);
  await page.getByRole('button', { name: 'Start call' }).click();
  await page.waitForFunction(() => 'openCamera' in window);
  await page.getByRole('link', { name: 'Back to the chat' }).click();
  const message = page.getByLabel('Message', { exact: true });
  await expect(message).toBeEnabled();
  await page.evaluate('openCamera()');
  await page.waitForFunction('stream.getTracks().every((track) => track.readyState === "ended")');
  await message.fill('Here I am again');
  await page.keyboard.press('Enter');
  await expect.poll(() => sent.join()).toContain('Here I am again');
  expect(sent.join()).not.toContain('video_start');
});

/** A camera that opens at once and shows nothing. */
const withCamera = (page: Page) =>
  page.addInitScript(() => {
    const stream = document.createElement('canvas').captureStream();
    navigator.mediaDevices.getUserMedia = () => Promise.resolve(stream);
  });

test('who leaves the page of a call has hung up', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  await openOnItsPage(hal, await active(ann, hal));
  const sent: string[] = [];
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
  await withCamera(page);
  const calling = hal.page.getByText(`${ann.account.displayName} is calling you.`);
  for (const leave of [() => page.getByRole('link', { name: 'Back to the chat' }).click(), () => page.goto('/terms')]) {
    sent.length = 0;
    await page.goto(`/video-chat/${hal.account.id}`);
    await page.getByRole('button', { name: 'Start call' }).click();
    await expect(calling).toBeVisible();
    await expect.poll(() => sent.join()).toContain('video_signal');
    await leave();
    await expect(calling).toHaveCount(0);
  }
});

test('a call that is answered on one page rings on no other', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  const chatId = await active(ann, hal);
  for (const each of [page, hal.page]) await withCamera(each);
  await openOnItsPage(hal, chatId);
  const elsewhere = await hal.page.context().newPage();
  await elsewhere.goto(`/chat/${chatId}`);
  const onCallPage = await hal.page.context().newPage();
  await onCallPage.goto(`/video-chat/${ann.account.id}`);
  await expect(onCallPage.getByRole('button', { name: 'Start call' })).toBeVisible();
  const calling = (on: Page) => on.getByText(`${ann.account.displayName} is calling you.`).first();
  const call = async () => {
    await page.goto(`/video-chat/${hal.account.id}`);
    await page.getByRole('button', { name: 'Start call' }).click();
    for (const each of [hal.page, elsewhere, onCallPage]) await expect(calling(each)).toBeVisible();
  };

  await call();
  await hal.page.getByRole('button', { name: 'Not now' }).click();
  for (const each of [hal.page, elsewhere, onCallPage]) await expect(calling(each)).toHaveCount(0);

  await call();
  await page.getByRole('button', { name: 'Hang up' }).click();
  for (const each of [hal.page, elsewhere, onCallPage]) await expect(calling(each)).toHaveCount(0);

  await call();
  await hal.page.getByRole('link', { name: 'Join call' }).click();
  await hal.page.getByRole('button', { name: 'Start call' }).click();
  await expect(hal.page.getByRole('button', { name: 'Hang up' })).toBeVisible();
  for (const each of [elsewhere, onCallPage]) await expect(calling(each)).toHaveCount(0);
});

test('without motion, what was said stays readable, at every size', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  const chatId = await active(ann, hal);
  await openOnItsPage(ann, chatId);
  for (let said = 1; said <= 17; said++) {
    await does(ann, `/api/chats/${chatId}/messages`, { message: `Number ${said}: how would you spend a day?` });
  }
  const panel = page.getByRole('region', { name: 'Initiator:' });
  const messages = panel.locator('li');
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await expect(messages).toHaveCount(16);
    await expect(messages.last()).toContainText('Number 17');
    const [older, newest, whole] = [await boxOf(messages.nth(14)), await boxOf(messages.nth(15)), await boxOf(panel)];
    expect([older.opacity, newest.opacity]).toEqual(['1', '1']);
    expect(older.top).toBeGreaterThan(whole.top);
    expect(newest.top).toBeGreaterThan(older.bottom);
    expect(newest.bottom).toBeLessThan(whole.bottom);
  }
});
