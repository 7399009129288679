import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { awayFromMidnight } from '../support/midnight.js';
import {
  asAdmin,
  expect,
  expectGoodAtEverySize,
  expectGoodScreen,
  grantNova,
  held,
  registered,
  someoneElse,
  test,
  toast,
} from './nova.js';

const SCRIPT = path.resolve('scripts/verify-receipt.mjs');

test('a member downloads a receipt once the period is closed, and it is proved without the server', async ({
  browser,
  page,
}) => {
  await awayFromMidnight();
  const ada = await registered(page.request, 'Ada Receipt');
  await grantNova(browser, ada, 777);
  await page.goto('/wallet');
  const row = page.getByRole('button', { name: /777/ }).first();
  await row.click();
  await page.getByRole('button', { name: 'Download receipt' }).click();
  await expect(page.getByText('The books of this day are still open')).toBeVisible();
  const { transactions } = await (await page.request.get('/api/nova/transactions')).json();
  await asAdmin(browser, async (panel) => {
    await panel.goto('/admin?section=periods');
    await expect
      .poll(async () => {
        const data = { endsAt: transactions[0].createdAt, reason: 'For a test' };
        return (await panel.request.post('/api/admin/periods', { data })).status();
      })
      .toBe(201);
    await panel.reload();
    const ended = `${transactions[0].createdAt.slice(0, 10)} ${transactions[0].createdAt.slice(11, 19)} UTC`;
    await panel.getByRole('button', { name: `, up to ${ended}` }).click();
    const totals = panel.getByRole('table', { name: 'Trial balance at the end' });
    await expect(totals.getByRole('row', { name: /^Issued issuance minus [\d,.]+ Nova$/ })).toBeVisible();
    await expectGoodAtEverySize(panel);
    await panel.getByRole('button', { name: 'Close a period' }).click();
    await panel.getByLabel(/Last moment/).fill('2999-01-31T23:59:59');
    const closing = panel.waitForRequest((request) => request.method() === 'POST');
    const answer = await held(panel, /\/api\/admin\/periods$/);
    await panel.getByRole('button', { name: 'Close the period' }).click();
    await answer.arrived();
    await expect(panel.getByRole('dialog', { name: 'Close a period' }).locator('[aria-busy=true]')).toBeVisible();
    await panel.keyboard.press('Escape');
    await expect(panel.getByRole('dialog', { name: 'Close a period' })).toBeVisible();
    answer.letGo();
    expect((await closing).postDataJSON()).toEqual({ endsAt: '2999-01-31T23:59:59.999Z' });
    await expect(panel.getByText('This period is not over yet')).toBeVisible();
    await expectGoodScreen(panel);
  });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download receipt' }).click();
  const file = await (await downloading).path();
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`user:${ada.id}:earned  77700 NOVA`);
  await expectGoodAtEverySize(page);
});

test('the provider’s books are held against ours by hand', async ({ browser, page }) => {
  await registered(page.request, 'Ada Card');
  const created = await page.request.post('/api/nova/create-payment-intent', { data: { amount: 125_000 } });
  const { paymentIntentId, clientSecret } = await created.json();
  await page.request.post(`/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
    form: { payment_method: 'pm_card_visa', client_secret: clientSecret },
  });
  await page.request.post('/api/nova/confirm-purchase', { data: { paymentIntentId } });
  await asAdmin(browser, async (panel) => {
    await panel.goto('/admin?section=reconciliation');
    await panel.getByRole('button', { name: 'Reconcile now' }).click();
    await expect(toast(panel, /Reconcil/)).toBeVisible();
    await expect(
      panel.getByText(/^Last look: .+, by .+: [-\d]{10} [:\d]{8} UTC to [-\d]{10} [:\d]{8} UTC\.$/),
    ).toBeVisible();
    await panel.getByRole('radio', { name: 'Matched' }).click();
    await expect(panel).toHaveURL(/status=matched/);
    const payment = panel.getByRole('listitem', { name: /^Payment/ }).filter({ hasText: '$100.00' });
    await expect(payment.first()).toContainText('fee $3.20');
    await expect(payment.first().getByText(/^[-\d]{10} [:\d]{8} UTC/)).toBeVisible();
    await expectGoodAtEverySize(panel);
    await payment.first().getByRole('link', { name: 'Open the event' }).click();
    await expect(panel.getByText('NovaPurchased').first()).toBeVisible();
  });
});

test('rows that are checked for a grant are in order at every size', async ({ browser }) => {
  const ada = await someoneElse(browser, 'Ada <b>Bulk</b>');
  await asAdmin(browser, async (page) => {
    await page.goto('/admin?section=bulk');
    await page
      .getByLabel('Rows')
      .fill(`email,amount,reason\n${ada.email},"1,250.50","=SUM(A1), thanks"\nnobody@nova.test,5,`);
    await page.getByRole('button', { name: 'Check the rows' }).click();
    await expect(page.getByRole('list', { name: 'Checked rows' })).toContainText('Ada <b>Bulk</b>');
    await expectGoodAtEverySize(page);
  });
});

test('an operator makes a read model anew while it is in use', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await page.goto('/admin?section=read-models');
    const gifts = page.getByRole('listitem', { name: 'sent_gifts', exact: true });
    await expect(gifts).toContainText('Live');
    await gifts.getByRole('button', { name: 'Rebuild sent_gifts' }).click();
    await expect(toast(page, 'Rebuild Requested')).toBeVisible();
    await expect(gifts).toContainText('It was rebuilt and swapped in.', { timeout: 60_000 });
    await expect(gifts).toContainText('Live');
    await expectGoodAtEverySize(page);
  });
});
