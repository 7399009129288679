import type { Locator, Page } from '@playwright/test';
import {
  acceptCookies,
  accountMenuButton,
  asAdmin,
  expect,
  expectGoodAtEverySize,
  expectGoodScreen,
  expectNarrow,
  grantNova,
  held,
  openAuthCard,
  registered,
  settled,
  someoneElse,
  test,
} from './nova.js';

/** Difficult names: long, right to left, with characters that have a meaning in HTML. */
const NAMES = ['Wolfeschlegelsteinhausenbergerdorff Adolph', 'نور الهدى', '<b>Bobby</b> & Tables'];

// Many scans in one test, each of which looks at every element of the screen.
test.describe.configure({ timeout: 300_000 });

test('the Terms, landing, both modes of the card, and its dialogs', async ({ page }) => {
  await page.goto('/terms');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'ENTER' })).toBeVisible();
  await expectGoodAtEverySize(page);
  await openAuthCard(page, 'register');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expectGoodAtEverySize(page);
  await openAuthCard(page, 'sign in');
  await expectGoodAtEverySize(page);
  await page.getByRole('button', { name: 'Too many devices? Manage devices' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectGoodAtEverySize(page);
});

test('the shell, its menu, the wallet and the gifts of a member with nothing', async ({ page }) => {
  await registered(page.request, NAMES[0]!);
  await acceptCookies(page);
  for (const path of [
    '/',
    '/?tab=status',
    '/?tab=nexus',
    '/?tab=profile',
    '/wallet',
    '/gifts',
    '/no/such/page',
    '/admin',
  ]) {
    await page.goto(path);
    await settled(page);
    await expectGoodAtEverySize(page);
  }
  await accountMenuButton(page).click();
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await expectGoodAtEverySize(page);
});

test('at 320 pixels no page scrolls sideways, and no word leaves its button', async ({ page, browser }) => {
  const member = await registered(page.request, NAMES[0]!);
  const other = await someoneElse(browser, NAMES[1]!);
  await grantNova(browser, member, 5_000);
  await acceptCookies(page);
  const chat = await page.request.post('/api/chats/initiate', { data: { hostId: other.id } });
  const { chatId } = await chat.json();
  for (const path of [
    '/discovery',
    '/feed',
    '/?tab=status',
    '/?tab=nexus',
    '/?tab=profile',
    '/wallet',
    '/wallet?topup=1',
    '/gifts',
    '/gifts?send=1',
    '/profile',
    '/profile?tab=settings',
    '/resonance',
    '/post/none',
    `/video-chat/${other.id}`,
    '/quests',
    '/payout-history',
    `/chat/${chatId}`,
    '/developer',
    '/developer/apps/none',
    '/oauth/demo',
    '/oauth/consent',
    '/verify-email',
    '/reset-password',
    '/terms',
    '/no/such/page',
  ]) {
    await page.goto(path);
    await settled(page);
    await expectNarrow(page);
  }
});

/** What the panel's navigation leads to. */
const ADMIN_SECTIONS = [
  'overview',
  'users',
  'content',
  'reports',
  'quests',
  'transactions',
  'finance',
  'bulk',
  'periods',
  'reconciliation',
  'approvals',
  'watches',
  'audit',
  'read-models',
];

test('at 320 pixels the Admin Panel and the Developer Portal keep to the screen with what they are full of', async ({
  page,
  browser,
}) => {
  const developer = await registered(page.request, NAMES[0]!);
  for (let nova = 1; nova <= 3; nova += 1) await grantNova(browser, developer, 1_234_567.89);
  await acceptCookies(page);
  const made = await page.request.post('/api/oauth/register-app', {
    data: {
      name: 'Wolfeschlegelsteinhausenbergerdorff',
      description: 'It reads a profile, and asks for no more than that',
      redirectUris: ['https://a-very-long-name-of-a-subdomain.example.com/sign-in/callback?from=nova'],
      scopes: ['openid', 'profile'],
      isPublic: false,
    },
  });
  expect(made.status(), await made.text()).toBe(201);
  const { clientId } = await made.json();
  for (const path of ['/developer', `/developer/apps/${clientId}`]) {
    await page.goto(path);
    await expect(page.getByText('Wolfeschlegelsteinhausenbergerdorff').first()).toBeVisible();
    await settled(page);
    await expectNarrow(page);
  }
  await asAdmin(browser, async (admin) => {
    for (const section of ADMIN_SECTIONS) {
      await admin.goto(`/admin?section=${section}`);
      await settled(admin);
      await expectNarrow(admin);
    }
    await admin.goto(`/admin?section=transactions&userId=${developer.id}`);
    await expect(admin.getByText('1,234,567.89').first()).toBeVisible();
    await expectNarrow(admin);
  });
});

/** Expects that the buttons which answer the dialog lie on the screen, one of them at least. */
async function expectAnswersInSight(page: Page): Promise<void> {
  const answers = page.getByRole('dialog').locator('footer button, form > [type=submit]');
  await expect(answers.first()).toBeVisible();
  for (const answer of await answers.all()) await expect(answer).toBeInViewport({ ratio: 1 });
}

