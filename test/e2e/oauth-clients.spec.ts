import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { acceptCookies, expect, expectGoodAtEverySize, registered, signInHere, someoneElse, test } from './nova.js';

const PACKAGES = path.resolve(import.meta.dirname, '../../node_modules');
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/** The origin of an application: another site than the product's, which runs at 127.0.0.1. */
interface Site {
  readonly origin: string;
  readonly server: Server;
}

/** Serves these pages, and the files of a package beside them. */
async function serve(pages: Readonly<Record<string, string>>, folder: string): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = path.join(PACKAGES, folder, path.basename(pathname));
    const text = pages[pathname] ?? (existsSync(file) && pathname !== '/' ? readFileSync(file, 'utf8') : undefined);
    if (text === undefined) return response.writeHead(404).end();
    const type = TYPES[path.extname(pathname)] ?? 'text/html';
    return response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

/** A public application of somebody else's that comes back to this address. */
async function publicApplication(browser: Browser, redirectUri: string, given: object = {}) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await registered(page.request, 'Grace');
  const answer = await page.request.post('/api/oauth/register-app', {
    data: { name: 'Pocket', redirectUris: [redirectUri], isPublic: true, ...given },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const { clientId } = await answer.json();
  await context.close();
  return { clientId: String(clientId), issuer: new URL(answer.url()).origin };
}

/** The window that opens meanwhile. */
async function popupOf(page: Page, open: () => Promise<unknown>): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await open();
  return opened;
}

const OIDC_PAGE = `<!doctype html><title>Pocket</title><script src="/oidc-client-ts.min.js"></script>
<button>Sign in</button><p role="status"></p>
<script>
  const opened = window.open;
  window.open = (...given) => (window.popup = opened.apply(window, given));
  const settings = new URLSearchParams(location.search);
  const manager = new oidc.UserManager({
    authority: settings.get('issuer'), client_id: settings.get('client'), scope: 'openid profile',
    redirect_uri: location.origin + '/callback', popup_redirect_uri: location.origin + '/callback', loadUserInfo: true,
  });
  const say = (text) => (document.querySelector('p').textContent = text);
  const signIn = () => manager.signinPopup().then(({ profile, scope }) => say(profile.name + ' ' + scope), (error) => say('Refused: ' + error.message));
  document.querySelector('button').addEventListener('click', signIn);
</script>`;
const OIDC_CALLBACK = `<!doctype html><title>Back</title><script src="/oidc-client-ts.min.js"></script>
<script>new oidc.UserManager({ authority: 'https://unused.example', client_id: 'unused', redirect_uri: location.href }).signinPopupCallback();</script>`;

test('oidc-client-ts signs a visitor in, in a window that its opener sees to the end', async ({ page, browser }) => {
  const { origin, server } = await serve({ '/': OIDC_PAGE, '/callback': OIDC_CALLBACK }, 'oidc-client-ts/dist/browser');
  const ada = await someoneElse(browser, 'Ada');
  const { clientId, issuer } = await publicApplication(browser, `${origin}/callback`);
  const isClosed = () => page.evaluate(() => (window as unknown as { popup: Window }).popup.closed);
  await page.goto(`${origin}/?${new URLSearchParams({ issuer, client: clientId })}`);
  const popup = await popupOf(page, () => page.getByRole('button').click());
  await acceptCookies(popup);
  await popup.waitForURL(/\/oauth\/consent\?/);
  expect(await isClosed()).toBe(false);
  await signInHere(popup, ada);
  await expect(popup.getByRole('heading', { level: 1 })).toHaveText('Pocket wants to access your Nova account');
  expect(await isClosed()).toBe(false);
  expect(await popup.evaluate(() => window.opener !== null)).toBe(true);
  await popup.getByRole('checkbox', { name: 'Profile Information' }).click();
  await popup.getByRole('button', { name: 'Authorize Application' }).click();
  await expect(page.getByRole('status')).toHaveText('Ada openid profile');

  // A refusal arrives as well.
  const again = await popupOf(page, () => page.getByRole('button').click());
  await again.getByRole('button', { name: 'Deny Access' }).click();
  await expect(page.getByRole('status')).toHaveText('Refused: The member denied access.');
  server.close();
});

