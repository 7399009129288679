import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import {
  authorizationRequest,
  authorize,
  bearer,
  credentials,
  registerApplication,
  sendForm,
} from '../support/oauth.js';
import type { TestApplication } from '../support/oauth.js';

const HOSTILE = [
  '\u0000',
  'a\u0000b',
  '\uFFFF',
  '‮',
  '\r\nset-cookie: a=b',
  '%',
  "';--",
  '{}',
  '[]',
  'x'.repeat(5_000),
  '../..',
  '__proto__',
];

const CALLS = ['/oauth/token', '/oauth/userinfo', '/oauth/revoke', '/oauth/introspect'];

const PARAMETERS =
  'client_id redirect_uri response_type response_mode scope state nonce prompt max_age display login_hint id_token_hint acr_values code_challenge code_challenge_method claims request request_uri registration ui_locales resource dpop_jkt anything'.split(
    ' ',
  );

/** Every answer is a refusal, never a failure of ours. */
describe('hostile text at the OAuth provider', () => {
  let api: TestApi;
  let member: TestMember;
  let application: TestApplication;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '100' } });
    member = await api.member();
    application = await registerApplication(member);
  });
  afterAll(() => api?.close());

  const isNoFailure = ({ status, headers }: { status: number; headers: Headers }, what: string) => {
    if (status >= 500) throw new Error(`${what}: ${status}`);
    expect(headers.get('set-cookie') ?? '').not.toContain('a=b');
  };

  it.each(PARAMETERS)('in %s', async (name) => {
    for (const value of HOSTILE) {
      isNoFailure(await authorize(member.browser, authorizationRequest(application, { [name]: value })), value);
    }
  });

  it.each([
    'grant_type',
    'code',
    'refresh_token',
    'client_id',
    'client_secret',
    'code_verifier',
    'redirect_uri',
    'scope',
  ])('in the token call, as %s', async (name) => {
    for (const grant_type of ['authorization_code', 'refresh_token']) {
      for (const value of HOSTILE) {
        const fields = { grant_type, code: 'x', refresh_token: 'x', ...credentials(application), [name]: value };
        isNoFailure(await sendForm(api, '/oauth/token', fields), value);
      }
    }
  });

  it.each(['/oauth/revoke', '/oauth/introspect'])('in %s', async (path) => {
    for (const value of HOSTILE) {
      for (const name of ['token', 'token_type_hint', 'client_id']) {
        isNoFailure(await sendForm(api, path, { token: 'x', ...credentials(application), [name]: value }), value);
      }
    }
  });

  it.each(CALLS)('in a form of more than 16 kB, whether it says so or not: %s', async (path) => {
    const send = async (padding: number, isStreamed: boolean) => {
      const form = new URLSearchParams({ ...credentials(application), token: 'x'.repeat(padding) }).toString();
      const body = isStreamed ? new Blob([form]).stream() : form;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const init = { method: 'POST', body, headers, ...(isStreamed ? { duplex: 'half' } : {}) } as RequestInit;
      const response = await fetch(new URL(path, api.url), init);
      const { error, error_description: description } = JSON.parse((await response.text()) || '{}');
      return { status: response.status, error, isUnread: /larger|parse/.test(description ?? '') };
    };
    for (const isStreamed of [false, true]) {
      expect((await send(10_000, isStreamed)).isUnread).toBe(false);
      expect(await send(20_000, isStreamed)).toEqual({ status: 400, error: 'invalid_request', isUnread: true });
    }
  });

  it('in headers and addresses', async () => {
    for (const value of [
      '',
      'Bearer',
      'Basic',
      'Basic !',
      'Basic AA==',
      `Bearer ${'x'.repeat(5_000)}`,
      'Negotiate x',
    ]) {
      const headers = { authorization: value };
      isNoFailure(await api.browser().get('/oauth/userinfo', headers), value);
      isNoFailure(
        await sendForm(api, '/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' }, headers),
        value,
      );
    }
    const paths = [
      '/oauth/authorize/%00',
      '/oauth/authorize/x',
      '/oauth/authorize?client_id=%ff',
      '/oauth/authorize/%ff',
    ];
    for (const path of paths) isNoFailure(await member.browser.get(path), path);
    isNoFailure(await api.browser().get('/oauth/userinfo', bearer('\u00e4')), 'a token that is not ASCII');
  });

  it.each(HOSTILE)('in ids and fields of our own calls (%j)', async (value) => {
    const { browser } = member;
    const id = encodeURIComponent(value);
    const answers = [
      await browser.get(`/api/oauth/client-info/${id}`),
      await browser.send('PATCH', `/api/oauth/application/${id}`, { body: { name: 'x' } }),
      await browser.delete(`/api/oauth/application/${id}`),
      await browser.send('PATCH', `/api/oauth/consents/${id}`, { body: { dailyLimit: 1 } }),
      await browser.post('/api/oauth/revoke', { client_id: value }),
      await browser.post('/api/oauth/regenerate-secret', { clientId: value }),
      await browser.post('/api/oauth/register-app', { name: 'x', redirectUris: [`https://a.example/${value}`] }),
      await browser.post('/api/oauth/register-app', {
        name: value,
        description: value,
        logoUrl: `https://a.example/${value}`,
        applicationUrl: `https://a.example/?${value}`,
        redirectUris: ['https://a.example'],
      }),
      await browser.post('/api/oauth/consent', {
        client_id: application.clientId,
        redirect_uri: application.redirectUri,
        scopes: [value],
        state: value,
        approved: true,
      }),
      await browser.post('/api/oauth/consent', { client_id: value, redirect_uri: value, scopes: [], approved: false }),
    ];
    for (const [index, answer] of answers.entries()) isNoFailure(answer, `call ${index}`);
  });
});
