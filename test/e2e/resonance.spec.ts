import type { Page } from '@playwright/test';
import { acceptCookies, expect, expectGoodAtEverySize, registered, test, toast } from './nova.js';

const box = (page: Page, trait: string) => page.getByRole('spinbutton', { name: `${trait}, from 0 to 100` });
const save = (page: Page) => page.getByRole('button', { name: 'Save Resonance Profile' });

async function open(page: Page): Promise<void> {
  await acceptCookies(page);
  await registered(page.request, 'Ada');
  await page.goto('/resonance');
  await expect(page.getByText('Nothing saved yet')).toBeVisible();
}

test('a profile is in order on a desktop and a phone: new, incomplete, found again, and about to be left', async ({
  page,
}) => {
  // Many scans in one test, each of which looks at every element of the screen.
  test.setTimeout(300_000);
  await open(page);
  await expectGoodAtEverySize(page);
  await save(page).click();
  await expect(page.getByText('Choose a horizon before you save.')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Short term' })).toBeFocused();
  await expect(page.getByRole('radio', { name: 'Short term' })).toBeInViewport({ ratio: 1 });
  await expectGoodAtEverySize(page);

  await page.getByRole('radio', { name: 'Long term' }).click();
  await box(page, 'Empathy').fill('94.9');
  const ideal = page.getByRole('region', { name: 'Ideal self' });
  await ideal.getByRole('button', { name: 'Wise' }).click();
  await save(page).click();
  await expect(toast(page, 'Your Resonance profile has been saved')).toContainText('Success');
  await page.reload();
  await expect(page.getByText('All saved')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Long term' })).toBeChecked();
  await expect(box(page, 'Empathy')).toHaveValue('94.9');
  await expect(ideal.getByRole('button', { pressed: true })).toHaveText(['Wise']);
  await expectGoodAtEverySize(page);

  await page.getByRole('radio', { name: 'Midterm' }).click();
  await page.getByRole('link', { name: 'Back to profile' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Back to profile' })).toBeFocused();
});

test('unsaved changes are asked about when they are left by the browser’s own ways', async ({ page }) => {
  await page.goto('/terms');
  await open(page);
  await page.getByRole('radio', { name: 'Midterm' }).click();
  await page.getByRole('link', { name: 'Back to profile' }).click();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/profile$/);
  // From the page that is seen.
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  await page.goBack();
  await page.getByRole('radio', { name: 'Short term' }).click();
  await page.goForward();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page).toHaveURL(/\/resonance$/);
  await page.goForward();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/profile$/);
});
