import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIRequestContext, Browser, Locator, Page } from '@playwright/test';
import {
  acceptCookies,
  adminContext,
  expect,
  expectOnlyErrors,
  grantNova,
  registered,
  someoneElse,
  test,
  unique,
  type Account,
} from './nova.js';
import { publish } from './posts.js';
import { makeQuest } from './quest.js';

/** How long a browser's translator takes to replace what has appeared. */
const TRANSLATED_AFTER_MS = 300;
/** How long each answer takes: what it changes was translated in the meantime. */
const ANSWERED_AFTER_MS = TRANSLATED_AFTER_MS + 100;
const ROUTER = new URL('../../apps/web/src/app/router.tsx', import.meta.url);
const PRESSES_MAX = 45;

/** As translators in browsers do: each text moves into an element of theirs, a moment after it has appeared. */
async function translate(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    await sleep(ANSWERED_AFTER_MS);
    await route.continue().catch(() => undefined);
  });
  await page.addInitScript((delay) => {
    const wrap = (): void => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      while (texts.nextNode()) found.push(texts.currentNode as Text);
      for (const text of found) {
        const parent = text.parentElement;
        if (parent === null || text.data.trim() === '' || parent.closest('font, script, style, textarea, svg'))
          continue;
        const translation = document.createElement('font');
        parent.replaceChild(translation, text);
        translation.append(text);
      }
    };
    let due = 0;
    new MutationObserver(() => {
      window.clearTimeout(due);
      due = window.setTimeout(wrap, delay);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  }, TRANSLATED_AFTER_MS);
}

/** What everybody sees: the chat, the post and the application belong to the member who presses. */
interface World {
  readonly member: Account;
  readonly chatId: string;
  readonly postId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly otherId: string;
  readonly eventId: string;
}

/** A member with something on each page, made for one route: the route's buttons may spend, delete and sign out. */
async function world(page: Page, browser: Browser): Promise<World> {
  const host = await browser.newContext();
  const other = await registered(host.request, unique('Otto'));
  await host.close();
  const member = await registered(page.request, unique('Ada'));
  await grantNova(browser, member, 9_000);
  const gift = await post(page.request, '/api/gifts/send', { recipientId: other.id, amount: 1_000 });
  const chat = await post(page.request, '/api/chats/initiate', { hostId: other.id });
  const redirectUri = new URL('/terms', (await page.request.get('/health/ready')).url()).href;
  const application = await post(page.request, '/api/oauth/register-app', {
    name: unique('Loom'),
    redirectUris: [redirectUri],
    scopes: ['openid', 'profile'],
  });
  return {
    member,
    chatId: String(chat['chatId']),
    postId: await publish(page.request, { caption: 'A quarter to six' }),
    clientId: String(application['clientId']),
    redirectUri,
    otherId: other.id,
    eventId: String(gift['eventId']),
  };
}

