import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, expectGoodAtEverySize, registered, someoneElse, test, toast } from './nova.js';
import { unzip } from '../support/unzip.js';

const HOSTILE = '<img src=x onerror=alert(1)> \u05d0\u05d1\u05d2';

const jpeg = (hue: number): Promise<Buffer> =>
  sharp({ create: { width: 480, height: 320, channels: 3, background: { r: hue, g: 90, b: 160 } } })
    .jpeg()
    .toBuffer();
const photo = async () => ({ name: 'night.jpg', mimeType: 'image/jpeg', buffer: await jpeg(200) });

async function publish(request: APIRequestContext, surface: string, caption: string): Promise<void> {
  const ticket = await request.post('/api/content/upload-url', { data: {} });
  const { uploadURL, mediaUrl } = await ticket.json();
  const sent = await request.put(uploadURL, { data: await jpeg(80), headers: { 'content-type': 'image/jpeg' } });
  expect(sent.ok(), await sent.text()).toBe(true);
  const published = await request.post(`/api/content/${surface}`, {
    data: { contentType: 'image', mediaUrl, caption },
  });
  expect(published.status(), await published.text()).toBe(201);
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const section = (page: Page, heading: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) });
const profileOf = async (page: Page) => (await page.request.get('/api/profile')).json();
const refuse = { status: 409, json: { code: 'NO', message: 'Not this time.' } };

