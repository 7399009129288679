import type { Browser, Page } from '@playwright/test';
import {
  balancePill,
  expect,
  grantNova,
  held,
  loseAnswer,
  registered,
  registerInBrowser,
  searchCard,
  somebody,
  someoneElse,
  test,
  toast,
  topUp,
  unique,
} from './nova.js';

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

for (const [name, viewport] of Object.entries(SIZES)) {
  test(`buys Nova, sends a gift and sees both in the statement (${name})`, async ({ page, browser }) => {
    await page.setViewportSize(viewport);
    const katherine = await someoneElse(browser, unique('Katherine'));
    await registerInBrowser(page, somebody('Ada Lovelace'));

    await topUp(page, { preset: '2,500', card: '4242424242424242' });
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('2,500 Nova added')).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(balancePill(page)).toContainText('2,500.00');

    await page.goto('/gifts?send=1');
    await dialog.getByLabel('Recipient').fill(katherine.displayName);
    await dialog.getByRole('button', { name: katherine.displayName }).click();
    await dialog.getByLabel('Amount').fill('1,000');
    const preview = dialog.getByRole('region', { name: 'Distribution preview' });
    await expect(preview).toContainText('500.00');
    await expect(preview).toContainText('1,500.00');
    await dialog.getByRole('button', { name: 'Send 1,000 Nova' }).click();
    await expect(toast(page, 'Gift Sent')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(balancePill(page)).toContainText('1,500.00');
    await expect(page.getByText(`Gift to ${katherine.displayName}`)).toBeVisible();

    await page.goto('/wallet');
    const gift = page.getByRole('button', { name: `Gift to ${katherine.displayName}` });
    await expect(gift).toContainText('1,000.00');
    await expect(gift).toContainText('1,500.00');
    await gift.click();
    await expect(gift).toHaveAttribute('aria-expanded', 'true');
    const details = page.locator('li').filter({ has: gift });
    await expect(details.getByText('Event id')).toBeVisible();
    await expect(details.getByText('Hash', { exact: true })).toBeVisible();
    await expect(details.getByText(/^[0-9a-f]{64}$/).first()).toBeVisible();
    await expect(details.getByRole('button', { name: 'Copy event id' })).toBeVisible();
  });
}

