import type { APIRequestContext, Browser, Page } from '@playwright/test';
import {
  accountMenuButton,
  balancePill,
  expect,
  expectGoodScreen,
  grantNova,
  loseAnswer,
  registered,
  searchCard,
  test,
  toast,
  unique,
  type Account,
} from './nova.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const REVIEW = {
  rating: 90,
  comment: 'A lovely talk: friendly, quick to answer and full of ideas.',
  follow: false,
};
/** Long enough that the exchanges, and not the characters, are what a chat still lacks. */
const MESSAGE = 'What would you do with a whole free day? I would walk along the sea.';
const MESSAGES_MAX = 20;

/** A member and what speaks for them: the browser of the test, or calls alone. */
interface Member {
  readonly account: Account;
  readonly request: APIRequestContext;
}

async function member(request: APIRequestContext, browser: Browser, displayName: string): Promise<Member> {
  const account = await registered(request, displayName);
  await grantNova(browser, account, 10_000);
  return { account, request };
}

const someone = async (browser: Browser, displayName: string): Promise<Member> =>
  member((await browser.newContext()).request, browser, displayName);

async function post<T = unknown>({ request }: Member, path: string, data: object = {}): Promise<T> {
  const answer = await request.post(path, { data });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return answer.json();
}

async function requested(initiator: Member, host: Member): Promise<string> {
  const { chatId } = await post<{ chatId: string }>(initiator, '/api/chats/initiate', { hostId: host.account.id });
  return chatId;
}

/** A chat that both have talked to its success, and nobody has rated. */
async function successful(initiator: Member, host: Member): Promise<string> {
  const chatId = await requested(initiator, host);
  await post(host, `/api/chats/${chatId}/accept`);
  for (let count = 0; count < MESSAGES_MAX; count++) {
    const { exchangeProgress } = await post<{ exchangeProgress: { isSuccessful: boolean } }>(
      count % 2 === 0 ? host : initiator,
      `/api/chats/${chatId}/messages`,
      { message: MESSAGE },
    );
    if (exchangeProgress.isSuccessful) return chatId;
  }
  throw new Error(`${MESSAGES_MAX} messages made no successful chat.`);
}

async function completed(initiator: Member, host: Member): Promise<void> {
  const chatId = await successful(initiator, host);
  for (const each of [initiator, host]) await post(each, `/api/chats/${chatId}/rate`, REVIEW);
}

async function withoutCookieNotice(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('nova.optionalCookies', 'true'));
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

