import type { APIRequestContext, Browser, Page } from '@playwright/test';
import { placeNodes, type Point } from '../../apps/web/src/features/nexus/sky/constellation.js';
import { expect, expectGoodScreen, grantNova, registered, test, type Account } from './nova.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const FIRST_REVIEW = 'A lovely talk: friendly, quick to answer and full of ideas.';
const SECOND_REVIEW = 'محادثة جميلة ومفيدة جدا، أتمنى أن نتحدث مرة أخرى قريبا جدا.';
const MESSAGE = 'What would you do with a whole free day? I would walk along the sea.';
const HOSTILE = '<img src=x onerror=alert(1)>';
const THREADS = '**/api/personal-threads?*';

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

/** A chat that both have rated; it makes a thread. */
async function threaded(initiator: Member, host: Member): Promise<string> {
  const { chatId } = await post<{ chatId: string }>(initiator, '/api/chats/initiate', { hostId: host.account.id });
  await post(host, `/api/chats/${chatId}/accept`);
  for (let count = 0; count < 10; count++) {
    await post(count % 2 === 0 ? initiator : host, `/api/chats/${chatId}/messages`, { message: MESSAGE });
  }
  await post(initiator, `/api/chats/${chatId}/rate`, { rating: 91, comment: FIRST_REVIEW, follow: false });
  await post(host, `/api/chats/${chatId}/rate`, { rating: 84, comment: SECOND_REVIEW, follow: false });
  return chatId;
}

/**
 * Makes three threads of the browser's member, the last with the member with a hostile name. Returns that chat's id.
 */
async function withThreads(page: Page, browser: Browser): Promise<string> {
  await page.addInitScript(() => localStorage.setItem('nova.optionalCookies', 'true'));
  const me = await member(page.request, browser, 'Ada');
  await threaded(me, await someone(browser, 'Wolfeschlegelsteinhausenbergerdorff Adolph'));
  await threaded(await someone(browser, 'نور الهدى'), me);
  const chatId = await threaded(me, await someone(browser, HOSTILE));
  await expect
    .poll(async () => (await page.request.get(`/api/personal-threads?ownerId=${me.account.id}`)).json())
    .toHaveLength(3);
  return chatId;
}

const rows = (page: Page) => page.getByRole('list', { name: 'Threads, newest first' }).getByRole('listitem');

/** A place of the sky, seen from its middle, as the page has it. */
async function placeInSky(page: Page, { x, y }: Point): Promise<Point> {
  const sky = page.locator('canvas');
  await sky.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const box = await sky.boundingBox();
  if (!box) throw new Error('The sky is not there.');
  expect(box.height).toBe(600);
  return { x: box.x + box.width / 2 + x, y: box.y + box.height / 2 + y };
}

async function nodeAt(page: Page, index: number): Promise<Point> {
  const width = await page.locator('canvas').evaluate((element) => element.clientWidth);
  const point = placeNodes(3, { width, height: 600 })[index];
  if (!point) throw new Error('There is no such node.');
  return point;
}

test('threads are a sky and a list, and each opens, at every size; the centre opens the chain', async ({
  page,
  browser,
}) => {
  await page.addInitScript(() => {
    const ask = window.requestAnimationFrame.bind(window);
    Object.assign(window, { framesAsked: 0 });
    window.requestAnimationFrame = (callback) => {
      Object.assign(window, { framesAsked: (Reflect.get(window, 'framesAsked') as number) + 1 });
      return ask(callback);
    };
  });
  const chatId = await withThreads(page, browser);
  const dialog = page.getByRole('dialog', { name: 'Thread' });
  const chain = page.getByRole('dialog', { name: 'Personal Blockchain' });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.goto('/?tab=nexus');
    await expect(rows(page)).toHaveCount(3);
    await expect(rows(page).first()).toContainText(HOSTILE);
    await expect(rows(page).first()).toContainText('Block 3');
    await expect(rows(page).nth(1)).toContainText('Karma');
    await expectGoodScreen(page);

    // The hit radius is 20 px (rule nexus-5): a little to the side of the newest node still opens it, and further off nothing.
    const node = await nodeAt(page, 0);
    const beside = await placeInSky(page, { x: node.x + 24, y: node.y });
    await page.mouse.click(beside.x, beside.y);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const hit = await placeInSky(page, { x: node.x + 18, y: node.y });
    await page.mouse.click(hit.x, hit.y);
    await expect(dialog).toContainText(HOSTILE);
    await expect(dialog).toContainText('You gave91 / 100');
    await expect(dialog).toContainText('You were given84 / 100');
    await expect(dialog).toContainText(FIRST_REVIEW);
    await expect(dialog).toContainText(SECOND_REVIEW);
    await expect(dialog).toContainText('Initiator');
    await expect(dialog).toContainText('Block 3');
    await expectGoodScreen(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();

    const centre = await placeInSky(page, { x: 0, y: 0 });
    await page.mouse.click(centre.x, centre.y);
    await expect(chain).toContainText('Karma threads1');
    await expect(chain).toContainText('Influence threads2');
    await chain.getByRole('button', { name: 'Check the chain' }).click();
    await expect(chain.getByRole('status')).toHaveText('3 of 3 blocks check out');
    await expectGoodScreen(page);
    await page.keyboard.press('Escape');
    await expect(chain).toBeHidden();
  }

  // The list does by keyboard what the sky does by pointer, and the sky does not move.
  const row = rows(page).nth(1).getByRole('button');
  await row.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('نور الهدى');
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();
  const framesAsked = (): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'framesAsked') as unknown);
  await page.waitForTimeout(1_500);
  const before = await framesAsked();
  expect(before).toBeGreaterThan(0);
  await page.waitForTimeout(500);
  expect(await framesAsked()).toBe(before);

  await page.route(THREADS, async (route) => {
    const response = await route.fetch();
    const threads: { blockNumber: number }[] = await response.json();
    const json = threads.map((thread) => (thread.blockNumber === 2 ? { ...thread, givenRating: 100 } : thread));
    await route.fulfill({ response, json });
  });
  await page.getByRole('button', { name: 'Personal Blockchain' }).click();
  await chain.getByRole('button', { name: 'Check the chain' }).click();
  await expect(chain.getByRole('status')).toHaveText(
    'Block 2 does not check out. Its hash does not match its content.',
  );
  await expectGoodScreen(page);
  await page.keyboard.press('Escape');
  await rows(page).first().getByRole('button').click();
  await dialog.getByRole('link', { name: 'Open the chat' }).click();
  await expect(page).toHaveURL(new RegExp(`/chat/${chatId}$`));
});
