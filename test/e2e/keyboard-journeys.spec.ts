import type { Locator, Page } from '@playwright/test';
import {
  asAdmin,
  expect,
  grantNova,
  registered,
  searchCard,
  SETTLES_MS,
  someoneElse,
  test,
  toast,
  unique,
} from './nova.js';

/** The most controls between any two on a screen. */
const PRESSES_MAX = 60;

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** An element that disappears with the focus must pass it on; otherwise keyboard users would start again at the top. */
const focusIsLost = (page: Page): Promise<boolean> => page.evaluate(() => document.activeElement === document.body);

/** Goes from control to control, starting at the focus. */
async function reach(target: Locator, by: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const page = target.page();
  await expect(target).toBeVisible();
  await expect.poll(() => focusIsLost(page), 'the focus is somewhere').toBe(false);
  for (let presses = 0; presses < PRESSES_MAX && !(await hasFocus(target)); presses += 1) {
    await page.keyboard.press(by);
  }
  await expect(target).toBeFocused();
}

async function press(target: Locator): Promise<void> {
  await reach(target);
  await target.page().keyboard.press('Enter');
}

async function type(target: Locator, text: string): Promise<void> {
  await reach(target);
  await target.page().keyboard.type(text);
}

/** Opens a page, with the focus at the top. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
}

test('Nova is bought and given with a keyboard alone', async ({ page, browser }) => {
  const katherine = await someoneElse(browser, unique('Katherine'));
  await registered(page.request, 'Ada Lovelace');
  await open(page, '/wallet');
  const topUp = page.getByRole('main').getByRole('button', { name: 'Top Up', exact: true });
  await press(topUp);
  const dialog = page.getByRole('dialog');
  await press(dialog.getByRole('button', { name: /^2,500/ }));
  await press(dialog.locator('button[type=submit]'));
  await type(page.getByLabel('Card number'), '4242424242424242');
  await type(page.getByLabel('Expiry'), '1234');
  await type(page.getByLabel('CVC'), '123');
  await press(page.getByRole('button', { name: /^Pay \$/ }));
  await press(dialog.getByRole('button', { name: 'Done' }));
  await expect(dialog).toBeHidden();
  await expect(topUp).toBeFocused();

  await open(page, '/gifts');
  const send = page.getByRole('main').getByRole('button', { name: 'Send Gift', exact: true });
  await press(send);
  await type(dialog.getByLabel('Recipient'), katherine.displayName);
  await press(dialog.getByRole('button', { name: katherine.displayName }));
  await type(dialog.getByLabel('Amount'), '1000');
  await press(dialog.getByRole('button', { name: 'Send 1,000 Nova' }));
  await expect(toast(page, 'Gift Sent')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(send).toBeFocused();
});

test('a chat is asked for, held and ended with a keyboard alone', async ({ page, browser }) => {
  const ada = await registered(page.request, 'Ada Lovelace');
  await grantNova(browser, ada, 2_000);
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const hal = { page: await context.newPage(), account: await registered(context.request, unique('Hal')) };
  const { displayName } = hal.account;
  await open(page, '/');
  await type(page.getByRole('searchbox', { name: 'Search members' }), displayName);
  await searchCard(page, displayName);
  await press(page.getByRole('button', { name: `Unlock ${displayName} for 50 Nova` }));
  await press(page.getByRole('button', { name: `Chat with ${displayName}` }));
  const request = page.getByRole('button', { name: 'Request chat for 1,250 Nova' });
  await reach(request);
  // The dialog has put the focus there: a second press of the same key must not pay.
  await page.keyboard.press('Enter');
  await page.waitForTimeout(SETTLES_MS);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/chat\//);

  await open(hal.page, '/?tab=status');
  await press(hal.page.getByRole('button', { name: 'Accept Ada Lovelace' }));
  const field = (each: Page) => each.getByLabel('Message', { exact: true });
  for (const each of [page, hal.page]) await expect(field(each)).toBeEnabled();
  await type(field(page), 'What would you do with a whole free day?');
  await page.keyboard.press('Enter');
  await expect(hal.page.getByText('What would you do').first()).toBeAttached();
  await type(field(hal.page), 'I would walk along the sea, slowly.');
  await hal.page.keyboard.press('Enter');
  await expect(page.getByText('I would walk').first()).toBeAttached();

  await reach(page.getByRole('button', { name: 'Terminate Chat' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Terminate Chat' }));
  await expect(page).toHaveURL(/\/feed$/);
  await expect.poll(() => focusIsLost(page)).toBe(false);
});

test('a file of grants is checked and granted with a keyboard alone', async ({ browser }) => {
  const ada = await someoneElse(browser, unique('Ada'));
  await asAdmin(browser, async (page) => {
    await open(page, '/admin?section=bulk');
    await type(page.getByLabel('Rows'), `email,amount\n${ada.email},7`);
    await press(page.getByRole('button', { name: 'Check the rows' }));
    await press(page.getByRole('button', { name: 'Grant 7 Nova' }));
    await expect(page.getByRole('heading', { name: /^Granted 7 Nova/ })).toBeVisible();
    await press(page.getByRole('button', { name: 'Grant another file' }));
    await reach(page.getByLabel('Rows'));
  });
});