for (const size of SIZES) {
  test.describe(`${size.width} px wide`, () => {
    test.use({ viewport: size });
    test.describe.configure({ timeout: 300_000 });

    test('the dashboard, payouts, cards and inventory of a member with much', async ({ page, browser }) => {
      await withoutCookieNotice(page);
      const me = await member(page.request, browser, 'Wolfeschlegelsteinhausenbergerdorff Adolph');
      const [noor, bobby] = [await someone(browser, 'نور الهدى'), await someone(browser, '<b>Bobby</b> & Tables')];
      await completed(noor, me);
      await completed(me, bobby);
      await successful(bobby, me);
      await requested(me, await someone(browser, 'Anne-Sophie de la Fontaine-Beaumarchais'));
      await requested(noor, me);

      await page.goto('/?tab=status');
      await expect(page.getByRole('button', { name: 'Accept نور الهدى' })).toBeVisible();
      await expect(page.getByRole('table', { name: 'Nova by part' })).toContainText('625.00');
      await settled(page);
      await expectGoodScreen(page);
      await page.getByRole('button', { name: 'Rate <b>Bobby</b> & Tables' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectGoodScreen(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Burn for Seyvn' }).click();
      await page.getByRole('textbox', { name: 'Karma' }).fill('1');
      await expect(page.getByRole('dialog')).toContainText('You have less than that.');
      await expectGoodScreen(page);

      await page.goto('/payout-history');
      await expect(page.getByRole('listitem').filter({ hasText: 'Their rating' })).toHaveCount(2);
      await expectGoodScreen(page);
      await page.goto('/wallet');
      await page.getByRole('tab', { name: 'Chat History' }).click();
      await expect(page.getByRole('tabpanel')).toContainText('Initiator');
      await expectGoodScreen(page);
      await page.goto('/');
      await expect(page.getByRole('region', { name: 'A chat request for you' })).toBeVisible();
      await settled(page);
      await expectGoodScreen(page);
      await page.goto('/?tab=profile');
      await page.getByRole('button', { name: 'Influence Inventory' }).click();
      await expect(page.getByRole('region', { name: 'Karma' })).toBeVisible();
      await expectGoodScreen(page);
    });
  });
}

test('a rating from the dashboard releases the reward', async ({ page, browser }) => {
  const host = await member(page.request, browser, 'Hal');
  const ann = await someone(browser, 'Ann');
  await successful(ann, host);
  await page.goto('/?tab=status');
  await page.getByRole('button', { name: 'Rate Ann' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Choose a rating' })).toBeDisabled();
  await dialog.getByRole('radio', { name: '8', exact: true }).click();
  await dialog.getByRole('button', { name: 'Rate 8 of 10' }).click();
  await expect(toast(page, 'You received 625.00 Nova.')).toBeVisible();
  await expect(page.getByText('Nothing to rate')).toBeVisible();
  await expect(balancePill(page)).toContainText('10,625.00');
  await page.goto('/payout-history');
  await expect(page.getByRole('listitem').filter({ hasText: 'My rating' })).toContainText(['80 / 100']);
});

test('a rating that is refused says so, and the dialog stays', async ({ page, browser }) => {
  const host = await member(page.request, browser, 'Hal');
  await successful(await someone(browser, 'Ann'), host);
  await page.route('**/api/status/submit-rating', (route) =>
    route.fulfill({ status: 409, json: { code: 'RATING_CLOSED', message: 'Rating has closed.' } }),
  );
  await page.goto('/?tab=status');
  await page.getByRole('button', { name: 'Rate Ann' }).click();
  await page.getByRole('radio', { name: '10', exact: true }).click();
  await page.getByRole('button', { name: 'Rate 10 of 10' }).click();
  await expect(toast(page, 'Failed to submit rating')).toContainText('Rating has closed.');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a rating whose answer got lost counts once, and pressing again says so', async ({ page, browser }) => {
  const host = await member(page.request, browser, 'Hal');
  await successful(await someone(browser, 'Ann'), host);
  await loseAnswer(page, '**/api/status/submit-rating');
  await page.goto('/?tab=status');
  await page.getByRole('button', { name: 'Rate Ann' }).click();
  await page.getByRole('radio', { name: '8', exact: true }).click();
  const rate = page.getByRole('button', { name: 'Rate 8 of 10' });
  await rate.click();
  await expect(toast(page, 'Failed to submit rating')).toBeVisible();
  await expect(page.getByText('Nothing to rate')).toBeAttached();
  await rate.click();
  await expect(toast(page, 'You received 625.00 Nova.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('burning shows what goes and what comes, and does it once', async ({ page, browser }) => {
  await member(page.request, browser, 'Emi');
  await page.goto('/?tab=status');
  await expect(page.getByRole('button', { name: 'Create Test Perks' })).toBeDisabled();
  await expect(page.getByText('Test perks are switched off in this installation.')).toBeVisible();
  await page.getByRole('button', { name: 'Burn for Seyvn' }).click();
  const does = page.getByRole('region', { name: 'What burning does' });
  await expect(does).toContainText('9,900.00');
  await expect(does).toContainText('0.00 → 100.00');
  await page.getByLabel('Earned Nova').fill('10,000.01');
  await expect(page.getByRole('dialog')).toContainText('You have less than that.');
  await expect(page.getByRole('button', { name: 'Burn', exact: true })).toBeDisabled();
  await page.getByLabel('Earned Nova').fill('1,250.5');
  await page.getByRole('button', { name: 'Burn for 1,250.50 Seyvn' }).dblclick();
  await expect(toast(page, 'Burned for Seyvn').first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(balancePill(page)).toContainText('8,749.50');
  await expect(page.getByRole('table', { name: 'Nova by part' })).toContainText('8,749.50');
  const dashboard = await page.request.get('/api/status/dashboard');
  expect(await dashboard.json()).toMatchObject({ earnedNova: 8_749.5, seyvnBalance: 1_250.5 });
});

test('burning most of what one has is tried again when its answer got lost, and burns once', async ({
  page,
  browser,
}) => {
  await member(page.request, browser, 'Emi');
  await page.goto('/?tab=status');
  await page.getByRole('button', { name: 'Burn for Seyvn' }).click();
  await page.getByLabel('Earned Nova').fill('6,000');
  await loseAnswer(page, /\/api\/status\/burn-tokens/);
  const burn = page.getByRole('button', { name: 'Burn for 6,000 Seyvn' });
  await burn.click();
  await expect(page.getByText('Trying again is safe')).toBeVisible();
  await expect(page.getByLabel('Earned Nova')).toHaveAttribute('readonly');
  await expect(balancePill(page)).toContainText('4,000.00');
  await burn.click();
  await expect(toast(page, 'Burned for Seyvn')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const dashboard = await page.request.get('/api/status/dashboard');
  expect(await dashboard.json()).toMatchObject({ earnedNova: 4_000, seyvnBalance: 6_000 });
});

test('a request is heard of at once, wherever one is; its acceptance takes the other side to the chat', async ({
  page,
  browser,
}) => {
  const host = await member(page.request, browser, 'Hal');
  const context = await browser.newContext();
  const ann = await member(context.request, browser, 'Ann');
  const annsPage = await context.newPage();
  await annsPage.goto('/gifts');
  await page.goto('/gifts');
  await expect(page.getByRole('link', { name: 'Status' }).first()).toContainText('0 inbound chats');
  const chatId = await requested(ann, host);
  const notice = toast(page, 'Ann would like to chat with you.');
  await expect(notice).toBeVisible();
  await expect(page.getByRole('link', { name: 'Status' }).first()).toContainText('1 inbound chat');
  await notice.getByRole('button', { name: 'Show it' }).click();
  await page.getByRole('button', { name: 'Accept Ann' }).click();
  await expect(page).toHaveURL(new RegExp(`/chat/${chatId}$`));
  await expect(toast(annsPage, 'Chat Accepted!')).toContainText('Your chat request was accepted!');
  await expect(annsPage).toHaveURL(new RegExp(`/chat/${chatId}$`));
  await annsPage.goBack();
  await expect(annsPage).toHaveURL(/\/gifts$/);
  await context.close();
});

test('a request that is gone cannot be accepted, and the reason is said', async ({ page, browser }) => {
  const host = await member(page.request, browser, 'Hal');
  await requested(await someone(browser, 'Ann'), host);
  const refuse = { status: 409, json: { code: 'CHAT_EXPIRED', message: 'This request has expired.' } };
  await page.route(/\/api\/chats\/[^/]+\/(accept|decline)$/, (route) => route.fulfill(refuse));
  await page.goto('/?tab=status');
  await page.getByRole('button', { name: 'Accept Ann' }).click();
  await expect(toast(page, 'Failed to accept chat')).toContainText('This request has expired.');
  await page.getByRole('button', { name: 'Decline Ann' }).click();
  await expect(toast(page, 'Failed to decline chat')).toContainText('This request has expired.');
});

test('a request that was accepted leads to its chat although the answer got lost', async ({ page, browser }) => {
  const host = await member(page.request, browser, 'Hal');
  const chatId = await requested(await someone(browser, 'Ann'), host);
  await loseAnswer(page, '**/accept');
  await page.goto('/?tab=status');
  await page.getByRole('button', { name: 'Accept Ann' }).click();
  await expect(page).toHaveURL(new RegExp(`/chat/${chatId}$`));
  await expect(toast(page, 'Failed to accept chat')).toHaveCount(0);
});

test('payouts that cannot be loaded say so, and can be tried again', async ({ page }) => {
  await registered(page.request, 'Ada');
  const path = '**/api/chats/completed-history?*';
  await page.route(path, (route) => route.fulfill({ status: 404, json: { code: 'X', message: 'Not this.' } }));
  await page.goto('/payout-history');
  await expect(page.getByRole('alert')).toContainText('Failed to load payout history. Please try again later.');
  await page.unroute(path);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No completed chats yet')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the wallet' }).click();
  await expect(page).toHaveURL(/\/wallet$/);
});

test('members are found, followed, blocked and reported from their cards', async ({ page, browser }) => {
  await registered(page.request, 'Ada');
  const name = unique('Ben');
  const ben = await someone(browser, name);
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search members' }).fill('nobody has such a name');
  await expect(page.getByText('No profiles found')).toBeVisible();
  await expect(page.getByText('Try adjusting your search filters')).toBeVisible();
  await searchCard(page, name);
  const card = page.getByRole('listitem').filter({ hasText: name });
  await expect(card).toHaveCount(1);
  expect((await card.boundingBox())?.height).toBe(288);
  await card.getByRole('button', { name: `More about ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Follow', exact: true }).click();
  await expect(toast(page, 'You follow this member.')).toBeVisible();
  await accountMenuButton(page).click();
  await expect(page.getByText('1 following')).toBeVisible();
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: `More about ${name}` }).click();
  await expect(page.getByRole('menuitem', { name: 'Unfollow' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Report' }).click();
  await page.keyboard.press('Escape');
  await expect(card.getByRole('button', { name: `More about ${name}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Report' }).click();
  await page.getByLabel('What happened?').fill('He was rude.');
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(toast(page, 'Reported')).toBeVisible();
  await card.getByRole('button', { name: `More about ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Block', exact: true }).click();
  await expect(toast(page, 'This member is blocked.')).toBeVisible();
  const relation = await page.request.get(`/api/users/${ben.account.id}/relation`);
  expect(await relation.json()).toMatchObject({ blocked: true });
  await expect(card).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page, 'This member is no longer blocked.')).toBeVisible();
  await expect(card).toHaveCount(1);
});