const SWAGGER_PAGE = (issuer: string, clientId: string) => `<!doctype html><title>API</title>
<link rel="stylesheet" href="/swagger-ui.css"><div id="ui"></div>
<script src="/swagger-ui-bundle.js"></script>
<script>
  const flow = { authorizationUrl: '${issuer}/oauth/authorize', tokenUrl: '${issuer}/oauth/token', scopes: { openid: 'Who you are', karma: 'Karma' } };
  const ui = SwaggerUIBundle({ dom_id: '#ui', oauth2RedirectUrl: location.origin + '/oauth2-redirect.html', spec: {
    openapi: '3.0.3', info: { title: 'Pocket', version: '1' }, servers: [{ url: '${issuer}' }],
    paths: { '/oauth/userinfo': { get: { security: [{ nova: ['openid'] }], responses: { 200: { description: 'Who' } } } } },
    components: { securitySchemes: { nova: { type: 'oauth2', flows: { authorizationCode: flow } } } } } });
  ui.initOAuth({ clientId: '${clientId}', scopes: 'openid karma', usePkceWithAuthorizationCodeGrant: true });
</script>`;

test('Swagger UI signs in by its own page for coming back', async ({ page, browser }) => {
  const pages: Record<string, string> = {};
  const { origin, server } = await serve(pages, 'swagger-ui-dist');
  const { clientId, issuer } = await publicApplication(browser, `${origin}/oauth2-redirect.html`, {
    scopes: ['openid', 'karma'],
  });
  pages['/'] = SWAGGER_PAGE(issuer, clientId);
  await registered(page.request, 'Ada');
  await page.goto(origin);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.dialog-ux');
  const popup = await popupOf(page, () =>
    dialog.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
  );
  await acceptCookies(popup);
  await popup.getByRole('button', { name: 'Authorize Application' }).click();
  await expect(dialog.getByRole('button', { name: 'Remove authorization' })).toBeVisible();
  server.close();
});

test('a device is connected by its code, on any screen', async ({ page, browser }) => {
  await acceptCookies(page);
  const { clientId, issuer } = await publicApplication(browser, 'https://app.example/back', { deviceFlow: true });
  const ada = await someoneElse(browser, 'Ada');
  const begin = async () => {
    const form = { client_id: clientId, scope: 'openid profile email' };
    return (await page.request.post(`${issuer}/oauth/device_authorization`, { form })).json();
  };
  const poll = async (code: string) => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const form = { grant_type, client_id: clientId, device_code: code };
    return (await page.request.post(`${issuer}/oauth/token`, { form })).json();
  };
  const begun = await begin();
  // Whoever scans the device's picture signs in first.
  await page.goto(begun.verification_uri_complete);
  await signInHere(page, ada);
  const code = page.getByLabel('Code on the device');
  await expect(code).toHaveValue(begun.user_code);
  await expectGoodAtEverySize(page);
  await code.fill('bcdf ghjk');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toHaveText(/No device shows this code/);
  await expectGoodAtEverySize(page);
  await code.fill(begun.user_code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pocket wants to sign in on a device');
  await expect(page.getByText(begun.user_code)).toBeVisible();
  await expectGoodAtEverySize(page);
  await page.getByRole('checkbox', { name: 'Profile Information' }).click();
  await page.getByRole('button', { name: 'Connect Device' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Device Connected');
  await expectGoodAtEverySize(page);
  expect((await poll(begun.device_code)).scope).toBe('openid profile');

  const second = await begin();
  await page.goto('/device');
  await code.fill(second.user_code);
  await code.press('Enter');
  await page.getByRole('button', { name: 'Deny Access' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  expect((await poll(second.device_code)).error).toBe('access_denied');
});