async function post(request: APIRequestContext, path: string, data: object): Promise<Record<string, unknown>> {
  const answer = await request.post(path, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

const asked = (client_id: string, redirect_uri: string): string =>
  `/oauth/authorize?${new URLSearchParams({ client_id, redirect_uri, response_type: 'code', scope: 'openid profile', state: 's' })}`;

/** The addresses that stand for each route of the router; a page with tabs has one for each. */
const ROUTES: Record<string, (world: World) => readonly string[]> = {
  '/terms': () => ['/terms'],
  '/reset-password': () => ['/reset-password?token=none'],
  '/oauth/consent': ({ clientId, redirectUri }) => [asked(clientId, redirectUri)],
  '/oauth/consent/test': ({ clientId, redirectUri }) => [asked(`test_${clientId}`, redirectUri)],
  '/device': () => ['/device'],
  '/verify-email': () => ['/verify-email?token=none'],
  '/': () => ['/', '/?tab=status', '/?tab=nexus', '/?tab=profile'],
  '/discovery': () => ['/discovery'],
  '/feed': () => ['/feed'],
  '/wallet': () => ['/wallet', '/wallet?topup=1'],
  '/gifts': () => ['/gifts', '/gifts?send=1'],
  '/profile': () => ['/profile', '/profile?tab=settings', '/profile?tab=content'],
  '/resonance': () => ['/resonance'],
  '/post/:id': ({ postId }) => [`/post/${postId}`],
  '/video-chat/:userId': ({ otherId }) => [`/video-chat/${otherId}`],
  '/quests': () => ['/quests'],
  '/payout-history': () => ['/payout-history'],
  '/chat/:chatId': ({ chatId }) => [`/chat/${chatId}`],
  '/chats/:chatId': ({ chatId }) => [`/chats/${chatId}`],
  '/developer': () => ['/developer'],
  '/developer/apps/:clientId': ({ clientId }) => [`/developer/apps/${clientId}`],
  '/oauth/demo': () => ['/oauth/demo'],
  '*': () => ['/no/such/page'],
};

const ADMIN_SECTIONS =
  'overview quests users content reports transactions bulk approvals watches periods reconciliation audit read-models finance finance&view=statement finance&view=dollars finance&view=close finance&view=export'.split(
    ' ',
  );
const ADMIN_ROUTES: Record<string, (eventId: string) => readonly string[]> = {
  '/admin': () => ADMIN_SECTIONS.map((section) => `/admin?section=${section}`),
  '/admin/events/:eventId': (eventId) => [`/admin/events/${eventId}`],
};
/** The admin and their figures are shared by all tests: what they alone could undo is not pressed. */
const NOT_BY_THE_ADMIN = /sign out|delete|remove|rebuild|reset|close|download|export|suspend|admin|reverse|set aside/i;

test('every route of the router is translated here', () => {
  const paths = [...readFileSync(ROUTER, 'utf8').matchAll(/path: '([^']+)'/g)].map(([, path]) => path);
  expect(new Set(Object.keys({ ...ROUTES, ...ADMIN_ROUTES }))).toEqual(new Set(paths));
});

for (const [route, addresses] of Object.entries(ROUTES)) {
  test(`a browser may translate ${route}`, async ({ page, browser }) => {
    await acceptCookies(page);
    await translate(page);
    const here = await world(page, browser);
    for (const address of addresses(here)) await pressEverything(page, address);
  });
}

for (const [route, addresses] of Object.entries(ADMIN_ROUTES)) {
  test(`a browser may translate ${route}`, async ({ browser }) => {
    test.setTimeout(300_000);
    await makeQuest(browser, { title: unique('Say something kind') });
    const giver = await browser.newContext();
    const member = await registered(giver.request, unique('Gina'));
    await grantNova(browser, member, 1_000);
    const gift = await post(giver.request, '/api/gifts/send', {
      recipientId: (await someoneElse(browser, unique('Otto'))).id,
      amount: 1_000,
    });
    await giver.close();
    const admin = await adminContext(browser);
    const page = await admin.newPage();
    await acceptCookies(page);
    await translate(page);
    for (const address of addresses(String(gift['eventId']))) await pressEverything(page, address, NOT_BY_THE_ADMIN);
    await admin.close();
  });
}

test('a browser may translate the landing screen and its card', async ({ page }) => {
  await acceptCookies(page);
  await translate(page);
  await pressEverything(page, '/');
});

/**
 * Presses each button of the page once, also those of dialogs that open, and fills what it can write into. Nothing may
 * break: what the browser reports fails the test, and so does a page that could not be shown.
 */
async function pressEverything(page: Page, address: string, not?: RegExp): Promise<void> {
  await page.goto(address);
  await atRest(page);
  const home = new URL(page.url());
  const pressed = new Set<string>();
  for (let left = PRESSES_MAX; left > 0; left--) {
    if (new URL(page.url()).pathname !== home.pathname) {
      await page.goto(address);
      await atRest(page);
    }
    await fillIn(page);
    const next = await nextButton(page, pressed, not);
    if (next === undefined) {
      if (!(await page.getByRole('dialog').first().isVisible())) break;
      await page.keyboard.press('Escape');
    } else await next.click({ timeout: 2_000 }).catch(() => undefined);
    await atRest(page);
    await expect(page.getByText(/could not be shown/)).toHaveCount(0);
    // Calls are refused where what is filled in is not good: only an error of the page counts.
    expectOnlyErrors('Failed to load resource');
  }
}

/** Until the translator has been there. */
const atRest = (page: Page) => page.waitForTimeout(ANSWERED_AFTER_MS + 150);

async function fillIn(page: Page): Promise<void> {
  for (const field of await page
    .locator('textarea:visible, input:visible:is([type=text], [type=number], :not([type]))')
    .all())
    if ((await field.inputValue({ timeout: 500 }).catch(() => '?')) === '')
      await field.fill('12', { timeout: 500 }).catch(() => undefined);
}

/** The first button in sight that was not pressed yet: buttons of one name are one. */
async function nextButton(page: Page, pressed: Set<string>, not?: RegExp): Promise<Locator | undefined> {
  const buttons = page.locator(
    ':is(button, [role=tab], [role=switch], summary):visible:not(:disabled):not([aria-disabled=true])',
  );
  const names = await buttons.evaluateAll((all) =>
    all.map(
      (it) =>
        `${it.closest('[role=dialog]') === null ? '' : 'dialog: '}${it.getAttribute('aria-label') ?? it.textContent ?? ''}`,
    ),
  );
  const hasDialog = names.some((name) => name.startsWith('dialog: '));
  const place = names.findIndex(
    (name) => !pressed.has(name) && !(not?.test(name) ?? false) && (!hasDialog || name.startsWith('dialog: ')),
  );
  if (place < 0) return undefined;
  pressed.add(names[place]!);
  return buttons.nth(place);
}
