import {
  accountMenuButton,
  expect,
  fillRegistration,
  grantNova,
  held,
  loseAnswer,
  openAuthCard,
  registered,
  registerInBrowser,
  signInHere,
  signInInBrowser,
  somebody,
  someoneElse,
  test,
  toast,
} from './nova.js';

test('registers, signs out, and signs in again to the page asked for', async ({ page }) => {
  const ada = somebody('Ada Lovelace');
  await registerInBrowser(page, ada);
  await expect(page).toHaveURL('/');
  await accountMenuButton(page).click();
  await expect(page.getByRole('link', { name: 'Ada Lovelace' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(toast(page, 'Signed out')).toBeVisible();
  await expect(page.getByRole('button', { name: 'ENTER' })).toBeVisible();

  await signInInBrowser(page, ada, '/gifts');
  await expect(page.getByRole('heading', { level: 1, name: 'Gifts' })).toBeVisible();
  await expect(page).toHaveURL('/gifts');
});

test('opens the page once it can be read, though the first look after registering failed', async ({ page }) => {
  await openAuthCard(page, 'register');
  await page.route('**/api/auth/user', (route) => route.fulfill({ status: 429, body: '' }));
  await fillRegistration(page, somebody('Ada Lovelace'));
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expect(page.getByText('Too many requests. Wait a moment and try again.')).toBeVisible();
  await page.unroute('**/api/auth/user');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(accountMenuButton(page)).toBeVisible();
});

test('says that it signed out, even when other news of it came first', async ({ page }) => {
  await registerInBrowser(page, somebody('Ada Lovelace'));
  // The answer waits until the page has learnt by another way that the session is over.
  await page.route('**/api/auth/signout', async (route) => {
    const response = await route.fetch();
    await page.getByRole('button', { name: 'ENTER' }).waitFor();
    await expect(toast(page, 'Session ended')).toHaveCount(0);
    await route.fulfill({ response });
  });
  await accountMenuButton(page).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(toast(page, 'Signed out')).toBeVisible();
});

test('shows nothing more of a member whose session ended in another tab', async ({ page, context, browser }) => {
  const ada = await registered(page.request, 'Ada Lovelace');
  await grantNova(browser, ada, 4321);
  const bela = await someoneElse(browser, 'Bela Bartok');
  await page.goto('/wallet');
  await expect(page.getByRole('main')).toContainText('4,321');

  const other = await context.newPage();
  await other.goto('/gifts');
  await accountMenuButton(other).click();
  await other.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();

  await page.getByRole('link', { name: 'Go Home' }).click();
  const balances = await held(page, /\/api\/nova\/balance/);
  await signInHere(page, bela);
  await accountMenuButton(page).click();
  await page.getByRole('link', { name: 'Buy Gifts' }).click();
  await balances.arrived();
  await expect(page.getByRole('heading', { name: 'Nova Wallet' })).toBeVisible();
  await expect(page.locator('body')).not.toContainText('4,321');
  balances.letGo();
  await expect(page.getByRole('main')).not.toContainText('4,321');
});

test('refuses what the registration rules refuse, each with its sentence', async ({ page }) => {
  await openAuthCard(page, 'register');
  const submit = page.getByRole('button', { name: 'Create Account' });
  await submit.click();
  await expect(page.getByText('You must accept the Terms & Conditions to continue.')).toBeVisible();
  await expect(page.getByText('All fields are required')).toBeVisible();
  const pin = page.getByLabel('Recovery PIN');
  await pin.fill('1a2b3');
  await expect(pin).toHaveValue('123');
  await pin.blur();
  await expect(page.getByText('PIN must be 4-6 digits')).toBeVisible();
});

test('masks passwords, names them for password managers, and lets them be pasted', async ({ page }) => {
  for (const [mode, email, password] of [
    ['register', 'email', 'new-password'],
    ['sign in', 'username', 'current-password'],
  ] as const) {
    await openAuthCard(page, mode);
    await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', email);
    const field = page.getByLabel('Password', { exact: true });
    await expect(field).toHaveAttribute('type', 'password');
    await expect(field).toHaveAttribute('autocomplete', password);
    const isPasted = await field.evaluate((input) =>
      input.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })),
    );
    expect(isPasted).toBe(true);
  }
  await page.goto('/');
  await openAuthCard(page, 'register');
  await expect(page.getByLabel('Recovery PIN')).toHaveAttribute('type', 'password');
});

test('refuses a wrong password with the server’s sentence', async ({ page, browser }) => {
  const ada = await someoneElse(browser, 'Ada Lovelace');
  await signInInBrowser(page, { ...ada, password: 'not the password' });
  await expect(toast(page, 'Error')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
});

test('stops the moving background on request', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Pause background' }).click();
  await expect(page.getByRole('button', { name: 'Play background' })).toBeVisible();
  expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
});

