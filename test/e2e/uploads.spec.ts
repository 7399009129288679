import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, expectOnlyErrors, expectGoodAtEverySize, expectGoodScreen, registered, test, toast } from './nova.js';

const LONG_NAME = 'صورة من العطلة a very long name of a photo that somebody took on a long holiday by the sea.jpg';
const UPLOAD_PATH = '**/objects/uploads/*?*';

// A trace reads the page's resources again, including pictures in memory, which the page's content policy rightly
// refuses.
test.use({ trace: 'off' });

/** A sky with a bright disc in the left half. */
const photo = (width = 1200, height = 800): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#223"/><circle cx="${width / 4}" cy="${height / 2}" r="${height / 4}" fill="#fd8"/></svg>`,
    ),
  )
    .jpeg()
    .toBuffer();

const dialog = (page: Page) => page.getByRole('dialog');
const pick = (page: Page, name: string, buffer: Buffer, mimeType = 'image/jpeg') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
const upload = (page: Page) => dialog(page).getByRole('button', { name: 'Upload', exact: true });

async function openPictureDialog(page: Page): Promise<void> {
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Change profile picture' }).click();
  await expect(dialog(page)).toBeVisible();
}

/** A measure once it has not changed for a while: what was resized takes its place with a later frame. */
async function atRest(page: Page, measure: () => Promise<number>): Promise<number> {
  let last = Number.NaN;
  await expect
    .poll(async () => {
      const before = last;
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      last = await measure();
      return last === before;
    })
    .toBe(true);
  return last;
}

test('a picture is picked, sent and cropped', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await registered(page.request, 'Ada Lovelace');
  await openPictureDialog(page);
  await expect(upload(page)).toBeDisabled();
  await expectGoodAtEverySize(page);

  await pick(page, LONG_NAME, await photo());
  await expect(dialog(page).getByAltText('Preview of the file')).toBeVisible();
  await expectGoodAtEverySize(page);
  await upload(page).click();

  await expect(dialog(page)).toContainText('Crop Profile Thumbnail');
  const save = dialog(page).getByRole('button', { name: 'Save Thumbnail' });
  await expect(save).toBeEnabled();
  await expectGoodAtEverySize(page);
  const area = dialog(page).locator('.ReactCrop__crop-selection');
  const left = async (): Promise<number> => (await area.boundingBox())?.x ?? 0;
  const middle = await atRest(page, left);
  await area.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => Math.round(middle - (await left()))).toBe(1);
  // The disc is in the left half: far enough left, it fills the picture's middle.
  for (let count = 0; count < 9; count++) await page.keyboard.press('Control+ArrowLeft');

  await page.evaluate(() => {
    const itself = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'toBlob');
    HTMLCanvasElement.prototype.toBlob = (done) => {
      if (itself) Object.defineProperty(HTMLCanvasElement.prototype, 'toBlob', itself);
      done(null);
    };
  });
  await save.click();
  await expect(toast(page, 'Failed to update thumbnail. Please try again.')).toBeVisible();
  const sent = page.waitForRequest('**/api/profile/thumbnail');
  await save.click();
  await sent;
  await expect(toast(page, 'Thumbnail Updated')).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Change profile picture' })).toBeFocused();
  const { user } = await (await page.request.get('/api/auth/user')).json();
  const served = await page.request.get(user.profileImageUrl);
  expect(served.headers()['content-type']).toBe('image/jpeg');
  const cut = await served.body();
  const { width, height } = await sharp(cut).metadata();
  expect(width).toBe(height);
  // At the photo's own size, whatever size it was shown at.
  expect(Math.abs(width - 800)).toBeLessThan(8);
  const [red = 0] = await sharp(cut).extract({ left: 300, top: 400, width: 1, height: 1 }).raw().toBuffer();
  expect(red).toBeGreaterThan(200);
});

test('what may not be sent is said beside it, and another file is sent, though its address expired', async ({
  page,
}) => {
  await registered(page.request, 'Grace Hopper');
  await openPictureDialog(page);
  const note = dialog(page).getByRole('alert');
  await pick(page, 'page.html', Buffer.from('<script>alert(1)</script>'), 'text/html');
  await expect(note).toHaveText('You can only upload: images');
  await pick(page, 'empty.jpg', Buffer.alloc(0));
  await expect(note).toHaveText('This file is smaller than the allowed size of 1 B');
  await pick(page, '<b>big</b>.jpg', Buffer.alloc(10 * 1_048_576 + 1));
  await expect(note).toHaveText('<b>big</b>.jpg exceeds maximum allowed size of 10 MB');

  await pick(page, 'not-a-photo.jpg', Buffer.from('I am no photo, whatever my name says, not even a small one.'));
  await upload(page).click();
  await expect(note).toContainText('This file cannot be used: send an image');
  await expect(toast(page, 'Failed to update profile image. Please try again.')).toBeVisible();
  await expectGoodScreen(page);
  await dialog(page).getByRole('button', { name: 'Remove' }).click();
  await expect(note).toBeHidden();

  // If several files are dropped, none is taken.
  const drop = async (...names: string[]) => {
    const dataTransfer = await page.evaluateHandle(
      ([bytes, files]) => {
        const carried = new DataTransfer();
        for (const name of files) carried.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/jpeg' }));
        return carried;
      },
      [[...(await photo(60, 40))], names] as const,
    );
    await dialog(page).getByText('drop it here').dispatchEvent('drop', { dataTransfer });
  };
  await drop('one.jpg', 'two.jpg');
  await expect(note).toHaveText('You can only upload 1 file');
  await expect(upload(page)).toBeDisabled();
  await drop('one.jpg');
  await expect(dialog(page).getByAltText('Preview of the file')).toBeVisible();
  await expect(note).toBeHidden();

  // An address that expired is replaced by a new one.
  const refused: string[] = [];
  await page.route(UPLOAD_PATH, async (route) => {
    if (refused.length === 2) return route.continue();
    refused.push(route.request().url());
    return route.fulfill({ status: 403, json: { code: 'UPLOAD_EXPIRED', message: 'Request has expired' } });
  });
  await upload(page).click();
  await expect(dialog(page)).toContainText('Crop Profile Thumbnail');
  expect(new Set(refused).size).toBe(2);
});

