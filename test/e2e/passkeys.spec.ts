import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { createTestDatabase } from '../support/postgres.js';
import { Product } from '../support/product.js';
import { ADMIN } from './installation.js';
import {
  accountMenuButton,
  type Account,
  expect,
  expectGoodScreen,
  expectNothingBeside,
  openAuthCard,
  registered,
  settled,
  signInInBrowser,
  someoneElse,
  test as base,
  toast,
} from './nova.js';

/** Browsers allow passkeys only at domain names: this installation is at localhost, and demands passkeys of admins. */
const test = base.extend<object, { product: Product }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from the pattern.
    async ({}, use) => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-passkeys-'));
      await chmod(dataDir, 0o711);
      const database = process.env['TEST_DATABASE_URL'] ? await createTestDatabase('passkeys') : undefined;
      const product = await Product.start({
        dataDir,
        host: 'localhost',
        env: {
          ADMIN_EMAIL: ADMIN.email,
          ADMIN_PASSKEYS: 'true',
          ...(database ? { DATABASE_URL: database.url } : {}),
        },
      });
      await use(product);
      await product.stop();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
});

interface Device {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** A device that verifies its member and confirms at once, as if touched. */
async function addDevice(page: Page): Promise<Device> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function openSettings(page: Page): Promise<void> {
  await page.goto('/profile?tab=settings');
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeVisible();
}

/** Adds a passkey in the settings, and returns the recovery codes that come with the first. */
async function addPasskey(page: Page, { password }: Pick<Account, 'password'>, name: string): Promise<string[]> {
  await page.getByRole('button', { name: 'Add a Passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Your Password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(toast(page, 'Passkey Added')).toBeVisible();
  const kept = page.getByRole('dialog', { name: 'Keep your recovery codes' });
  await expect(dialog).toBeHidden();
  if (!(await kept.isVisible())) return [];
  const codes = await kept.getByRole('listitem').allInnerTexts();
  await kept.getByRole('button', { name: 'I Have Kept Them' }).click();
  await expect(kept).toBeHidden();
  return codes;
}

/** From the next page on the browser offers no passkey by itself: that would be faster than typing a password. */
const offerNone = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });

/** Signs out, which ends the session's fresh proof, and signs in again by the password. */
async function signInAgain(context: BrowserContext, page: Page, account: Account): Promise<void> {
  await offerNone(page);
  await context.clearCookies({ name: 'nova_session' });
  await signInInBrowser(page, account);
  await expect(accountMenuButton(page)).toBeVisible();
}

const rows = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');

test('adds, renames and removes passkeys in the settings', async ({ page, context }) => {
  await addDevice(page);
  const ada = await registered(page.request, 'Ada Lovelace');
  await openSettings(page);
  await expect(page.getByText('You have no passkey')).toBeVisible();
  await settled(page);
  await expectGoodScreen(page);

  await page.getByRole('button', { name: 'Add a Passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('All fields are required')).toBeVisible();
  await dialog.getByLabel('Your Password').fill('not the password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('The current password is wrong.')).toBeVisible();
  await expectGoodScreen(page);
  await dialog.getByLabel('Name').fill('Ada’s phone');
  await dialog.getByLabel('Your Password').fill(ada.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const kept = page.getByRole('dialog', { name: 'Keep your recovery codes' });
  await expect(kept.getByRole('listitem')).toHaveCount(10);
  await expectGoodScreen(page);
  await kept.getByRole('button', { name: 'I Have Kept Them' }).click();
  await expect(rows(page)).toHaveText([/Ada’s phone/]);
  await expect(page.getByText('You have 10 left.')).toBeVisible();

  await page.getByRole('button', { name: 'Rename Ada’s phone' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename passkey' });
  await rename.getByLabel('Name').fill('Ada’s old phone');
  await rename.getByRole('button', { name: 'Save Name' }).click();
  await expect(rows(page)).toHaveText([/Ada’s old phone/]);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectGoodScreen(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  // The new session has no fresh proof: the removal asks for one first, and then continues by itself.
  await signInAgain(context, page, ada);
  await openSettings(page);
  await page.getByRole('button', { name: 'Remove Ada’s old phone' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove this passkey?' });
  await removal.getByRole('button', { name: 'Remove Passkey' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(proof).toBeVisible();
  await expectGoodScreen(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNothingBeside(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Escape');
  await expect(proof).toBeHidden();
  await expect(removal.getByText('Please confirm with your passkey that it is you')).toBeVisible();
  await removal.getByRole('button', { name: 'Remove Passkey' }).click();
  await proof.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(toast(page, 'Passkey Removed')).toBeVisible();
  await expect(page.getByText('You have no passkey')).toBeVisible();
});

test('signs in from what the browser offers in the form, and by the button, once the terms are accepted', async ({
  page,
  context,
}) => {
  await addDevice(page);
  const ada = await registered(page.request, 'Ada Lovelace');
  await openSettings(page);
  await addPasskey(page, ada, 'Phone');
  await context.clearCookies({ name: 'nova_session' });
  await openAuthCard(page, 'sign in', '/gifts');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await page.getByRole('checkbox', { name: /Terms/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Gifts' })).toBeVisible();

  await offerNone(page);
  await context.clearCookies({ name: 'nova_session' });
  await openAuthCard(page, 'sign in', '/gifts');
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await button.click();
  await expect(page.getByText('You must accept the Terms & Conditions to continue.')).toBeVisible();
  await page.getByRole('checkbox', { name: /Terms/ }).click();
  await expectGoodScreen(page);
  await button.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Gifts' })).toBeVisible();
});

test('says so when the browser has no passkey, and when nobody was verified', async ({ page, context }) => {
  const { cdp, authenticatorId } = await addDevice(page);
  await openAuthCard(page, 'sign in');
  await page.getByRole('checkbox', { name: /Terms/ }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(toast(page, 'Your browser used no passkey.')).toBeVisible();
  await page.goto('/');
  const ada = await registered(page.request, 'Ada Lovelace');
  await openSettings(page);
  await addPasskey(page, ada, 'Phone');
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await context.clearCookies({ name: 'nova_session' });
  await openAuthCard(page, 'sign in');
  await page.getByRole('checkbox', { name: /Terms/ }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(toast(page, 'Your browser used no passkey.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
});

test('takes a recovery code where no passkey is at hand', async ({ page, context }) => {
  const { cdp, authenticatorId } = await addDevice(page);
  const ada = await registered(page.request, 'Ada Lovelace');
  await openSettings(page);
  const [code = ''] = await addPasskey(page, ada, 'Lost phone');
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
  await signInAgain(context, page, ada);
  await openSettings(page);
  await page.getByRole('button', { name: 'Make New Codes' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it is you' });
  await proof.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(proof.getByRole('alert')).toContainText('Your browser used no passkey.');
  await proof.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await proof.getByLabel('Recovery Code').fill('000000-000000-000000-000000');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByRole('alert')).toContainText('This recovery code is wrong, or was used before.');
  await expectGoodScreen(page);
  await proof.getByLabel('Recovery Code').fill(code);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('dialog', { name: 'Keep your recovery codes' })).toBeVisible();
});

test('leads an admin to the passkey that the panel needs, and asks for it before an account changes', async ({
  page,
  context,
  browser,
}) => {
  await addDevice(page);
  const made = await page.request.post('/api/auth/register', { data: { ...ADMIN, tcConsent: true, tcVersion: '1.0' } });
  expect(made.status(), await made.text()).toBe(201);
  const admin: Account = { ...ADMIN, id: (await made.json()).user.id };
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Add a Passkey First' })).toBeVisible();
  await settled(page);
  await expectGoodScreen(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectGoodScreen(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('link', { name: 'Go to Settings' }).click();
  await addPasskey(page, admin, 'Security key');
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1, name: /Admin/ })).toBeVisible();

  await signInAgain(context, page, admin);
  const ada = await someoneElse(browser, 'Ada Lovelace');
  await page.goto(`/admin?section=users&search=${encodeURIComponent(ada.email)}`);
  await page.getByRole('button', { name: `Actions for ${ada.displayName}` }).click();
  await page.getByRole('menuitem', { name: 'Reset Password' }).click();
  const reset = page.getByRole('dialog', { name: 'Reset Password' });
  await reset.getByLabel('New password').fill('sesame street');
  await reset.getByRole('button', { name: 'Reset Password' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it is you' });
  await proof.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(toast(page, 'Password Reset')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Within ten minutes it is not asked again.
  await page.getByRole('button', { name: `Actions for ${ada.displayName}` }).click();
  await page.getByRole('menuitem', { name: 'Reset PIN' }).click();
  const pin = page.getByRole('dialog', { name: 'Reset PIN' });
  await pin.getByLabel('New PIN').fill('0420');
  await pin.getByRole('button', { name: 'Reset PIN' }).click();
  await expect(toast(page, 'PIN Reset')).toBeVisible();
});