test('stops the moving background also before it has begun', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  let load = (): void => undefined;
  const loading = new Promise<void>((resolve) => (load = resolve));
  await page.route(/landing\.(webm|mp4)$/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Pause background' }).click();
  await expect(page.getByRole('button', { name: 'Play background' })).toBeVisible();
  load();
  const video = page.locator('video');
  await expect.poll(() => video.evaluate((shown: HTMLVideoElement) => shown.readyState)).toBeGreaterThan(0);
  expect(await video.evaluate((shown: HTMLVideoElement) => shown.paused)).toBe(true);
  await page.getByRole('button', { name: 'Play background' }).click();
  await expect(page.getByRole('button', { name: 'Pause background' })).toBeVisible();
});

test('shows the landing screen at every path to whoever is signed out', async ({ page }) => {
  for (const path of ['/', '/wallet', '/gifts', '/admin', '/no/such/page']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'ENTER' })).toBeVisible();
  }
});

test('keeps the choice about cookies', async ({ page }) => {
  await page.goto('/');
  const notice = page.getByRole('complementary', { name: 'Cookie notice' });
  await expect(notice).toContainText('not sold');
  await notice.getByRole('button', { name: 'Decline Optional' }).click();
  await expect(notice).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: 'ENTER' })).toBeVisible();
  await expect(notice).toBeHidden();
});

test('manages devices before signing in', async ({ page, browser }) => {
  const ada = await someoneElse(browser, 'Ada Lovelace');
  await openAuthCard(page, 'sign in');
  await page.getByRole('button', { name: 'Too many devices? Manage devices' }).click();
  const dialog = page.getByRole('dialog', { name: 'Device Management' });
  await dialog.getByRole('button', { name: 'View My Devices' }).click();
  await expect(dialog.getByText('Email and password are required')).toBeVisible();

  await dialog.getByLabel('Email').fill(ada.email);
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password);
  await dialog.getByRole('button', { name: 'View My Devices' }).click();
  await expect(dialog.getByText('1 / 10')).toBeVisible();
  await dialog.getByRole('button', { name: /^Remove/ }).click();
  await expect(toast(page, 'The device has been removed successfully.')).toBeVisible();
  await expect(dialog.getByText('0 / 10')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done - Sign In' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
});

test('finds a device removed whose removal was not answered', async ({ page, browser }) => {
  const ada = await someoneElse(browser, 'Ada Lovelace');
  await openAuthCard(page, 'sign in');
  await page.getByRole('button', { name: 'Too many devices? Manage devices' }).click();
  const dialog = page.getByRole('dialog', { name: 'Device Management' });
  await dialog.getByLabel('Email').fill(ada.email);
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password);
  await dialog.getByRole('button', { name: 'View My Devices' }).click();
  await loseAnswer(page, /\/api\/devices\/[0-9a-f-]+$/);
  await dialog.getByRole('button', { name: /^Remove/ }).click();
  await expect(dialog.getByText('Nova could not be reached.')).toBeVisible();
  await dialog.getByRole('button', { name: /^Remove/ }).click();
  await expect(toast(page, 'The device has been removed successfully.')).toBeVisible();
  await expect(dialog.getByText('0 / 10')).toBeVisible();
});

test('asks for a device to be removed when there are ten already', async ({ page, browser }) => {
  const ada = await someoneElse(browser, 'Ada Lovelace');
  for (let device = 1; device < 10; device += 1) {
    const context = await browser.newContext();
    const { email, password } = ada;
    const answer = await context.request.post('/api/auth/signin', {
      data: { email, password, tcConsent: true, tcVersion: '1.0' },
    });
    expect(answer.status()).toBe(200);
    await context.close();
  }
  await signInInBrowser(page, ada);
  await expect(toast(page, 'Device Limit Reached')).toBeVisible();
  await expect(toast(page, 'You have too many devices registered. Please remove some devices first.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('checkbox', { name: /Terms/ })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeFocused();
});

test('sets a new password with the recovery PIN', async ({ page, browser }) => {
  const ada = await someoneElse(browser, 'Ada Lovelace');
  await openAuthCard(page, 'sign in');
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a New Password' });
  await dialog.getByLabel('Email').fill(ada.email);
  await dialog.getByLabel('Recovery PIN').fill('9999');
  await dialog.getByLabel('New Password').fill('another quiet sky');
  await dialog.getByRole('button', { name: 'Set New Password' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Recovery PIN').fill(ada.pin);
  const recovery = await held(page, /\/api\/auth\/recover$/);
  await dialog.getByRole('button', { name: 'Set New Password' }).click();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  recovery.letGo();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Email')).toHaveValue(ada.email);
  await expect(page.getByRole('button', { name: 'Forgot your password?' })).toBeFocused();

  await signInInBrowser(page, { email: ada.email, password: 'another quiet sky' });
  await expect(accountMenuButton(page)).toBeVisible();
});

test('shows the Terms to anyone', async ({ page }) => {
  await page.goto('/terms');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/Terms/);
});

test('shows Page Not Found to members, and Access Denied where they may not go', async ({ page }) => {
  await registered(page.request, 'Ada Lovelace');
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  await page.goto('/admin');
  await expect(page.getByText('Admin privileges required to access this page.')).toBeVisible();
});
