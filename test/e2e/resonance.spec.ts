import type { Page } from '@playwright/test';
import { expect, expectGoodScreen, registered, test, toast } from './nova.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const PATH = '/api/resonance';

const slider = (page: Page, trait: string) => page.getByRole('slider', { name: trait });
const box = (page: Page, trait: string) => page.getByRole('spinbutton', { name: `${trait}, from 0 to 100` });
const row = (page: Page, trait: string) => page.getByRole('listitem').filter({ has: slider(page, trait) });
const traits = (page: Page, list: 'Current self' | 'Ideal self') => page.getByRole('region', { name: list });
const save = (page: Page) => page.getByRole('button', { name: 'Save Resonance Profile' });

async function open(page: Page, name = 'Ada'): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('nova.optionalCookies', 'true'));
  await registered(page.request, name);
  await page.goto('/resonance');
  await expect(page.getByText('Nothing saved yet')).toBeVisible();
}

for (const size of SIZES) {
  test.describe(`${size.width} px wide`, () => {
    test.use({ viewport: size });

    test('a profile is filled in, saved and found again', async ({ page }) => {
      await open(page);
      await expect(page.getByRole('slider')).toHaveCount(15);
      for (const each of await page.getByRole('slider').all())
        await expect(each).toHaveAttribute('aria-valuenow', '50');
      await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
      await expectGoodScreen(page);

      await save(page).click();
      await expect(page.getByText('Choose a horizon before you save.')).toBeVisible();
      await expect(page.getByRole('radio', { name: 'Short term' })).toBeFocused();
      await expect(page.getByRole('radio', { name: 'Short term' })).toBeInViewport({ ratio: 1 });
      await expectGoodScreen(page);
      await page.getByRole('radio', { name: 'Long term' }).click();
      await expect(page.getByText('Choose a horizon before you save.')).toHaveCount(0);

      await box(page, 'Empathy').fill('94.9');
      await expect(slider(page, 'Empathy')).toHaveAttribute('aria-valuetext', '94.9, Nurturing');
      await expect(row(page, 'Empathy')).toContainText('Nurturing');
      await expect(page.getByText('Brightest: Empathy (Nurturing)')).toBeVisible();
      await traits(page, 'Current self').getByRole('button', { name: 'Self-aware' }).click();
      await traits(page, 'Ideal self').getByRole('button', { name: 'Wise' }).click();
      await expect(traits(page, 'Ideal self')).toContainText('1 of 20 selected');
      await expectGoodScreen(page);

      await save(page).click();
      await expect(toast(page, 'Your Resonance profile has been saved')).toContainText('Success');
      await expect(page.getByText('All saved')).toBeVisible();

      await page.reload();
      await expect(page.getByText('All saved')).toBeVisible();
      await expect(page.getByRole('radio', { name: 'Long term' })).toBeChecked();
      await expect(box(page, 'Empathy')).toHaveValue('94.9');
      await expect(box(page, 'Humility')).toHaveValue('50');
      await expect(traits(page, 'Current self').getByRole('button', { pressed: true })).toHaveText(['Self-aware']);
      await expect(traits(page, 'Ideal self').getByRole('button', { pressed: true })).toHaveText(['Wise']);
      await page.getByRole('link', { name: 'Back to profile' }).click();
      await expect(page).toHaveURL(/\/profile$/);
    });

    test('unsaved changes are asked about, whichever way they are left', async ({ page }) => {
      await page.goto('/terms');
      await open(page);
      await page.getByRole('radio', { name: 'Midterm' }).click();
      await expect(page.getByText('Not saved')).toBeVisible();
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
      await page.getByRole('link', { name: 'Back to profile' }).click();
      await expect(question).toBeVisible();
      await expectGoodScreen(page);
      await page.keyboard.press('Escape');
      await expect(question).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Back to profile' })).toBeFocused();
      await expect(page).toHaveURL(/\/resonance$/);
      await expect(page.getByRole('radio', { name: 'Midterm' })).toBeChecked();

      await page.getByRole('link', { name: 'Back to profile' }).click();
      await page.getByRole('button', { name: 'Leave without saving' }).click();
      await expect(page).toHaveURL(/\/profile$/);

      // The browser's own way back, from the page that is seen.
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
  });
}

test('slider and number box stay in sync, and the box takes 0 to 100 only', async ({ page }) => {
  await open(page);
  await slider(page, 'Patience').focus();
  await page.keyboard.press('ArrowRight');
  await expect(box(page, 'Patience')).toHaveValue('50.1');
  await page.keyboard.press('End');
  await expect(box(page, 'Patience')).toHaveValue('100');
  await expect(row(page, 'Patience')).toContainText('Endlessly patient');
  await page.keyboard.press('Home');
  await expect(box(page, 'Patience')).toHaveValue('0');

  await box(page, 'Patience').fill('72.5');
  await expect(slider(page, 'Patience')).toHaveAttribute('aria-valuenow', '72.5');
  for (const wrong of ['100.01', '-1', '']) {
    await box(page, 'Patience').fill(wrong);
    await expect(slider(page, 'Patience')).toHaveAttribute('aria-valuenow', '72.5');
    await box(page, 'Patience').blur();
    await expect(box(page, 'Patience')).toHaveValue('72.5');
  }
  await box(page, 'Patience').fill('33.33');
  await box(page, 'Patience').blur();
  await expect(box(page, 'Patience')).toHaveValue('33.3');
  await expect(slider(page, 'Openness')).toHaveAttribute('aria-valuenow', '50');
});

test('twenty traits of a list can be chosen, and no more, with the keyboard too', async ({ page }) => {
  await open(page);
  const chips = traits(page, 'Current self').getByRole('button');
  await expect(chips).toHaveCount(40);
  await chips.first().focus();
  for (let chosen = 1; chosen <= 20; chosen++) {
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await expect(chips.nth(chosen)).toBeFocused();
  }
  await expect(traits(page, 'Current self')).toContainText('20 of 20 selected');
  await page.keyboard.press('Space');
  await expect(toast(page, 'Limit reached')).toContainText('You can select up to 20 traits');
  await expect(traits(page, 'Current self').getByRole('button', { pressed: true })).toHaveCount(20);
  await expect(chips.nth(20)).toHaveAttribute('aria-pressed', 'false');

  // The other list has a limit of its own, and a chosen word can be given back.
  await traits(page, 'Ideal self').getByRole('button', { name: 'Kind' }).click();
  await expect(traits(page, 'Ideal self')).toContainText('1 of 20 selected');
  await chips.first().click();
  await chips.nth(20).click();
  await expect(traits(page, 'Current self')).toContainText('20 of 20 selected');
});

test('what the keyboard reaches is not covered by the bars', async ({ page }) => {
  await open(page);
  const bar = save(page).locator('..');
  for (const trait of ['Extraversion', 'Curiosity', 'Humility', 'Openness']) {
    await box(page, trait).focus();
    await page.keyboard.press('Tab');
    await expect(slider(page, trait)).toBeFocused();
    const [thumb, cover] = [await slider(page, trait).boundingBox(), await bar.boundingBox()];
    expect((thumb?.y ?? 0) + (thumb?.height ?? 0), trait).toBeLessThan(cover?.y ?? 0);
  }
});

test('a save shows that it is under way, and a failed one keeps the form', async ({ page }) => {
  await open(page);
  await page.getByRole('radio', { name: 'Midterm' }).click();
  let fail = true;
  await page.route(`**${PATH}`, async (route) => {
    if (route.request().method() !== 'POST' || !fail) return route.fallback();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return route.fulfill({ status: 429, json: { code: 'TOO_MANY_REQUESTS', message: 'Please wait a moment.' } });
  });
  await save(page).click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible();
  await expect(toast(page, 'Failed to save Resonance profile')).toContainText('Error');
  await expect(page.getByText('Please wait a moment.')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Midterm' })).toBeChecked();
  fail = false;
  await save(page).click();
  await expect(page.getByText('All saved')).toBeVisible();
});

test('a profile that cannot be loaded is no empty one', async ({ page }) => {
  await registered(page.request, 'Ada');
  let fail = true;
  await page.route(`**${PATH}`, async (route) => {
    if (!fail) return route.fallback();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return route.fulfill({ status: 429, json: { code: 'TOO_MANY_REQUESTS', message: 'Please wait a moment.' } });
  });
  await page.goto('/resonance');
  await expect(page.getByText('Loading your Resonance profile…')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('Failed to fetch resonance data');
  await expect(page.getByRole('slider')).toHaveCount(0);
  await expectGoodScreen(page);
  fail = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Nothing saved yet')).toBeVisible();
});

test('signing out asks nothing', async ({ page }) => {
  await open(page);
  await page.getByRole('radio', { name: 'Midterm' }).click();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByText('Sign Out', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'ENTER' })).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});