test('one’s profile is in order at every size, empty and full, with all its dialogs', async ({ page, browser }) => {
  test.setTimeout(300_000);
  await registered(page.request, 'Wilhelmina Archibaldova '.repeat(2).trim());
  const blocked = await someoneElse(browser, 'Wilhelmina '.repeat(4).trim());
  expect((await page.request.post(`/api/users/${blocked.id}/block`)).ok()).toBe(true);
  await page.goto('/profile');
  await expect(page.getByText('No posts yet')).toBeVisible();
  await expect(page.getByText('No discovery content yet')).toBeVisible();
  await expectGoodAtEverySize(page);

  for (let n = 1; n <= 5; n++) await publish(page.request, 'scroll-feed', `${'averylongword'.repeat(4)} ${n}`);
  await publish(page.request, 'discovery', HOSTILE);
  await page.request.patch('/api/profile', {
    data: {
      bio: `${'x'.repeat(200)}\n${HOSTILE}`,
      location: HOSTILE,
      website: `https://example.com/${'y'.repeat(150)}`,
    },
  });
  await page.goto('/?tab=profile');
  const ownCard = page.getByRole('region', { name: 'Your card' }).getByRole('listitem');
  for (const width of [320, 390, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(async () => (await ownCard.boundingBox())?.width).toBeGreaterThan(250);
  }
  await page.goto('/profile');
  await expect(section(page, 'Scroll Feed Content').getByRole('listitem')).toHaveCount(4);
  await page.getByRole('button', { name: 'Show all 5' }).click();
  await expect(section(page, 'Scroll Feed Content').getByRole('listitem')).toHaveCount(5);
  await expectGoodAtEverySize(page);

  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await expect(page.getByRole('dialog', { name: 'Delete this content?' })).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.keyboard.press('Escape');
  await section(page, 'Discovery Content').getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByLabel('Choose a file').setInputFiles(await photo());
  await page.getByLabel('Tags').fill('#c++');
  await page.getByLabel('Caption').focus();
  await expect(page.getByText('#c++ is no tag: use up to 50 letters, digits, _ or -.')).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Website').fill('javascript:alert(1)');
  await page.getByLabel('Display Name').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please enter a display name.')).toBeVisible();
  await expect(page.getByText('Enter an address such as https://example.com')).toBeVisible();
  await tab(page, 'Nexus').click();
  await expect(page.getByRole('heading', { name: 'Thread Connections' })).toBeVisible();
  await expectGoodAtEverySize(page);
  await tab(page, 'Settings').click();
  await expect(page.getByRole('switch', { name: 'Online Status' })).toBeChecked();
  await expect(section(page, 'Blocked Members').getByRole('listitem')).toHaveCount(1);
  await expectGoodAtEverySize(page);
});

test('everything of a member is made while they wait, and saved as a file', async ({ page }) => {
  test.setTimeout(300_000);
  await registered(page.request, 'Ada Lovelace');
  await page.goto('/profile?tab=settings');
  const data = section(page, 'Your Data');
  await data.getByRole('button', { name: 'Download Everything of Mine' }).click();
  const save = data.getByRole('button', { name: /^Download ZIP/ });
  await expect(save).toBeVisible();
  await expectGoodAtEverySize(page);
  const downloading = page.waitForEvent('download');
  await save.click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('nova-everything-of-mine.zip');
  expect([...(await unzip(await readFile(await file.path()))).keys()]).toContain('account.json');
});

test('an image becomes one’s card, and its crop the picture throughout the app', async ({ page }) => {
  await registered(page.request, 'Ada');
  await page.goto('/profile');
  const discovery = section(page, 'Discovery Content');
  await page.getByRole('button', { name: 'Crop Profile Card' }).click();
  await expect(toast(page, 'No Profile Card Selected')).toContainText(
    'Please select an image as your profile card first, then use the crop tool.',
  );

  await discovery.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByLabel('Choose a file').setInputFiles(await photo());
  const caption = page.getByLabel('Caption');
  await caption.focus();
  await page.keyboard.insertText('🌌'.repeat(500));
  await expect(caption).toHaveValue('🌌'.repeat(500));
  await page.keyboard.insertText('!');
  await expect(page.getByText('The caption must be at most 500 characters.')).toBeVisible();
  await caption.fill('A quiet night');
  await page.getByLabel('Tags').fill('#sky plain #夜空');
  await expect(page.getByText('Tags: sky, 夜空')).toBeVisible();
  await page.route('**/objects/uploads/*?*', (route) => route.fulfill({ status: 400, json: {} }), { times: 1 });
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(toast(page, 'Upload Failed')).toContainText('Failed to upload content');
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(discovery.getByRole('listitem', { name: 'A quiet night' })).toBeVisible();
  const [item] = await (await page.request.get('/api/content/my-discovery')).json();
  expect(item).toMatchObject({ caption: 'A quiet night', hashtags: ['sky', '夜空'], isCard: false });

  await discovery.getByRole('button', { name: 'Set as Card: A quiet night' }).click();
  const crop = page.getByRole('dialog', { name: 'Crop Profile Thumbnail' });
  await expect(crop).toContainText('profile picture throughout the app');
  await crop.getByRole('button', { name: 'Save Thumbnail' }).click();
  await expect(crop).toHaveCount(0);
  const { profileImageUrl, profileCardThumbnailUrl, profileCardContentId } = await profileOf(page);
  expect([profileCardThumbnailUrl, profileCardContentId]).toEqual([profileImageUrl, item.id]);
  await expect(page.locator(`header img[src^="${profileImageUrl}"]`).first()).toBeVisible();

  await discovery.getByRole('button', { name: 'Active Card: A quiet night' }).click();
  await expect(discovery.getByRole('button', { name: 'Set as Card: A quiet night' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect((await profileOf(page)).profileCardContent).toBeNull();

  await discovery.getByRole('button', { name: 'Delete A quiet night' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No discovery content yet')).toBeVisible();
});

test('a crop or an image that cannot be saved says so', async ({ page }) => {
  await registered(page.request, 'Ada');
  await publish(page.request, 'discovery', 'Mine');
  await page.route(/\/api\/profile\/(thumbnail|image)$/, (route) => route.fulfill(refuse));
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Set as Card: Mine' }).click();
  const crop = page.getByRole('dialog', { name: 'Crop Profile Thumbnail' });
  await crop.getByRole('button', { name: 'Save Thumbnail' }).click();
  await expect(toast(page, 'Failed to update thumbnail. Please try again.')).toBeVisible();
  await expect(crop).toBeVisible();
  await crop.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Change profile picture' }).click();
  await page.getByLabel('Choose a file').setInputFiles(await photo());
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(toast(page, 'Failed to update profile image. Please try again.')).toBeVisible();
});
