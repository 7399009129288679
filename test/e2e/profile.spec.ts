import type { APIRequestContext, Page } from '@playwright/test';
import sharp from 'sharp';
import { accountMenuButton, expect, expectGoodScreen, loseAnswer, registered, test, toast } from './nova.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
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

for (const size of SIZES) {
  test.describe(`at ${size.width} px`, () => {
    test.use({ viewport: size });

    test('one’s profile is in order, empty and full, with all its dialogs', async ({ page }) => {
      await registered(page.request, 'Wilhelmina Archibaldova '.repeat(2).trim());
      await page.goto('/profile');
      await expect(page.getByText('No posts yet')).toBeVisible();
      await expect(page.getByText('No discovery content yet')).toBeVisible();
      await expectGoodScreen(page);

      for (let n = 1; n <= 5; n++) await publish(page.request, 'scroll-feed', `${'averylongword'.repeat(4)} ${n}`);
      await publish(page.request, 'discovery', HOSTILE);
      await page.request.patch('/api/profile', {
        data: {
          bio: `${'x'.repeat(200)}\n${HOSTILE}`,
          location: HOSTILE,
          website: `https://example.com/${'y'.repeat(150)}`,
        },
      });
      await page.reload();
      await expect(section(page, 'Scroll Feed Content').getByRole('listitem')).toHaveCount(4);
      await expectGoodScreen(page);
      await page.getByRole('button', { name: 'Show all 5' }).click();
      await expect(section(page, 'Scroll Feed Content').getByRole('listitem')).toHaveCount(5);

      await page
        .getByRole('button', { name: /^Delete/ })
        .first()
        .click();
      await expect(page.getByRole('dialog', { name: 'Delete this content?' })).toBeVisible();
      await expectGoodScreen(page);
      await page.keyboard.press('Escape');
      await section(page, 'Discovery Content').getByRole('button', { name: 'Upload', exact: true }).click();
      await page.getByLabel('Choose a file').setInputFiles(await photo());
      await page.getByLabel('Tags').fill('#c++');
      await page.getByLabel('Caption').focus();
      await expect(page.getByText('#c++ is no tag: use up to 50 letters, digits or _.')).toBeVisible();
      await expectGoodScreen(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Change profile picture' }).click();
      await expect(page.getByRole('dialog', { name: 'Change Profile Picture' })).toBeVisible();
      await expectGoodScreen(page);
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: 'Edit Profile' }).click();
      await page.getByLabel('Website').fill('javascript:alert(1)');
      await page.getByLabel('Display Name').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Please enter a display name.')).toBeVisible();
      await expect(page.getByText('Enter an address such as https://example.com')).toBeVisible();
      await expectGoodScreen(page);
      await tab(page, 'Nexus').click();
      await expect(page.getByRole('heading', { name: 'Thread Connections' })).toBeVisible();
      await expectGoodScreen(page);
      await tab(page, 'Settings').click();
      await expect(page.getByRole('switch', { name: 'Online Status' })).toBeChecked();
      await expectGoodScreen(page);
    });
  });
}

test('the password is changed by the current one', async ({ page, browser }) => {
  const { email, password } = await registered(page.request, 'Ada');
  await page.goto('/profile?tab=settings');
  const form = page.getByRole('form', { name: 'Password' });
  const submit = form.getByRole('button', { name: 'Change Password' });
  await submit.click();
  await expect(form).toContainText('All fields are required');
  await form.getByLabel('Current Password').fill('wrong horse');
  await form.getByLabel('New Password').fill('short');
  await submit.click();
  await expect(form).toContainText('Password must be at least 8 characters');
  await form.getByLabel('New Password').fill('a new password');
  await submit.click();
  await expect(form.getByText('The current password is wrong.', { exact: true })).toBeVisible();
  await expect(form.getByLabel('Current Password')).toBeFocused();
  await form.getByLabel('Current Password').fill(password);
  await submit.click();
  await expect(toast(page, 'Password Changed')).toContainText('Your other devices have been signed out.');
  await expect(form.getByLabel('New Password')).toHaveValue('');

  const elsewhere = await browser.newContext();
  const signIn = (secret: string) =>
    elsewhere.request.post('/api/auth/signin', {
      data: { email, password: secret, tcConsent: true, tcVersion: '1.0' },
    });
  expect((await signIn(password)).status()).toBe(401);
  expect((await signIn('a new password')).status()).toBe(200);
  await elsewhere.close();
  await page.reload();
  await expect(form).toBeVisible();
});