test('over a phone’s keyboard, dialogs keep their buttons in sight', async ({ page, browser }) => {
  const member = await registered(page.request, NAMES[0]!);
  const hosts = await browser.newContext();
  const host = await registered(hosts.request, NAMES[1]!);
  await grantNova(browser, member, 5_000);
  await acceptCookies(page);
  await page.setViewportSize({ width: 390, height: 508 });

  await page.goto('/wallet?topup=1');
  await expectAnswersInSight(page);
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expect(page.getByLabel('Card number')).toBeVisible();
  await expectAnswersInSight(page);
  await page.goto('/wallet?statement=1');
  await expect(page.getByRole('dialog', { name: 'Statement' })).toBeVisible();
  await expectAnswersInSight(page);

  await page.goto('/gifts?send=1');
  await expectAnswersInSight(page);
  await page.getByLabel('Recipient').fill(NAMES[1]!);
  await page.getByRole('list', { name: 'People found' }).getByRole('button').first().click();
  await page.getByLabel('Amount').fill('1000');
  await expect(page.getByRole('region', { name: 'Distribution preview' })).toContainText('500.00');
  await expectAnswersInSight(page);

  const asked = await page.request.post('/api/chats/initiate', { data: { hostId: host.id } });
  const { chatId } = await asked.json();
  const accepted = await hosts.request.post(`/api/chats/${chatId}/accept`);
  expect(accepted.ok(), await accepted.text()).toBe(true);
  await page.goto(`/chat/${chatId}`);
  await page.getByRole('button', { name: 'Terminate Chat' }).click();
  await expectAnswersInSight(page);
});

test('the wallet and the gifts of a member with much', async ({ page, browser }) => {
  const member = await registered(page.request, NAMES[0]!);
  await grantNova(browser, member, 9_876_543.21);
  for (const name of NAMES) {
    const friend = await someoneElse(browser, name);
    const answer = await page.request.post('/api/gifts/send', {
      data: { recipientId: friend.id, amount: 1_000_000 },
    });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  await acceptCookies(page);
  await page.goto('/wallet');
  await page
    .getByRole('button', { name: /^(?=.*Gift to)/ })
    .first()
    .click();
  await expect(page.getByText('Event id')).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.goto('/gifts');
  await expect(page.getByText('Gift to').first()).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.goto('/gifts?send=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Recipient').fill('نور الهدى');
  await dialog.getByRole('list', { name: 'People found' }).getByRole('button').first().click();
  await dialog.getByLabel('Amount').fill('1000');
  await expect(dialog.getByRole('region', { name: 'Distribution preview' })).toContainText('500.00');
  await expectGoodAtEverySize(page);
  await page.goto('/wallet?topup=1');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expect(page.getByLabel('Card number')).toBeVisible();
  await expectGoodAtEverySize(page);
});

test('what is still loading has the shape of what will come', async ({ page }) => {
  await registered(page.request, 'Nadia');
  const profile = await held(page, /\/api\/profile$/);
  await page.goto('/profile');
  await profile.arrived();
  const picture = page.getByLabel('About you').locator('span').first();
  const { radius, width } = await picture.evaluate((shape) => ({
    radius: Number.parseFloat(getComputedStyle(shape).borderRadius),
    width: shape.getBoundingClientRect().width,
  }));
  expect(radius).toBeGreaterThanOrEqual(width / 2);
  profile.letGo();
});

test('a small tablet keeps its tabs and large figures on one line', async ({ page, browser }) => {
  await page.setViewportSize({ width: 640, height: 900 });
  const member = await registered(page.request, 'Nadia');
  await grantNova(browser, member, 9_876_543.21);
  await acceptCookies(page);
  await page.goto('/?tab=status');
  const tabs = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(tabs).toHaveCount(5);
  const figure = page
    .getByRole('definition')
    .filter({ hasText: /^9,876,543\.21$/ })
    .first();
  for (const line of [...(await tabs.all()), figure]) expect(await linesOf(line)).toBe(1);
  await expectGoodScreen(page);
});

test('in a palette of the system’s own, what is chosen differs from what is not', async ({ page }) => {
  const surface = (shown: Locator) => shown.evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.emulateMedia({ forcedColors: 'active' });
  await openAuthCard(page, 'register');
  const consent = page.getByRole('checkbox', { name: /Terms/ });
  await consent.click();
  const tick = consent.locator('svg');
  const ink = await tick.evaluate((element) => getComputedStyle(element).color);
  expect(ink).not.toBe(await surface(tick.locator('..').locator('..')));

  await registered(page.request, 'Nadia');
  await page.goto('/profile?tab=settings');
  const [chosenTab, otherTab] = [page.getByRole('tab', { selected: true }), page.getByRole('tab', { selected: false })];
  expect(await surface(chosenTab)).not.toBe(await surface(otherTab.first()));
  const online = page.getByRole('switch', { name: 'Online Status' });
  const isOn = await surface(online.locator('> span'));
  await online.click();
  await expect(online).not.toBeChecked();
  expect(await surface(online.locator('> span'))).not.toBe(isOn);

  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await page.goto('/?tab=status');
  await expect(links.nth(2)).toHaveAttribute('aria-current', 'page');
  expect(await surface(links.nth(2))).not.toBe(await surface(links.nth(3)));

  const meter = page.getByRole('progressbar').first();
  expect(await surface(meter.locator('> *'))).not.toBe(await surface(meter));
});

test('the ear hears a balance once, and a count apart from its tab', async ({ page }) => {
  await registered(page.request, 'Nadia');
  await page.goto('/wallet');
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('0 Nova');
  await expect(page.getByRole('status').filter({ hasText: 'Nova' })).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Status 0 inbound chats', exact: true })).toBeVisible();
});

/** How many lines the words of an element take. */
const linesOf = (shown: Locator) =>
  shown.evaluate((element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    return Math.round(words.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight));
  });
