import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import {
  balancePill,
  expect,
  expectGoodAtEverySize,
  grantNova,
  held,
  pressPaid,
  registered,
  registerInBrowser,
  somebody,
  someoneElse,
  test,
  toast,
  topUp,
  unique,
} from './nova.js';

test('buys Nova, sends a gift and sees both in the statement, on a phone', async ({ page, browser }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const katherine = await someoneElse(browser, unique('Katherine'));
  await registerInBrowser(page, somebody('Ada Lovelace'));

  await topUp(page, { preset: '2,500', card: '4242424242424242' });
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('2,500 Nova added')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(balancePill(page)).toContainText('2,500.00');

  await page.goto('/wallet?topup=1');
  await expectGoodAtEverySize(page);
  await page.goto('/gifts?send=1');
  await expectGoodAtEverySize(page);
  await dialog.getByLabel('Recipient').fill(katherine.displayName);
  await dialog.getByRole('button', { name: katherine.displayName }).click();
  await dialog.getByLabel('Amount').fill('1,000');
  const preview = dialog.getByRole('region', { name: 'Distribution preview' });
  await expect(preview).toContainText('500.00');
  await expect(preview).toContainText('1,500.00');
  await pressPaid(dialog.getByRole('button', { name: 'Send 1,000 Nova' }));
  await expect(toast(page, 'Gift Sent')).toBeVisible();
  const close = toast(page, 'Gift Sent').getByRole('button', { name: 'Close toast' });
  const { width, height } = await close.evaluate((button) => button.getBoundingClientRect());
  expect(Math.min(width, height), 'pixels to touch').toBeGreaterThanOrEqual(44);
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

  await page.getByRole('button', { name: 'Statement', exact: true }).click();
  const statement = page.getByRole('dialog', { name: 'Statement' });
  await expect(statement.getByText('Balance so far')).toBeVisible();
  await expectGoodAtEverySize(page);
  for (const [label, name, start] of [
    ['Download PDF', /^nova-statement-\d{4}-\d\d\.pdf$/, '%PDF-'],
    ['Download CSV', /^nova-statement-\d{4}-\d\d\.csv$/, '\uFEFFDate,'],
  ] as const) {
    const downloading = page.waitForEvent('download');
    await statement.getByRole('button', { name: label }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(name);
    expect((await readFile(await file.path(), 'utf8')).startsWith(start)).toBe(true);
    await expect(toast(page, 'Download ready')).toBeVisible();
  }
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