test('a store that fails is tried five times, each after its delay', async ({ page }) => {
  await registered(page.request, 'Barbara Liskov');
  await openPictureDialog(page);
  const times: number[] = [];
  await page.route(UPLOAD_PATH, (route) => {
    times.push(Date.now());
    return route.fulfill({ status: 503, body: '<Error/>' });
  });
  await pick(page, 'photo.jpg', await photo());
  await upload(page).click();
  await expect(dialog(page).getByRole('alert')).toHaveText('Failed to upload photo.jpg', { timeout: 30_000 });
  const [, ...pauses] = times.map((time, index) => time - (times[index - 1] ?? time));
  expect(pauses).toHaveLength(4);
  for (const [index, least] of [0, 1000, 3000, 5000].entries()) expect(pauses[index]).toBeGreaterThanOrEqual(least);
  // The browser reports each answer of a server in trouble.
  expectOnlyErrors('503');
});

test.describe('a store elsewhere', () => {
  // The page of this installation may send to its own server only.
  test.use({ bypassCSP: true });

  test('that hides its headers from the page is told of in the console', async ({ page }) => {
    await registered(page.request, 'Radia Perlman');
    const warnings: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await page.route('**/api/profile/image-upload-url', async (route) => {
      const ticket = await (await route.fetch()).json();
      const elsewhere = `https://store.example/bucket${ticket.mediaUrl}`;
      await page.route(elsewhere, async (put) => {
        const headers = { 'content-type': 'image/jpeg' };
        await page.request.put(ticket.uploadURL, { data: put.request().postDataBuffer() ?? '', headers });
        return put.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' } });
      });
      return route.fulfill({ json: { ...ticket, uploadURL: elsewhere } });
    });
    await openPictureDialog(page);
    await pick(page, 'photo.jpg', await photo());
    await upload(page).click();
    await expect(dialog(page)).toContainText('Crop Profile Thumbnail');
    expect(warnings).toEqual([expect.stringContaining('ETag')]);
  });
});

test('a file that has arrived is registered once a lost network is back', async ({ page, context }) => {
  await registered(page.request, 'Mary Somerville');
  await openPictureDialog(page);
  await pick(page, 'photo.jpg', await photo());
  const arrived = page.waitForResponse(UPLOAD_PATH);
  const lost = new Promise<void>((done) => {
    void page.route('**/api/profile/image', async (route) => {
      await context.setOffline(true);
      await route.abort('internetdisconnected');
      done();
    });
  });
  await upload(page).click();
  expect((await arrived).ok()).toBe(true);
  await lost;
  await expect(dialog(page).getByRole('status')).toContainText('No Internet connection');
  await page.unroute('**/api/profile/image');
  const registeredOnce = page.waitForRequest('**/api/profile/image');
  await context.setOffline(false);
  await registeredOnce;
  await expect(dialog(page)).toContainText('Crop Profile Thumbnail');
});

test('an upload waits while the device is offline, and can be cancelled', async ({ page, context }) => {
  await registered(page.request, 'Katherine Johnson');
  const sender = page.waitForResponse(/\/assets\/send-file-[^/]*\.js$/);
  await openPictureDialog(page);
  await (await sender).finished();
  await context.setOffline(true);
  await pick(page, 'photo.jpg', await photo());
  await upload(page).click();
  await expect(dialog(page).getByRole('status')).toContainText('No Internet connection');
  await expectGoodScreen(page);
  await dialog(page).getByRole('button', { name: 'Cancel upload' }).click();
  await expect(dialog(page).getByRole('status')).toBeHidden();
  await expect(upload(page)).toBeEnabled();
  await upload(page).click();
  await expect(dialog(page).getByRole('status')).toContainText('No Internet connection');
  await context.setOffline(false);
  await expect(dialog(page)).toContainText('Crop Profile Thumbnail');
});