test('keeps the dialog open until it is known what became of the gift', async ({ page, browser }) => {
  const katherine = await someoneElse(browser, unique('Katherine'));
  const ada = await registered(page.request, 'Ada Lovelace');
  await grantNova(browser, ada, 2_000);
  await page.goto('/gifts');
  await page.getByRole('main').getByRole('button', { name: 'Send Gift', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Recipient').fill(katherine.displayName);
  await dialog.getByRole('button', { name: katherine.displayName }).click();
  await dialog.getByLabel('Amount').fill('1,000');
  await expect(dialog.getByRole('region', { name: 'Distribution preview' })).toContainText('500.00');
  const gift = await held(page, /\/api\/gifts\/send/);
  await dialog.getByRole('button', { name: 'Send 1,000 Nova' }).click();
  await gift.arrived();

  await expect(dialog.locator('[aria-busy=true]')).toBeVisible();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.mouse.click(5, 5);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => history.state?.dialogDepth)).toBe(1);
  await expect(dialog.locator('[aria-busy=true]')).toBeVisible();
  gift.letGo();
  await expect(toast(page, 'Gift Sent')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/gifts');
});

test('sends a gift of most of the balance again when its answer got lost, and pays once', async ({ page, browser }) => {
  const katherine = await someoneElse(browser, unique('Katherine'));
  const ada = await registered(page.request, 'Ada Lovelace');
  await grantNova(browser, ada, 1_500);
  await page.goto('/gifts?send=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Recipient').fill(katherine.displayName);
  await dialog.getByRole('button', { name: katherine.displayName }).click();
  await dialog.getByLabel('Amount').fill('1,000');
  const preview = dialog.getByRole('region', { name: 'Distribution preview' });
  await expect(preview).toContainText('500.00');
  await loseAnswer(page, /\/api\/gifts\/send/);
  await dialog.getByRole('button', { name: 'Send 1,000 Nova' }).click();
  await expect(dialog.getByText('It is not known whether the gift was sent.')).toBeVisible();
  await expect(dialog.getByText('You have 500.00.')).toBeVisible();
  await expect(preview).toBeVisible();
  await dialog.getByRole('button', { name: 'Send 1,000 Nova' }).click();
  await expect(toast(page, 'Gift Sent')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(balancePill(page)).toContainText('500.00');
  await expect(page.getByText(`Gift to ${katherine.displayName}`)).toHaveCount(1);
});

test('requests a chat for the whole balance again when its answer got lost', async ({ page, browser }) => {
  const hal = await someoneElse(browser, unique('Hal'));
  const ada = await registered(page.request, 'Ada Lovelace');
  await grantNova(browser, ada, 1_300);
  await page.goto('/');
  await searchCard(page, hal.displayName);
  await page.getByRole('button', { name: `Unlock ${hal.displayName} for 50 Nova` }).click();
  await page.getByRole('button', { name: `Chat with ${hal.displayName}` }).click();
  await loseAnswer(page, /\/api\/chats\/initiate/);
  const request = page.getByRole('button', { name: 'Request chat for 1,250 Nova' });
  await request.click();
  await expect(page.getByRole('dialog').getByText('It is not known whether the chat was requested.')).toBeVisible();
  await expect(balancePill(page)).toContainText(/(^|\D)0\.00/);
  await request.click();
  await expect(page).toHaveURL(/\/chat\//);
  await expect(page.getByRole('timer')).toHaveText(/^[12]:\d\d$/);
});

test('shows the recipient what arrived', async ({ page, browser }) => {
  const ada = await someoneElse(browser, 'Ada Lovelace');
  await grantNova(browser, ada, 2_000);
  const katherine = await registered(page.request, 'Katherine Johnson');
  const context = await browser.newContext();
  const signedIn = await context.request.post('/api/auth/signin', {
    data: { email: ada.email, password: ada.password, tcConsent: true, tcVersion: '1.0' },
  });
  expect(signedIn.status()).toBe(200);
  const sent = await context.request.post('/api/gifts/send', { data: { recipientId: katherine.id, amount: 1_500 } });
  expect(sent.status(), await sent.text()).toBe(201);
  await context.close();

  await page.goto('/gifts');
  await expect(page.getByText('Gift from Ada Lovelace')).toBeVisible();
  await expect(balancePill(page)).toContainText('750.00');
});

/** Two members, each with a page of their own. The sender has 5,000 Nova. */
async function senderAndRecipient(browser: Browser, recipient: Page, senderName: string) {
  const katherine = await registered(recipient.request, 'Katherine Johnson');
  const context = await browser.newContext();
  const ada = await registered(context.request, senderName);
  await grantNova(browser, ada, 5_000);
  const page = await context.newPage();
  const send = async (amount: number) => {
    const sent = await context.request.post('/api/gifts/send', { data: { recipientId: katherine.id, amount } });
    expect(sent.status(), await sent.text()).toBe(201);
  };
  return { ada: { ...ada, page, context }, send };
}

test('a gift shows on every open page of both, and disturbs nobody', async ({ page, browser }) => {
  const { ada, send } = await senderAndRecipient(browser, page, 'Ada <b>Lovelace</b>');
  const statement = await page.context().newPage();
  await statement.goto('/wallet');
  await ada.page.goto('/wallet');
  await expect(balancePill(ada.page)).toContainText('5,000.00');
  await page.goto('/gifts?send=1');
  const recipient = page.getByRole('dialog').getByLabel('Recipient');
  await recipient.pressSequentially('Gra');

  await send(1_000);
  await expect(toast(page, 'Gift received')).toContainText(
    'Ada <b>Lovelace</b> sent you a gift of 1,000 Nova: 500 Nova are yours.',
  );
  await expect(page.getByText('Gift from Ada <b>Lovelace</b>')).toBeAttached();
  await expect(recipient).toBeFocused();
  await expect(recipient).toHaveValue('Gra');
  await expect(statement.getByRole('button', { name: 'Gift from Ada <b>Lovelace</b>' })).toContainText('500.00');
  await expect(balancePill(statement)).toContainText('500.00');
  await expect(balancePill(ada.page)).toContainText('4,000.00');
  await expect(ada.page.getByRole('button', { name: 'Gift to Katherine Johnson' })).toBeVisible();

  await toast(statement, 'Gift received').getByRole('button', { name: 'Show it' }).click();
  await expect(statement).toHaveURL(/\/gifts$/);
  await ada.context.close();
});

test('a balance that goes on moving is said once it rests', async ({ page, browser }) => {
  const { ada, send } = await senderAndRecipient(browser, page, 'Ada Lovelace');
  await page.clock.install();
  await page.goto('/gifts');
  await expect(balancePill(page)).toContainText('0.00');
  await page.clock.pauseAt(Date.now() + 10_000);
  const said = page.getByRole('status').filter({ hasText: 'Nova' });
  const title = async () => {
    // What a page does in its next turn needs a clock that moves.
    await page.clock.runFor(1);
    return balancePill(page).locator('[title$=" Nova"]').getAttribute('title');
  };
  for (const shown of ['500 Nova', '1,000 Nova']) {
    await send(1_000);
    await expect.poll(title).toBe(shown);
    await page.clock.runFor(1_000);
    await expect(said, `while ${shown} is new`).toHaveText('0 Nova');
  }
  await page.clock.runFor(1_000);
  await expect(said).toHaveText('1,000 Nova');
  await ada.context.close();
});

test('says Payment Failed for a declined card, and takes another card after it', async ({ page }) => {
  await registered(page.request, 'Ada Lovelace');
  await topUp(page, { preset: '1,250', card: '4000000000000002' });
  await expect(toast(page, 'Payment Failed')).toBeVisible();
  await expect(page.getByRole('dialog').getByText('Your card was declined.')).toBeVisible();
  await expect(balancePill(page)).toContainText('0.00');

  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page.getByText('1,250 Nova added')).toBeVisible();
});

test('what the bank asks in a frame above the dialog can be pressed and typed into', async ({ page }) => {
  await registered(page.request, 'Ada Lovelace');
  const payment = await held(page, /payment_intents\/[^/]+\/confirm/);
  await topUp(page, { preset: '1,250', card: '4242424242424242' });
  await payment.arrived();
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.title = 'Your bank';
    frame.style.cssText = 'position: fixed; inset: 0; margin: auto; z-index: 2147483647; background: white';
    document.body.append(frame);
    const bank = frame.contentDocument?.body;
    if (bank) bank.innerHTML = '<input aria-label="Code"><button>Authorise</button>';
    bank?.addEventListener('click', () => (bank.className = 'pressed'));
    frame.focus();
  });
  const bank = page.frameLocator('iframe[title="Your bank"]');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12');
  await bank.getByLabel('Code').click();
  await page.keyboard.press('End');
  await page.keyboard.type('34');
  await expect(bank.getByLabel('Code')).toHaveValue('1234');
  await bank.getByRole('button').click();
  await expect(bank.locator('body')).toHaveClass('pressed');
  await page.evaluate(() => document.querySelector('body > iframe')?.remove());
  payment.letGo();
  await expect(page.getByText('1,250 Nova added')).toBeVisible();
});

