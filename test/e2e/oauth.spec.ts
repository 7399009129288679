import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { awayFromMidnight } from '../support/midnight.js';
import {
  acceptCookies,
  balancePill,
  expect,
  expectGoodAtEverySize,
  expectGoodScreen,
  grantNova,
  held,
  loseAnswer,
  pressPaid,
  registered,
  signInInBrowser,
  someoneElse,
  test,
  toast,
} from './nova.js';

const PHONE = { width: 390, height: 844 };
/** A right-to-left name with characters that have a meaning in HTML. */
const HOSTILE_NAME = 'محفظة <b>Nova</b> & "friends"';

interface RegisteredApp {
  readonly clientId: string;
  readonly secret: string | null;
  readonly redirectUri: string;
}

/** Registers an application through the API; members come back to a page of the product itself. */
async function registerApp(page: Page, given: { name: string; isPublic?: boolean }): Promise<RegisteredApp> {
  const redirectUri = new URL('/terms', await originOf(page)).href;
  const answer = await page.request.post('/api/oauth/register-app', {
    data: { redirectUris: [redirectUri], scopes: ['openid', 'profile', 'email', 'nova', 'karma'], ...given },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const { clientId, clientSecret } = await answer.json();
  return { clientId, secret: clientSecret, redirectUri };
}

async function originOf(page: Page): Promise<string> {
  return new URL((await page.request.get('/health/ready')).url()).origin;
}

function authorizePath(
  { clientId, redirectUri }: RegisteredApp,
  scope: string,
  more: Record<string, string> = {},
): string {
  const basics = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope, state: 'my state' };
  const query = { ...basics, ...more };
  return `/oauth/authorize?${new URLSearchParams(query)}`;
}

/** The parameters with which the browser has come back to the application. */
async function comeBack(page: Page): Promise<URLSearchParams> {
  await page.waitForURL(/\/terms\?/);
  return new URL(page.url()).searchParams;
}

async function exchange(
  page: Page,
  app: RegisteredApp,
  code: string,
  more: Record<string, string> = {},
): Promise<string> {
  const answer = await page.request.post('/oauth/token', {
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: app.redirectUri,
      client_id: app.clientId,
      client_secret: app.secret ?? '',
      ...more,
    },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()).access_token;
}

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

// Several scans of whole screens in one test.
test.describe.configure({ timeout: 300_000 });

test('an application is created, changed, funded, emptied and deleted', async ({ page, browser }) => {
  await acceptCookies(page);
  const ada = await registered(page.request, 'Ada');
  await grantNova(browser, ada, 10_000);
  await page.goto('/developer');
  await expect(page.getByText('No applications yet')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Best Practices' })).toBeVisible();
  await expectGoodAtEverySize(page);

  // The form: what is missing, what is wrong, several redirect URIs.
  await page.getByRole('button', { name: 'Create Application' }).first().click();
  const form = dialog(page, 'Create OAuth Application');
  const create = form.getByRole('button', { name: 'Create Application' });
  await expect(create).toBeDisabled();
  for (const scope of ['openid', 'profile', 'email', 'nova'])
    await expect(form.getByRole('checkbox', { name: scope })).toBeChecked();
  await expect(form.getByRole('checkbox', { name: 'karma' })).not.toBeChecked();
  await form.getByLabel('Application Name').fill(HOSTILE_NAME);
  await expect(create).toBeDisabled();
  await form.getByRole('textbox', { name: 'Redirect URI 1' }).fill('javascript:alert(1)');
  await form.getByRole('button', { name: 'Add Redirect URI' }).click();
  await form.getByRole('textbox', { name: 'Redirect URI 2' }).fill('http://localhost:4000/callback');
  await create.click();
  await expect(form.getByText('Use https, or http on localhost.')).toBeVisible();
  await expectGoodAtEverySize(page);
  await form.getByRole('button', { name: 'Remove redirect URI 1' }).click();
  await expect(form.getByRole('button', { name: /^Remove redirect URI/ })).toHaveCount(0);
  const creation = await held(page, /\/api\/oauth\/register-app/);
  await create.click();
  await creation.arrived();
  await expect(create).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Escape');
  const list = await held(page, /\/api\/oauth\/my-applications/);
  creation.letGo();
  await list.arrived();

  // The secret: shown once, and not closed by accident.
  const secret = dialog(page, 'Client Secret Generated');
  await expect(secret).toContainText("Save this secret now. You won't be able to see it again.");
  const first = await secret.locator('code').textContent();
  expect(first?.length).toBeGreaterThan(30);
  list.letGo();
  await page.keyboard.press('Escape');
  await expect(secret.getByRole('alert')).toContainText('The secret is gone once this is closed');
  await page.goBack();
  await expect(secret.locator('code')).toHaveText(first ?? '');
  await expectGoodAtEverySize(page);
  await secret.getByRole('button', { name: "I've Saved the Secret" }).click();
  await expect(page.getByRole('button', { name: 'Create Application' }).first()).toBeFocused();
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: HOSTILE_NAME }) });
  await expect(card.getByText('Active', { exact: true })).toBeVisible();
  await expectGoodAtEverySize(page);

  await card.getByRole('button', { name: 'Regenerate Secret' }).click();
  const question = dialog(page, 'Regenerate the secret?');
  const regeneration = await held(page, /\/regenerate-secret$/);
  await question.getByRole('button', { name: 'Regenerate Secret' }).click();
  await expect(question.getByRole('button', { name: 'Keep it' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(question).toBeVisible();
  regeneration.letGo();
  await expect(secret.locator('code')).not.toHaveText(first ?? '');
  await secret.getByRole('button', { name: "I've Saved the Secret" }).click();
  await expect(secret).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Regenerate Secret' })).toBeFocused();

  // Its own page: settings and wallet.
  await card.getByRole('link', { name: `Manage ${HOSTILE_NAME}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: HOSTILE_NAME })).toBeVisible();
  await expect(page.getByText('No movements yet')).toBeVisible();
  await page.getByRole('switch', { name: 'Active' }).click();
  await expect(page.getByText('Inactive', { exact: true })).toBeVisible();
  await page.getByRole('switch', { name: 'Active' }).click();
  await expect(page.getByText('Inactive', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog(page, 'Edit Application').getByLabel('Application Name').fill('Pocket');
  await dialog(page, 'Edit Application').getByLabel('Description').fill('Small change');
  await dialog(page, 'Edit Application').getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pocket' })).toBeVisible();

  await page.getByRole('button', { name: 'Fund' }).click();
  const fund = dialog(page, 'Fund the application');
  const all = fund.getByRole('button', { name: 'All of it' });
  await page.setViewportSize(PHONE);
  expect((await all.boundingBox())?.height, 'pixels to touch').toBeGreaterThanOrEqual(44);
  await page.setViewportSize({ width: 1280, height: 800 });
  await fund.getByLabel('Amount').fill('10,000.01');
  await fund.getByRole('button', { name: /^Fund/ }).click();
  await expect(fund.getByText('There is not enough Nova.')).toBeVisible();
  await expectGoodAtEverySize(page);
  await fund.getByLabel('Amount').fill('4,000.50');
  await pressPaid(fund.getByRole('button', { name: 'Fund 4,000.50 Nova' }));
  await expect(toast(page, 'Application Funded')).toBeVisible();
  const wallet = page.getByRole('region', { name: 'Application wallet' });
  await expect(wallet.getByRole('status')).toHaveText('4,000.50 Nova');
  await expect(page.getByRole('list', { name: 'Wallet statement' })).toContainText('Funded by Ada');
  await expect(balancePill(page)).toContainText('5,999.50');
  await expectGoodAtEverySize(page);

  // No deletion while there is Nova in it.
  await page.getByRole('button', { name: 'Delete Application' }).click();
  const deletion = dialog(page, 'Delete this application?');
  await deletion.getByRole('button', { name: 'Delete Application' }).click();
  await expect(deletion.getByRole('alert')).toBeVisible();
  await deletion.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  const withdrawal = dialog(page, 'Withdraw to your wallet');
  await withdrawal.getByRole('button', { name: 'All of it' }).click();
  await pressPaid(withdrawal.getByRole('button', { name: 'Withdraw 4,000.50 Nova' }));
  await expect(wallet.getByRole('status')).toHaveText('0 Nova');
  await expect(balancePill(page)).toContainText('10,000.00');
  await page.getByRole('button', { name: 'Delete Application' }).click();
  await loseAnswer(page, '**/api/oauth/application/*');
  await deletion.getByRole('button', { name: 'Delete Application' }).click();
  await expect(toast(page, 'Deletion Failed')).toBeVisible();
  await deletion.getByRole('button', { name: 'Delete Application' }).click();
  await expect(page).toHaveURL(/\/developer$/);
  await expect(page.getByText('No applications yet')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: PHONE });

  test('a member allows a part, with a limit; sees what it did, and revokes it', async ({ page, browser }) => {
    await acceptCookies(page);
    const developer = await browser.newContext();
    const developersPage = await developer.newPage();
    await registered(developersPage.request, 'Grace');
    const app = await registerApp(developersPage, { name: HOSTILE_NAME });
    await developer.close();
    const ada = await registered(page.request, 'Ada');
    await grantNova(browser, ada, 10_000);

    // The member denies access.
    await page.goto(authorizePath(app, 'openid profile nova'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      `${HOSTILE_NAME} wants to access your Nova account`,
    );
    await expectGoodAtEverySize(page);
    await page.getByRole('button', { name: 'Deny Access' }).click();
    const refused = await comeBack(page);
    expect([refused.get('error'), refused.get('state')]).toEqual(['access_denied', 'my state']);

    await page.goto(authorizePath(app, 'openid profile nova'));
    await expect(page.getByRole('checkbox', { name: 'Basic Identity' })).toBeChecked();
    await expect(page.getByRole('checkbox', { name: 'Basic Identity' })).toBeDisabled();
    await expect(page.getByRole('checkbox', { name: 'Profile Information' })).not.toBeChecked();
    await expect(page.getByRole('checkbox')).toHaveCount(3);
    await expect(page.getByLabel('Daily spending limit')).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Nova Balance' }).click();
    await expect(page.getByText('Includes spending')).toBeVisible();
    await expect(page.getByLabel('Daily spending limit')).toHaveValue('5,000');
    await page.getByLabel('Daily spending limit').fill('1,000,001');
    await expect(page.getByRole('button', { name: 'Authorize Application' })).toBeDisabled();
    await page.getByLabel('Daily spending limit').fill('250');
    await expectGoodAtEverySize(page);
    await page.getByRole('button', { name: 'Authorize Application' }).click();
    const allowed = await comeBack(page);
    expect(allowed.get('state')).toBe('my state');
    const token = await exchange(page, app, allowed.get('code') ?? '');

    await awayFromMidnight();
    const spent = await page.request.post('/api/tokens/spend', {
      headers: { authorization: `Bearer ${token}` },
      data: { amount: 100.25, description: 'A lamp' },
    });
    expect(spent.status(), await spent.text()).toBe(201);
    await page.goto('/wallet');
    await page.getByRole('tab', { name: 'Applications' }).click();
    const row = page.getByRole('list', { name: 'Applications' }).getByRole('listitem');
    await expect(row).toContainText('100.25 of 250.00 Nova today');
    await expectGoodAtEverySize(page);
    await row.getByRole('button', { name: 'Change limit' }).click();
    await dialog(page, 'Change the daily limit').getByLabel('Daily spending limit').fill('500');
    const change = await held(page, /\/api\/oauth\/consents\/[^/]+$/);
    await dialog(page, 'Change the daily limit').getByRole('button', { name: 'Set 500 Nova a day' }).click();
    await change.arrived();
    await expect(dialog(page, 'Change the daily limit').locator('[aria-busy=true]')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page, 'Change the daily limit')).toBeVisible();
    change.letGo();
    await expect(dialog(page, 'Change the daily limit')).toBeHidden();
    await expect(row).toContainText('100.25 of 500.00 Nova today');

    await page.getByRole('link', { name: 'See what each may do, or revoke it' }).click();
    const authorized = page.getByRole('list', { name: 'Authorized apps' });
    await expect(authorized).toContainText('Nova Balance');
    await expect(authorized).not.toContainText('Profile Information');
    await expect(authorized).toContainText('May spend 500.00 Nova a day');
    await expectGoodAtEverySize(page);
    await page.getByRole('button', { name: 'Revoke Access' }).click();
    const revoke = dialog(page, 'Revoke access?').getByRole('button', { name: 'Revoke Access' });
    await loseAnswer(page, /\/api\/oauth\/revoke$/);
    await revoke.click();
    await expect(toast(page, 'Revocation Failed')).toBeVisible();
    await revoke.click();
    await expect(page.getByText('No authorized apps')).toBeVisible();
    const balances = await page.request.get('/api/oauth/token-balances', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(balances.status()).toBe(401);
  });
});

test('the documentation and the demo', async ({ page }) => {
  await acceptCookies(page);
  await registered(page.request, 'Ada');
  const app = await registerApp(page, { name: 'Pocket' });
  await page.goto('/developer?tab=api');
  for (const path of ['/oauth/token', '/oauth/userinfo', '/api/oauth/token-balances', '/api/tokens/transfer'])
    await expect(page.getByText(path, { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: '/api/tokens/spend' }).click();
  await expect(page.getByText('idempotency-key: order-1234')).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.getByRole('tab', { name: 'Integration Guide' }).click();
  await expect(page).toHaveURL(/tab=guide/);
  await expect(page.getByText(app.clientId).first()).toBeVisible();
  await expectGoodAtEverySize(page);

  await page.goto('/oauth/demo');
  await expect(page.getByLabel('Scopes')).toHaveValue('openid profile nova');
  await page.getByRole('button', { name: 'Generate Authorization URL' }).click();
  await expect(toast(page, 'Please enter Client ID and Redirect URI')).toContainText('Missing Information');
  await page.getByLabel('Client ID').fill(app.clientId);
  await page.getByLabel('Redirect URI').fill(app.redirectUri);
  // As over plain http.
  await page.evaluate(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
  await page.getByRole('checkbox', { name: 'It is a public client' }).click();
  await page.getByRole('button', { name: 'Generate Authorization URL' }).click();
  await expect(toast(page, 'only over https')).toBeVisible();
  await page.getByRole('checkbox', { name: 'It is a public client' }).click();
  await page.getByRole('button', { name: 'Generate Authorization URL' }).click();
  await expect(toast(page, 'Copy this URL to start the OAuth flow')).toContainText('Authorization URL Generated');
  await expectGoodAtEverySize(page);
  const url = new URL((await page.getByRole('link', { name: 'Open URL' }).getAttribute('href')) ?? '');
  expect(url.pathname).toBe('/oauth/authorize');
  expect(url.searchParams.get('state')).toBe('demo_state_12345');
  await page.getByLabel('Authorization Code').fill('the-code');
  await expect(page.getByText("'code=the-code'")).toBeVisible();
  for (const tab of ['Integration Guide', 'Code Examples']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('figure').first()).toBeVisible();
    await expectGoodAtEverySize(page);
  }
});

test('a request that another tab came between starts again, with its challenge', async ({ page, context }) => {
  await acceptCookies(page);
  await registered(page.request, 'Ada');
  const app = await registerApp(page, { name: 'Pocket' });
  // RFC 7636, appendix B.
  const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  await page.goto(authorizePath(app, 'openid', { code_challenge, code_challenge_method: 'S256' }));
  const authorizeButton = page.getByRole('button', { name: 'Authorize Application' });
  await expect(authorizeButton).toBeEnabled();
  const otherTab = await context.newPage();
  await otherTab.goto(authorizePath(app, 'openid profile'));
  await expect(otherTab.getByRole('button', { name: 'Authorize Application' })).toBeEnabled();
  const startedAgain = page.waitForResponse((answer) => answer.url().includes('/oauth/authorize?'));
  await authorizeButton.click();
  await startedAgain;
  await authorizeButton.click();
  const back = await comeBack(page);
  expect(await exchange(page, app, back.get('code') ?? '', { code_verifier })).toBeTruthy();
});

test('visitors sign in first, members once more where an application asks for it', async ({ page, browser }) => {
  await acceptCookies(page);
  const ada = await someoneElse(browser, 'Ada');
  const developer = await browser.newContext();
  const developersPage = await developer.newPage();
  await registered(developersPage.request, 'Grace');
  const app = await registerApp(developersPage, { name: 'Pocket' });
  await developer.close();

  await page.goto(authorizePath(app, 'openid', { login_hint: ada.email }));
  await page.getByRole('button', { name: 'ENTER' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(ada.email);
  await page.getByLabel('Password', { exact: true }).fill(ada.password);
  await page.getByRole('checkbox', { name: /Terms/ }).click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pocket wants to access your Nova account');
  await page.getByRole('button', { name: 'Authorize Application' }).click();
  expect((await comeBack(page)).get('code')).toBeTruthy();

  await page.goto(authorizePath(app, 'openid', { prompt: 'login' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in once more');
  await expectGoodScreen(page);
  await page.getByRole('button', { name: 'Sign In Again' }).click();
  await expect(page.getByRole('button', { name: 'ENTER' })).toBeVisible();
  await signInInBrowser(page, ada, page.url());
  await page.getByRole('button', { name: 'Authorize Application' }).click();
  expect((await comeBack(page)).get('code')).toBeTruthy();
});

test('a public client signs in from the demo, and the samples that are shown run', async ({ page, browser }) => {
  await acceptCookies(page);
  const ada = await registered(page.request, 'Ada');
  await grantNova(browser, ada, 5_000);
  const app = await registerApp(page, { name: 'Pocket', isPublic: true });
  await page.goto('/oauth/demo');
  await page.getByLabel('Client ID').fill(app.clientId);
  await page.getByLabel('Redirect URI').fill(app.redirectUri);
  await page.getByRole('checkbox', { name: 'It is a public client' }).click();
  await page.getByRole('button', { name: 'Generate Authorization URL' }).click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open URL' }).click();
  const popup = await opened;
  await popup.getByRole('checkbox', { name: 'Nova Balance' }).click();
  await popup.getByRole('button', { name: 'Authorize Application' }).click();
  const code = (await comeBack(popup)).get('code') ?? '';
  await popup.close();
  await page.getByLabel('Authorization Code').fill(code);
  await page.getByRole('button', { name: 'Exchange Code' }).click();
  const response = page.getByRole('figure').filter({ hasText: 'Token response' });
  const { access_token: token } = JSON.parse((await response.locator('code').textContent()) ?? '{}');
  expect(token).toBeTruthy();

  await page.goto('/developer?tab=api');
  await page.getByRole('button', { name: '/api/oauth/token-balances' }).click();
  await page.getByRole('tab', { name: 'Node' }).click();
  const sample = (await page.getByRole('figure').locator('code').textContent()) ?? '';
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', sample], {
    env: { PATH: process.env['PATH'], NOVA_ACCESS_TOKEN: token },
  });
  expect(JSON.parse(stdout)).toMatchObject({ userId: ada.id, nova: { balance: 5_000, dailyLimit: 5_000 } });
});

test('in test mode a made-up member signs in, and who is signed in stays so', async ({ page }) => {
  const developer = await registered(page.request, 'Tess');
  const app = await registerApp(page, { name: 'Pocket', isPublic: false });
  await page.goto(authorizePath({ ...app, clientId: `test_${app.clientId}` }, 'openid nova'));
  await expect(page.getByRole('heading', { name: 'Sign in to Pocket as a made-up member' })).toBeVisible();
  await expect(page.getByText('Test mode', { exact: true })).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.getByRole('radio', { name: /Test Ben/ }).check();
  await page.getByRole('button', { name: 'Sign In to Test' }).click();
  const back = await comeBack(page);
  expect([back.get('state'), back.get('error')]).toEqual(['my state', null]);
  expect(back.get('code')).toMatch(/.{20}/);
  expect((await (await page.request.get('/api/auth/user')).json()).user.id).toBe(developer.id);
});
