import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { asAppError } from '../../apps/api/src/platform/errors/error-body.js';
import { callsOf } from '../fuzz/openapi.js';
import { registrationBody, startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { signInAdmin } from '../support/money.js';
import { IS_ONES_DEED } from '../support/own-events.js';

/** The head of a request whose rest follows. */
const HEAD = 'POST /api/auth/signin HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('what every call has in common', () => {
  let api: TestApi;
  let admin: TestMember;
  let clientFolder: string;
  let logged = '';
  beforeAll(async () => {
    clientFolder = mkdtempSync(path.join(tmpdir(), 'nova-client-'));
    mkdirSync(path.join(clientFolder, 'assets'));
    writeFileSync(path.join(clientFolder, 'index.html'), '<!doctype html><title>Nova</title>');
    writeFileSync(path.join(clientFolder, 'assets', 'index-abc123.js'), 'export {};');
    writeFileSync(path.join(clientFolder, 'index.html.br'), brotliCompressSync('<!doctype html><title>Nova</title>'));
    writeFileSync(path.join(clientFolder, 'assets', 'index-abc123.js.br'), brotliCompressSync('export {};'));
    writeFileSync(path.join(clientFolder, 'landing.mp4'), Buffer.alloc(1000, 7));
    mkdirSync(path.join(clientFolder, '.git'));
    writeFileSync(path.join(clientFolder, '.git', 'config'), '[core]');
    ({ api, admin } = await signInAdmin(startTestApi, {
      clientFolder,
      environment: {
        RATE_LIMIT_FACTOR: '10',
        PUBLIC_URL: 'https://nova.example',
        ADMIN_PASSKEYS: 'false',
        LOG_LEVEL: 'error',
      },
      logTo: { write: (line) => (logged += line) },
    }));
  });
  afterAll(async () => {
    await api?.close();
    rmSync(clientFolder, { recursive: true, force: true });
  });

  const accounts = async (): Promise<number> =>
    Number((await api.database.pool.query('select count(*) from accounts')).rows[0].count);
  const register = (headers: Record<string, string>, body: unknown = registrationBody()) =>
    api.browser().send('POST', '/api/auth/register', { headers, body });

  describe('bad requests', () => {
    it.each([
      ['broken JSON', '{"displayName": "A', {}, 400, 'INVALID_JSON'],
      [
        'JSON nested a hundred thousand deep',
        `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
        {},
        413,
        'BODY_TOO_LARGE',
      ],
      ['JSON nested as deep as 16 kB allow', `${'{"a":'.repeat(2_700)}1${'}'.repeat(2_700)}`, {}, 400, 'INVALID_JSON'],
      ['lists nested as deep as 16 kB allow', `${'['.repeat(8_000)}${']'.repeat(8_000)}`, {}, 400, 'INVALID_JSON'],
      ['a body over 16 kB', JSON.stringify({ displayName: 'x'.repeat(16_384) }), {}, 413, 'BODY_TOO_LARGE'],
      ['a body over 1 MB', JSON.stringify({ displayName: 'x'.repeat(1_048_577) }), {}, 413, 'BODY_TOO_LARGE'],
      [
        'another content type',
        'displayName=Ada',
        { 'content-type': 'application/x-www-form-urlencoded' },
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      [
        'text that could be JSON',
        JSON.stringify(registrationBody()),
        { 'content-type': 'text/plain' },
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
    ])('%s', async (_, body, headers, status, code) => {
      const before = await accounts();
      const answer = await register(headers, body);
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual(refusal(status, code));
      expect(await accounts()).toBe(before);
    });

    it.each([
      ['GET', '/api/nothing/here'],
      ['GET', '/api'],
      ['GET', '/API/nothing/here'],
      ['GET', '/api//nothing'],
      ['GET', '//api/nothing'],
      ['GET', '/x/../api/nothing'],
      ['GET', '/%61pi/nothing'],
      ['GET', '/api%2Fnothing'],
      ['GET', '/Health/nothing'],
      ['POST', '/sandbox/nothing'],
      ['GET', '/assets/absent.js'],
      ['GET', '/absent.png'],
      ['GET', '/.git/config'],
    ])('%s %s is not there', async (method, target) => {
      const answer = await raw(api.url, `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 404 /);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(refusal(404, 'NOT_FOUND'));
    });

    it.each([
      ['POST', '/api/auth/user', 'GET, HEAD'],
      ['PUT', '/api/auth/register', 'POST'],
      ['GET', '/api/oauth/application/some-id', 'DELETE, PATCH'],
      ['DELETE', '/oauth/userinfo', 'GET, HEAD, OPTIONS, POST'],
      ['GET', '/oauth/token', 'OPTIONS, POST'],
    ])('%s %s has other methods', async (method, target, allow) => {
      const answer = await api.browser().send(method, target);
      expect(answer).toMatchObject({ status: 405, body: refusal(405, 'METHOD_NOT_ALLOWED') });
      expect(answer.headers.get('allow')).toBe(allow);
    });

    it('as problem details where the caller asks for them, with the same fields', async () => {
      const type = async (accept: string) => {
        const answer = await api.browser().get('/api/auth/user', { accept });
        expect(answer.body).toEqual(refusal(401, 'UNAUTHENTICATED'));
        return answer.headers.get('content-type');
      };
      expect(await type('application/problem+json, application/json;q=0.9')).toBe(
        'application/problem+json; charset=utf-8',
      );
      for (const accept of ['application/json', '*/*', 'application/problem+jsonx']) {
        expect(await type(accept)).toBe('application/json; charset=utf-8');
      }
    });

    it('a character that no text can have, wherever the database meets it', async () => {
      const refused = await api.database.pool.query('select $1::text', ['\0']).catch(asAppError);
      expect(refused).toMatchObject({ statusCode: 400, code: 'BAD_REQUEST' });
    });

    it('a malformed path', async () => {
      expect(await rawGet(api.url, '/api/%zz')).toMatch(/^HTTP\/1.1 400 .*"code":"BAD_ADDRESS"/s);
      expect(await rawGet(api.url, '/..%2f..%2fetc%2fpasswd')).not.toMatch(/root:/);
      expect(await rawGet(api.url, '/%00')).toMatch(/^HTTP\/1.1 40\d/);
      expect(await rawGet(api.url, '//')).toMatch(/^HTTP\/1.1 (200|404)/);
    });

    it.each([
      ['a line that is no request', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
      ['headers that are too large', `${HEAD}Cookie: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
      ['a body in broken pieces', `${HEAD}Transfer-Encoding: chunked\r\n\r\nx\r\n`, 400, 'BAD_REQUEST'],
    ])('%s, which Node cannot read', async (_, text, status, code) => {
      const [head = '', body = ''] = (await raw(api.url, text)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).toContain('content-type: application/json; charset=utf-8');
      expect(head).toContain('x-content-type-options: nosniff');
      expect(head).toContain('connection: close');
      expect(JSON.parse(body)).toEqual(refusal(status, code));
    });

    it('what is no request, sent behind one that is: that one is answered, with nothing else', async () => {
      const answers = await raw(api.url, 'GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\nhello\r\n\r\n');
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
      expect(answers).toContain('"status":"ready"');
    });

    it('answers an unforeseen error without telling anything of it, and logs it with its stack', async () => {
      await api.database.pool.query('alter table accounts rename column tc_version to gone');
      try {
        const answer = await register({});
        expect(answer).toMatchObject({ status: 500, body: { statusCode: 500, code: 'INTERNAL_ERROR' } });
        expect(JSON.stringify(answer.body)).not.toMatch(/column|relation|gone|tc_version/);
        const line = logged.split('\n').find((text) => text.includes('unforeseen error'));
        expect(JSON.parse(line ?? '{}')).toMatchObject({
          err: { message: expect.stringContaining('tc_version'), stack: expect.stringMatching(/\n +at /) },
        });
      } finally {
        await api.database.pool.query('alter table accounts rename column gone to tc_version');
      }
    });
  });

  describe('an address in another form is the same address', () => {
    /** Headers that differ from answer to answer. */
    const OWN = new Set(['ratelimit', 'x-request-id', 'date', 'keep-alive', 'content-length', 'etag']);
    const answerTo = async (method: string, target: string, lines: readonly string[], body: string) => {
      const head = [
        `${method} ${target} HTTP/1.1`,
        'Host: x',
        'Connection: close',
        ...lines,
        `Content-Length: ${body.length}`,
      ];
      const [top = '', ...rest] = (await raw(api.url, [...head, '', body].join('\r\n'))).split('\r\n\r\n');
      const [status, ...headers] = top.split('\r\n');
      const kept = headers.filter((line) => !OWN.has(line.split(':')[0]?.toLowerCase() ?? ''));
      return [status, kept.toSorted(), /"code":"\w+"/.exec(rest.join(''))?.[0]];
    };

    it.each([
      ['GET', '/api/auth/user', [], ''],
      ['GET', '/api/tokens/balance', ['Origin: https://app.example'], ''],
      ['OPTIONS', '/api/tokens/spend', ['Origin: https://app.example'], ''],
      ['POST', '/api/webhooks/stripe', ['Origin: https://evil.example', 'Content-Type: application/json'], '{"a":'],
      ['POST', '/api/auth/signin', ['Origin: https://evil.example', 'Content-Type: application/json'], '{}'],
      ['POST', '/oauth/token', ['Content-Type: application/x-www-form-urlencoded'], 'grant_type=none'],
      ['GET', '/oauth/authorize?client_id=none', [], ''],
      ['PUT', '/objects/uploads/none', ['Content-Type: image/png'], 'x'],
      ['POST', '/api/profile/thumbnail', ['Content-Type: multipart/form-data; boundary=x'], '--x--'],
      ['GET', '/ws', [], ''],
      ['GET', '/health/nothing', [], ''],
      ['GET', '/metrics/nothing', [], ''],
    ] as const)('%s %s', async (method, target, lines, body) => {
      const plain = await answerTo(method, target, lines, body);
      const encoded = target.replace(/^\/(\w)/, (_, first: string) => `/%${first.charCodeAt(0).toString(16)}`);
      expect(encoded).not.toBe(target);
      expect(await answerTo(method, encoded, lines, body)).toEqual(plain);
      expect(await answerTo(method, `http://nova.example${target}`, lines, body)).toEqual(plain);
    });
  });

  describe('requests from other sites', () => {
    it.each([
      ['a foreign Origin', { origin: 'https://evil.example' }],
      ['an opaque Origin', { origin: 'null' }],
      ['our name in their name', { origin: 'https://nova.example.evil.example' }],
      ['another scheme of our host', { origin: 'http://nova.example' }],
      ['no Origin, from another site', { 'sec-fetch-site': 'cross-site' }],
      ['no Origin, from another subdomain', { 'sec-fetch-site': 'same-site' }],
    ])('refuses %s', async (_, headers) => {
      const before = await accounts();
      expect(await register(headers)).toMatchObject({ status: 403, body: { statusCode: 403, code: 'FOREIGN_ORIGIN' } });
      expect(await accounts()).toBe(before);
    });

    it.each([
      ['our public address', { origin: 'https://nova.example', 'sec-fetch-site': 'same-origin' }],
      ['a program', {}],
    ])('takes %s', async (_, headers) => {
      expect((await register(headers)).status).toBe(201);
    });

    it('takes the address that the browser reached us at', async () => {
      expect((await register({ origin: new URL(api.url).origin })).status).toBe(201);
    });

    it('lets reads be', async () => {
      expect((await api.browser().get('/api/auth/user', { origin: 'https://evil.example' })).status).toBe(401);
    });

    it('finds nothing to change by a read', async () => {
      // When a session was last used is noted by reads as well, once in a while.
      const state = async (): Promise<unknown> =>
        (
          await api.database.pool.query(
            `select (select count(*) from journal.events where ${IS_ONES_DEED}) as events,
               (select json_agg(accounts order by id) from accounts) as accounts,
               (select json_agg(to_jsonb(sessions) - 'last_used_at' order by token_hash) from sessions) as sessions`,
          )
        ).rows[0];
      const { body: document } = await api.browser().get('/api/openapi.json');
      const reads = callsOf(document).filter(({ method }) => method === 'GET');
      const before = await state();
      const answers = await Promise.all(
        reads.map(({ path: target }) => admin.browser.get(target.replaceAll(/\{\w+\}/g, admin.id))),
      );
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(reads.length / 2);
      expect(await state()).toEqual(before);
    });
  });

  it('says what is left of a limit', async () => {
    const left = async (method: string, target: string, browser = api.browser()) => {
      const { headers } = await browser.send(method, target);
      const [, name, count] = /^"(\w+)";q=(\d+);w=\d+$/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
      const [, same, remaining] = /^"(\w+)";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? [];
      expect([same, Number(remaining)]).toEqual([name, expect.any(Number)]);
      return { name, count: Number(count), remaining: Number(remaining) };
    };
    const first = await left('GET', '/api/auth/user');
    const second = await left('GET', '/api/auth/user');
    expect(second).toEqual({ ...first, name: 'visitorCalls', remaining: first.remaining - 1 });
    const { browser } = await api.member();
    expect(await left('POST', '/api/gifts/send', browser)).toMatchObject({ name: 'memberCommands' });
    expect(await left('POST', '/oauth/introspect')).toMatchObject({ name: 'oauthRequests' });
  });

  it('gives no request longer to arrive than the longest transfer of a file', () => {
    expect(api.nova.app.getHttpServer().requestTimeout).toBe(30 * 60_000);
  });

  it('has a request id of its own for each call, whatever the caller or a proxy says', async () => {
    const ours = new Set<string | null>();
    for (const given of ['trace-17', '<script>', '7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11']) {
      const headers = {
        'x-request-id': given,
        'x-correlation-id': given,
        'request-id': given,
        'x-forwarded-for': '10.0.0.1',
      };
      const answer = await api.browser().get('/api/auth/user', headers);
      expect(answer.headers.get('x-request-id')).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(answer.headers.get('x-request-id')).not.toBe(given);
      expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
      ours.add(answer.headers.get('x-request-id'));
    }
    expect(ours.size).toBe(3);
  });

  it.each([
    ['GET', '/'],
    ['GET', '/assets/index-abc123.js'],
    ['GET', '/absent.png'],
    ['GET', '/api/docs'],
    ['GET', '/api/%zz'],
    ['GET', '/api/auth/user'],
    ['POST', '/api/auth/register'],
    ['GET', '/ws/?EIO=4&transport=polling'],
  ])('sends security headers with %s %s', async (method, target) => {
    const { headers } = await api.browser().send(method, target);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("img-src 'self' data: blob:");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('stripe');
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  });

  it('sends cookies for https only', async () => {
    const answer = await register({});
    expect(answer.headers.getSetCookie()).not.toEqual([]);
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toContain('; Secure');
  });

  describe('health', () => {
    it('is live and ready', async () => {
      expect(await api.browser().get('/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
      const ready = await api.browser().get('/health/ready');
      expect(ready).toMatchObject({
        status: 200,
        body: {
          status: 'ready',
          checks: { database: { ok: true }, eventStore: { ok: true }, projections: { ok: true } },
        },
      });
    });

    it('counts answers by route', async () => {
      await api.browser().get('/api/auth/user');
      const { body } = await api.browser().get('/metrics');
      expect(body).toMatch(
        /nova_http_request_seconds_count\{method="GET",route="\/api\/auth\/user",status="401"\} \d+/,
      );
      expect(body).toMatch(/nova_projection_lag_events\{model="balances"\} 0/);
    });
  });

  describe('the client', () => {
    it.each(['/', '/wallet', '/chat/0190-x', '/index.html'])('opens at %s and is asked for anew', async (target) => {
      const answer = await api.browser().get(target);
      expect(answer.status).toBe(200);
      expect(answer.body).toContain('<title>Nova</title>');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    });

    it('opens at paths that no file could have', async () => {
      for (const target of [`/${'a'.repeat(300)}`, `/${'a/'.repeat(3_000)}`]) {
        expect((await api.browser().get(target)).status).toBe(200);
      }
    });

    it('lists no folder', async () => {
      expect((await api.browser().get('/assets/')).body).not.toContain('index-abc123.js');
    });

    it('keeps hashed assets for ever', async () => {
      const answer = await api.browser().get('/assets/index-abc123.js');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toMatch(/javascript/);
    });

    it('sends compressed twins to whoever reads them', async () => {
      for (const [file, text] of [
        ['/', '<!doctype html><title>Nova</title>'],
        ['/assets/index-abc123.js', 'export {};'],
      ] as const) {
        const plain = await fetch(new URL(file, api.url), { headers: { 'accept-encoding': 'identity' } });
        const packed = await fetch(new URL(file, api.url), { headers: { 'accept-encoding': 'br' } });
        expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([null, 'br']);
        expect([await plain.text(), await packed.text()]).toEqual([text, text]);
        expect(packed.headers.get('vary')).toMatch(/accept-encoding/i);
        expect(packed.headers.get('content-type')).toBe(plain.headers.get('content-type'));
        expect(packed.headers.get('cache-control')).toBe(plain.headers.get('cache-control'));
      }
    });

    it('serves parts of the video', async () => {
      const answer = await api.browser().get('/landing.mp4', { range: 'bytes=0-99' });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe('bytes 0-99/1000');
    });
  });

  it('describes itself', async () => {
    const document = await api.browser().get('/api/openapi.json');
    expect(document.body).toMatchObject({ openapi: expect.stringMatching(/^3/), info: { title: 'Nova' } });
    expect((await api.browser().get('/api/docs')).body).toContain('swagger-ui');
    const short = await api.browser().get('/llms.txt');
    expect(short.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(short.body).toMatch(/^# Nova API\n/);
    expect(short.body).toContain('- `POST /api/tokens/earn/bulk` (earnTokensInBulk): Pay many members');
    expect(short.body).not.toContain('/api/admin');
  });
});

/** Everything that a refusal says: our fields, and those of problem details. */
const refusal = (status: number, code: string) => ({
  statusCode: status,
  code,
  message: expect.stringMatching(/^[A-Z].*\.$/),
  requestId: expect.any(String),
  type: `urn:nova:error:${code}`,
  title: expect.stringMatching(/^[A-Z][a-z ]+$/),
  status,
  detail: expect.stringMatching(/^[A-Z].*\.$/),
  instance: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
});

/** Sends a request unchanged: clients normalise paths before they send them. */
const rawGet = (url: string, target: string): Promise<string> =>
  raw(url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

/** Everything that the server sends until it ends the connection. */
function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (data) => (answer += data.toString()));
    socket.once('end', () => resolve(answer));
    socket.once('error', reject);
  });
}