test('keeps to a payment of which nobody knows what became, and buys once', async ({ page }) => {
  await registered(page.request, 'Ada Lovelace');
  await loseAnswer(page, /\/payment_intents\/[^/]+\/confirm/);
  await loseAnswer(page, /\/payment_intents\/[^/]+\?/);
  await topUp(page, { preset: '1,250', card: '4242424242424242' });
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Paying again never charges twice.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Change amount' })).toBeDisabled();
  await dialog.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(dialog.getByText('1,250 Nova added')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(balancePill(page)).toContainText('1,250.00');
});

test('sells no less than 1,250 Nova', async ({ page }) => {
  await registered(page.request, 'Ada Lovelace');
  await page.goto('/wallet?topup=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').first().fill('1,249');
  await dialog.locator('button[type=submit]').click();
  await expect(toast(page, 'Invalid Amount')).toBeVisible();
  await expect(toast(page, 'Minimum purchase amount is 1,250 Nova Points ($1.00)')).toBeVisible();
  await expect(dialog.getByRole('tab', { name: /Crypto/ })).toBeDisabled();
});

test('a toast on a phone closes at a touch of 44 px', async ({ page }) => {
  await page.setViewportSize(SIZES.phone);
  await registered(page.request, 'Ada Lovelace');
  await page.goto('/wallet?topup=1');
  await page.getByRole('dialog').getByRole('textbox').first().fill('1,249');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  const close = toast(page, 'Invalid Amount').getByRole('button', { name: 'Close toast' });
  await expect(close).toBeVisible();
  const { width, height } = await close.evaluate((button) => button.getBoundingClientRect());
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
});

test('gives nothing that one does not have', async ({ page, browser }) => {
  const katherine = await someoneElse(browser, unique('Katherine'));
  await registered(page.request, 'Ada Lovelace');
  await page.goto('/gifts?send=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Recipient').fill(katherine.displayName);
  await dialog.getByRole('button', { name: katherine.displayName }).click();
  await dialog.getByLabel('Amount').fill('1,000');
  await dialog.getByLabel('Amount').press('Enter');
  await expect(page.getByText("You don't have enough Nova to send this gift.").first()).toBeVisible();
});
