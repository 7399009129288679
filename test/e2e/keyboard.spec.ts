import type { Locator, Page } from '@playwright/test';
import { expect, registered, settled, test } from './nova.js';

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

/** Whether some of the focused element is visible: no fixed element covers all of it. */
const focusIsSeen = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const focused = document.activeElement ?? document.body;
    const { left, top, width, height } = focused.getBoundingClientRect();
    const parts = [0.1, 0.3, 0.5, 0.7, 0.9];
    return parts.some((x) =>
      parts.some((y) => focused.contains(document.elementFromPoint(left + width * x, top + height * y))),
    );
  });

test('no bar covers what a keyboard reaches, at every size', async ({ page }) => {
  await registered(page.request, 'Ada Lovelace');
  // A screen of 1280 × 1024 leaves 320 × 256 at 400 % zoom.
  for (const size of [
    { width: 1280, height: 720 },
    { width: 390, height: 844 },
    { width: 320, height: 256 },
  ]) {
    await page.setViewportSize(size);
    for (const [path, last] of [
      ['/profile?tab=settings', 'Change Password'],
      ['/resonance', 'Save Resonance Profile'],
    ] as const) {
      await page.goto(path);
      const end = page.getByRole('button', { name: last });
      await expect(end).toBeVisible();
      // Content that still arrives would move the focused element.
      await settled(page);
      await expectFocusSeen(page, 'Tab', end);
      await end.focus();
      await expectFocusSeen(
        page,
        'Shift+Tab',
        page.getByRole('banner').getByRole('link', { name: 'Nova', exact: true }),
      );
    }
  }
});

/** Goes from the focus to the end, control by control. */
async function expectFocusSeen(page: Page, key: string, end: Locator): Promise<void> {
  const isThere = () => end.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 100 && !(await isThere()); presses += 1) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    // An element that moves when it gets the focus is in place with the next frame.
    await expect.poll(() => focusIsSeen(page), `${key}: ${focused}`).toBe(true);
  }
  await expect(end).toBeFocused();
}

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
