import type { Locator, Page } from '@playwright/test';
import { expect, focusIsSeen, registered, test } from './nova.js';

const isInside = (dialog: Locator): Promise<boolean> =>
  dialog.evaluate((element) => element.contains(document.activeElement));

/** The focus goes in, stays in, and returns to where it was; Esc and the back button close (rule screens-17). */
async function expectKeyboardDialog(page: Page, opener: Locator): Promise<void> {
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expect.poll(() => isInside(dialog)).toBe(true);
  for (let presses = 0; presses < 25; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await isInside(dialog), `after ${presses + 1} presses of Tab`).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
}

test('dialogs hold the focus and give it back, and close by the back button', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'ENTER' }).focus();
  await page.keyboard.press('Enter');
  await expectKeyboardDialog(page, page.getByRole('button', { name: 'Too many devices? Manage devices' }));
  await registered(page.request, 'Ada Lovelace');
  await page.goto('/wallet');
  await expectKeyboardDialog(page, page.getByRole('main').getByRole('button', { name: 'Top Up', exact: true }));
  await page.goto('/gifts');
  const send = page.getByRole('main').getByRole('button', { name: 'Send Gift', exact: true });
  await expectKeyboardDialog(page, send);
  await send.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL('/gifts');
});

test('a keyboard alone reaches the content past the navigation', async ({ page }) => {
  await registered(page.request, 'Ada Lovelace');
  await page.goto('/wallet');
  await expect(page.getByRole('heading', { level: 1, name: 'Nova Wallet' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#content')).toBeFocused();
});

test('at 400 % zoom a dialog scrolls as a whole, with room for what it asks', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await registered(page.request, 'Ada Lovelace');
  await page.goto('/?tab=status');
  await page.getByRole('button', { name: 'Burn for Seyvn' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  const cutOff = await dialog.evaluate((element) =>
    [...element.children].filter((part) => part.scrollHeight > part.clientHeight).map((part) => part.tagName),
  );
  expect(cutOff).toEqual([]);
  await dialog.getByRole('button').last().focus();
  await expect.poll(() => focusIsSeen(page)).toBe(true);
});