test('editing is saved, or taken back, and stays while one looks at other tabs', async ({ page }) => {
  await registered(page.request, 'Ada');
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Quality Metrics' })).toBeVisible();
  const figures = page.getByRole('complementary', { name: 'Your figures' });
  await expect(figures).toContainText(/Rating5\.0Success Rate95%Avg Response2 minActivity/);

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByLabel('Display Name')).toBeFocused();
  await page.getByLabel('Bio').fill('Never saved');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeFocused();
  await expect(page.getByText('Never saved')).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByLabel('Bio')).toHaveValue('');

  await page.getByLabel('Display Name').fill('Countess Ada');
  await page.getByLabel('Bio').fill(HOSTILE);
  await page.getByLabel('Website').fill('www.example.com/ada');
  await tab(page, 'Settings').click();
  await expect(page).toHaveURL(/\/profile\?tab=settings$/);
  await tab(page, 'Content').click();
  await expect(page.getByLabel('Display Name')).toHaveValue('Countess Ada');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Profile Updated')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Countess Ada' })).toBeVisible();
  await expect(page.getByText(HOSTILE)).toBeVisible();
  const website = page.getByRole('link', { name: 'example.com/ada' });
  await expect(website).toHaveAttribute('href', 'https://www.example.com/ada');
  await expect(website).toHaveAttribute('rel', /nofollow noopener/);
  await accountMenuButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Account menu' })).toContainText('Countess Ada');
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

test('a picture is uploaded, and cropped', async ({ page }) => {
  await registered(page.request, 'Ada');
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Change profile picture' }).click();
  await page.getByLabel('Choose a file').setInputFiles(await photo());
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
  const crop = page.getByRole('dialog', { name: 'Crop Profile Thumbnail' });
  await expect(crop).toBeVisible();
  await expect.poll(async () => (await profileOf(page)).profileImageUrl).not.toBeNull();
  const whole = (await profileOf(page)).profileImageUrl;
  await page.evaluate(() => {
    const itself = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'toBlob');
    HTMLCanvasElement.prototype.toBlob = (done) => {
      if (itself) Object.defineProperty(HTMLCanvasElement.prototype, 'toBlob', itself);
      done(null);
    };
  });
  await crop.getByRole('button', { name: 'Save Thumbnail' }).click();
  await expect(toast(page, 'Failed to update thumbnail. Please try again.')).toBeVisible();
  await crop.getByRole('button', { name: 'Save Thumbnail' }).click();
  await expect(toast(page, 'Thumbnail Updated')).toBeVisible();
  await expect(crop).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Change profile picture' })).toBeFocused();
  const cropped = (await profileOf(page)).profileImageUrl;
  expect(cropped).not.toBe(whole);
  const { width, height, format } = await sharp(await (await page.request.get(cropped)).body()).metadata();
  expect([width, height, format]).toEqual([320, 320, 'jpeg']);
});

test('settings are saved as they are changed', async ({ page }) => {
  await registered(page.request, 'Ada');
  await page.goto('/profile?tab=settings');
  await page.getByRole('switch', { name: 'Online Status' }).click();
  await page.getByRole('switch', { name: 'Direct Chats' }).click();
  const price = page.getByLabel('Minimum Chat Price (USD)');
  await price.fill('0.3');
  await price.blur();
  await expect(page.getByText('The minimum chat price is at least $0.50.')).toBeVisible();
  await expect
    .poll(() => profileOf(page))
    .toMatchObject({ isOnline: false, allowDirectChats: false, minimumChatPrice: 1 });
  await price.fill('2.5');
  await price.press('Enter');
  await expect(page.getByText('A chat with you costs 3,125 Nova.')).toBeVisible();
  await expect.poll(() => profileOf(page)).toMatchObject({ minimumChatPrice: 2.5 });
  await price.fill('a lot');
  await price.blur();
  await expect(price).toHaveValue('1.00');
  await expect.poll(() => profileOf(page)).toMatchObject({ minimumChatPrice: 1 });
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Direct Chats' })).not.toBeChecked();
});

test('a setting whose saving was not answered is shown as the server has it', async ({ page }) => {
  await registered(page.request, 'Ada');
  await page.goto('/profile?tab=settings');
  const direct = page.getByRole('switch', { name: 'Direct Chats' });
  await expect(direct).toBeChecked();
  await loseAnswer(page, '**/api/profile/settings');
  const again = page.waitForResponse('**/api/profile');
  await direct.click();
  await expect(toast(page, 'Settings Update Failed')).toContainText('Nova could not be reached.');
  await again;
  await expect(direct).not.toBeChecked();
});

