import type { Locator, Page } from '@playwright/test';
import { expect, focusIsSeen, registered, settled, test } from './nova.js';

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
