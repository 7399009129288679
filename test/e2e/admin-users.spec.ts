import type { Page } from '@playwright/test';
import { adminContext, expect, expectGoodAtEverySize, someoneElse, test, unique, type Account } from './nova.js';

async function openUsers(page: Page, search: string): Promise<void> {
  await page.goto('/admin?section=users');
  await page.getByLabel('Search users').fill(search);
  await expect(page).toHaveURL(/search=/);
}

async function choose(page: Page, { displayName }: Account, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${displayName}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
  await expect(page.getByRole('dialog', { name: action })).toBeVisible();
}

test('the users and their dialogs at every size', async ({ browser }) => {
  test.setTimeout(180_000);
  const ada = await someoneElse(browser, unique('<b>نور الهدى</b>'));
  const context = await adminContext(browser);
  const page = await context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await openUsers(page, ada.email);
  await expect(page.getByText(ada.displayName)).toBeVisible();
  await expectGoodAtEverySize(page);
  for (const action of ['Reset Password', 'Change Rating', 'Comments', 'Block E-mail', 'Delete Account']) {
    await choose(page, ada, action);
    await expectGoodAtEverySize(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await context.close();
});