for (const size of SIZES) {
  test(`whom one blocked is listed, and can be unblocked (${size.width} px)`, async ({ page, browser }) => {
    await page.setViewportSize(size);
    await registered(page.request, 'Ada');
    const others = await browser.newContext();
    const [ben, wil] = [
      await registered(others.request, 'Ben'),
      await registered(others.request, 'Wilhelmina '.repeat(4)),
    ];
    for (const { id } of [ben, wil]) expect((await page.request.post(`/api/users/${id}/block`)).ok()).toBe(true);
    await page.route('**/api/users/blocked?*', (route) => route.fulfill({ status: 429, body: '' }));
    await page.goto('/profile?tab=settings');
    const card = section(page, 'Blocked Members');
    await expect(card.getByRole('alert')).toContainText('The members whom you blocked could not be loaded.');
    await page.unroute('**/api/users/blocked?*');
    await card.getByRole('button', { name: 'Try again' }).click();
    await expect(card.getByRole('listitem')).toHaveCount(2);
    await expectGoodScreen(page);
    await card.getByRole('button', { name: `Unblock ${ben.displayName}` }).click();
    await expect(toast(page, 'This member is no longer blocked.')).toBeVisible();
    await expect(card.getByRole('listitem')).toHaveCount(1);
    await card.getByRole('button', { name: /^Unblock/ }).click();
    await expect(card.getByText('Nobody is blocked')).toBeVisible();
    const relation = await page.request.get(`/api/users/${ben.id}/relation`);
    expect(await relation.json()).toMatchObject({ blocked: false });
    await others.close();
  });
}

test('what is refused says so, and nothing that was typed is lost', async ({ page }) => {
  await registered(page.request, 'Ada');
  await publish(page.request, 'discovery', 'Mine');
  await page.route(/\/api\/(profile|profile\/settings|profile\/card-content|content\/[0-9a-f-]+)$/, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill(refuse),
  );
  await page.route('**/api/auth/signout', (route) => route.fulfill(refuse));
  await page.goto('/profile?tab=settings');
  await page.getByRole('switch', { name: 'Direct Chats' }).click();
  await expect(toast(page, 'Settings Update Failed')).toContainText('Not this time.');
  await expect(page.getByRole('switch', { name: 'Direct Chats' })).toBeChecked();

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Bio').fill('Still here');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Update Failed')).toContainText('Not this time.');
  await expect(page.getByLabel('Bio')).toHaveValue('Still here');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await tab(page, 'Content').click();
  await page.getByRole('button', { name: 'Set as Card: Mine' }).click();
  await expect(toast(page, 'Update Failed')).toContainText('Not this time.');
  await page.getByRole('button', { name: 'Delete Mine' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(toast(page, 'Delete Failed')).toContainText('Not this time.');
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(toast(page, 'Sign Out Failed')).toContainText('Please try again.');
});

test('content whose deletion got no answer is gone when it is deleted again', async ({ page }) => {
  await registered(page.request, 'Ada');
  await publish(page.request, 'scroll-feed', 'Mine');
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Delete Mine' }).click();
  await loseAnswer(page, '**/api/content/*');
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
  await remove.click();
  await expect(toast(page, 'Delete Failed')).toBeVisible();
  await remove.click();
  await expect(toast(page, 'Content Deleted')).toBeVisible();
  await expect(page.getByText('No posts yet')).toBeVisible();
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

test('an image that does not load is replaced, and a profile that does not load can be asked for again', async ({
  page,
}) => {
  await registered(page.request, 'Ada');
  await publish(page.request, 'discovery', 'Broken');
  await page.route('**/objects/**', (route) => route.fulfill({ contentType: 'image/jpeg', body: 'no image' }));
  await page.route('**/api/profile', (route) =>
    route.fulfill({ status: 404, json: { code: 'X', message: 'Not now.' } }),
  );
  await page.goto('/profile');
  await expect(page.getByRole('alert')).toContainText('Not now.');
  await page.unroute('**/api/profile');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('listitem', { name: 'Broken' })).toContainText('Not available');
});

test('the ways from one’s profile lead where they say', async ({ page }) => {
  await registered(page.request, 'Ada');
  for (const [name, path] of [
    ['Resonance', '/resonance'],
    ['Wallet & Transactions', '/wallet'],
    ['Daily Quests', '/quests'],
    ['Back to discovery', '/'],
  ] as const) {
    await page.goto('/profile');
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('button', { name: 'ENTER' })).toBeVisible();
});
