import type { APIRequestContext, Browser } from '@playwright/test';
import {
  acceptCookies,
  expect,
  expectGoodAtEverySize,
  expectNarrow,
  grantNova,
  registered,
  settled,
  test,
  toast,
  type Account,
} from './nova.js';

const REVIEW = {
  rating: 90,
  comment: 'A lovely talk: friendly, quick to answer and full of ideas.',
  follow: false,
};
/** Long enough that the exchanges, and not the characters, are what a chat still lacks. */
const MESSAGE = 'What would you do with a whole free day? I would walk along the sea.';
const MESSAGES_MAX = 20;

/** A member, and how they act: with the browser of the test, or only with calls. */
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

/** Makes a successful chat that nobody has rated. */
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

test('the dashboard, payouts, cards and inventory of a member with much are in order at every size', async ({
  page,
  browser,
}) => {
  // Many scans in one test, each of which looks at every element of the screen.
  test.setTimeout(300_000);
  await acceptCookies(page);
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
  await expectGoodAtEverySize(page);
  await page.getByRole('button', { name: 'Rate <b>Bobby</b> & Tables' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.getByRole('radio', { name: '8', exact: true }).click();
  await page.getByRole('button', { name: 'Rate 8 of 10' }).click();
  await expect(toast(page, 'You received 625.00 Nova.')).toBeVisible();
  await page.getByRole('button', { name: 'Burn for Seyvn' }).click();
  await page.getByRole('textbox', { name: 'Karma' }).fill('1');
  await expect(page.getByRole('dialog')).toContainText('You have less than that.');
  await expectGoodAtEverySize(page);

  await page.goto('/payout-history');
  await expect(page.getByRole('listitem').filter({ hasText: 'My rating' })).toHaveCount(3);
  await expectGoodAtEverySize(page);
  await expectNarrow(page);
  await page.goto('/wallet');
  await page.getByRole('tab', { name: 'Chat History' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('You initiated');
  await expectGoodAtEverySize(page);
  // The first one may have expired by now.
  await requested(bobby, me);
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'A chat request for you' })).toBeVisible();
  await settled(page);
  await expectGoodAtEverySize(page);
  await page.goto('/?tab=profile');
  await page.getByRole('button', { name: 'Influence Inventory' }).click();
  await expect(page.getByRole('region', { name: 'Karma' })).toBeVisible();
  await expectGoodAtEverySize(page);
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
