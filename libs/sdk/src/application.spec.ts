import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NovaApplication, type ApplicationOptions } from './application.js';
import { walletChange } from './wallet-change.js';

type Answer = readonly [status: number, body?: unknown, headers?: Record<string, string>] | 'hang up';

/** A server that gives these answers in turn, and keeps what it was asked. */
async function serverOf(answers: Answer[]) {
  const asked: (Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string; at: number })[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      const { method, url, headers } = request;
      asked.push({ method, url, headers, body, at: performance.now() });
      const answer = answers.shift() ?? [500];
      if (answer === 'hang up') return request.socket.destroy();
      const [status, content, more = {}] = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      if (content === undefined) response.end();
      else response.end(typeof content === 'string' ? content : JSON.stringify(content));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const application = (more: Partial<ApplicationOptions> = {}) =>
    new NovaApplication({ origin, clientId: 'chess', clientSecret: 's', ...more });
  return { asked, application, close: () => new Promise((resolve) => server.close(resolve)) };
}

const refused = (code: string, statusCode: number) => ({ statusCode, code, message: 'A sentence.', requestId: 'r-1' });

async function withAnswers(answers: Answer[], run: (served: Awaited<ReturnType<typeof serverOf>>) => Promise<void>) {
  const served = await serverOf(answers);
  try {
    await run(served);
  } finally {
    await served.close();
  }
}

describe('a command', () => {
  it('is repeated with the same key until it is answered', () =>
    withAnswers(
      [
        'hang up',
        [503, refused('OUTCOME_UNKNOWN', 503), { 'retry-after': '0' }],
        [429, refused('TOO_MANY_REQUESTS', 429), { 'retry-after': '1' }],
        [201, { amount: 25 }],
      ],
      async ({ application, asked }) => {
        expect(await application().member('t').spend({ amount: 25 })).toEqual({ amount: 25 });
        expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual(
          Array.from({ length: 4 }, () => ['POST', '/api/tokens/spend', '{"amount":25}']),
        );
        const keys = new Set(asked.map(({ headers }) => headers['idempotency-key']));
        expect([keys.size, [...keys][0]]).toEqual([1, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
        expect((asked[3]?.at ?? 0) - (asked[2]?.at ?? 0)).toBeGreaterThan(900);
      },
    ));

  it('has the caller’s key, and another for each call otherwise', () =>
    withAnswers(
      [
        [201, {}],
        [201, {}],
        [201, {}],
      ],
      async ({ application, asked }) => {
        const member = application().member('t');
        await member.earn({ amount: 1 }, { idempotencyKey: 'order-1' });
        for (const amount of [1, 2]) await member.earn({ amount });
        const keys = asked.map(({ headers }) => headers['idempotency-key']);
        expect([keys[0], new Set(keys).size]).toEqual(['order-1', 3]);
      },
    ));

  it('that is refused throws its code, and is not repeated', () =>
    withAnswers([[400, { ...refused('INSUFFICIENT_NOVA', 400), available: 3 }]], async ({ application, asked }) => {
      await expect(application().member('t').spend({ amount: 25 })).rejects.toMatchObject({
        name: 'NovaError',
        message: 'A sentence.',
        status: 400,
        code: 'INSUFFICIENT_NOVA',
        requestId: 'r-1',
        body: { available: 3 },
      });
      expect(asked).toHaveLength(1);
    }));

  it('waits no longer than it may', () =>
    withAnswers([[503, refused('JOURNAL_STOPPED', 503), { 'retry-after': '60' }]], async ({ application, asked }) => {
      await expect(application().member('t').spend({ amount: 1 })).rejects.toMatchObject({ retryAfterSeconds: 60 });
      expect(asked).toHaveLength(1);
    }));

  it('ends after its attempts, and when it is aborted', () =>
    withAnswers(Array<Answer>(10).fill('hang up'), async ({ application, asked }) => {
      await expect(application({ retries: 1 }).member('t').spend({ amount: 1 })).rejects.toThrow(
        'Nova gave no answer.',
      );
      expect(asked).toHaveLength(2);
      const signal = AbortSignal.timeout(50);
      await expect(application().member('t').balances({ signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    }));
});

it('does not repeat the exchange of a code, which works once', () =>
  withAnswers(
    ['hang up', [400, { error: 'invalid_grant', error_description: 'It is used.' }]],
    async ({ application, asked }) => {
      const exchange = () =>
        application().exchange({ code: 'c', redirectUri: 'https://a.example/', codeVerifier: 'v' });
      await expect(exchange()).rejects.toMatchObject({ name: 'NovaConnectionError' });
      await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant', message: 'It is used.', status: 400 });
      expect(asked).toHaveLength(2);
    },
  ));

it('takes what a browser brings back for the sign-in that began there, and for no other', () =>
  withAnswers([[200, { access_token: 't', scope: 'openid' }]], async ({ application, asked }) => {
    const nova = application();
    const { url, ...begun } = await nova.authorization({ redirectUri: 'https://a.example/', scopes: ['openid'] });
    expect(new URL(url).searchParams.get('state')).toBe(begun.state);
    const back = (fields: Record<string, string>, of: typeof begun | undefined = begun) =>
      nova.callback(new URLSearchParams({ state: begun.state, ...fields }), of);
    await expect(nova.callback(new URLSearchParams({ code: 'c' }), undefined)).rejects.toMatchObject({
      reason: 'state',
    });
    await expect(back({ code: 'c', state: 'other' })).rejects.toMatchObject({ reason: 'state' });
    const refusal = { error: 'access_denied', error_description: 'The member said no.' };
    await expect(back(refusal)).rejects.toMatchObject({
      name: 'SignInError',
      reason: 'access_denied',
      message: 'The member said no.',
    });
    await expect(back({})).rejects.toMatchObject({ reason: 'invalid_response' });
    expect(asked).toEqual([]);
    expect(await back({ code: 'c' })).toMatchObject({ access_token: 't' });
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toMatchObject({
      code: 'c',
      redirect_uri: 'https://a.example/',
      code_verifier: begun.codeVerifier,
    });
  }));

it('knows which way Nova goes, in the statement and in webhooks', () => {
  const types = ['spend', 'tokens.spent', 'earn', 'tokens.earned', 'spend_reversed', 'consent.granted'];
  expect(types.map((type) => walletChange({ type, amount: 5 }))).toEqual([5, 5, -5, -5, -5, 0]);
});

const token = (value: string, seconds = 3_600): Answer => [200, { access_token: value, expires_in: seconds }];

it('follows cursors as long as somebody reads', () =>
  withAnswers(
    [
      token('t-1'),
      [200, { entries: [{ id: 'a' }, { id: 'b' }], nextCursor: 'n 1' }],
      [200, { entries: [{ id: 'c' }], nextCursor: null }],
      [200, { entries: [{ id: 'a' }], nextCursor: 'n 1' }],
    ],
    async ({ application, asked }) => {
      const shop = application();
      const ids: string[] = [];
      for await (const { id } of shop.walletEntries({ pageSize: 2 })) ids.push(id);
      expect(ids).toEqual(['a', 'b', 'c']);
      for await (const { id } of shop.walletEntries()) {
        expect(id).toBe('a');
        break;
      }
      expect(asked.map(({ url }) => url)).toEqual([
        '/oauth/token',
        '/api/tokens/wallet/statement?limit=2',
        '/api/tokens/wallet/statement?cursor=n+1&limit=2',
        '/api/tokens/wallet/statement',
      ]);
    },
  ));

describe('a token of its own', () => {
  it('is fetched once for many calls, also after no answer came', () =>
    withAnswers(
      ['hang up', token('t-1'), ...Array.from({ length: 3 }, (): Answer => [200, { balance: 1 }])],
      async ({ application, asked }) => {
        const shop = application();
        await Promise.all([shop.wallet(), shop.wallet(), shop.wallet()]);
        expect(asked.map(({ url }) => url)).toEqual([
          ...Array<string>(2).fill('/oauth/token'),
          ...Array<string>(3).fill('/api/tokens/wallet'),
        ]);
        expect(asked[1]?.body).toBe('grant_type=client_credentials&client_id=chess&client_secret=s');
        expect(asked.slice(2).map(({ headers }) => headers.authorization)).toEqual(Array<string>(3).fill('Bearer t-1'));
      },
    ));

  it('is renewed once before it ends', () =>
    withAnswers(
      [token('t-1', 0.2), [200, {}], token('t-2'), ...Array.from({ length: 3 }, (): Answer => [200, {}])],
      async ({ application, asked }) => {
        const shop = application();
        await shop.wallet();
        await new Promise((resolve) => setTimeout(resolve, 150));
        await Promise.all([shop.wallet(), shop.wallet(), shop.wallet()]);
        expect(asked.map(({ headers }) => headers.authorization)).toEqual([
          undefined,
          'Bearer t-1',
          undefined,
          ...Array<string>(3).fill('Bearer t-2'),
        ]);
      },
    ));

  it('is fetched anew when it is no longer taken, and the same payment is sent again with its key', () =>
    withAnswers(
      [token('t-1'), [401, refused('INVALID_TOKEN', 401)], token('t-2'), [201, { total: 1 }]],
      async ({ application, asked }) => {
        expect(await application().earnInBulk([{ userId: 'u', amount: 1 }])).toEqual({ total: 1 });
        expect(asked.map(({ headers }) => headers.authorization)).toEqual([
          undefined,
          'Bearer t-1',
          undefined,
          'Bearer t-2',
        ]);
        expect(asked[3]?.headers['idempotency-key']).toBe(asked[1]?.headers['idempotency-key']);
      },
    ));

  it('that is refused is asked for again by the next call alone', () =>
    withAnswers(
      [
        [401, { error: 'invalid_client' }],
        token('t-1'),
        [401, refused('INVALID_TOKEN', 401)],
        token('t-2'),
        [401, refused('INVALID_TOKEN', 401)],
      ],
      async ({ application, asked }) => {
        const shop = application();
        await expect(shop.wallet()).rejects.toMatchObject({ code: 'invalid_client' });
        expect(asked).toHaveLength(1);
        await expect(shop.wallet()).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
        expect(asked).toHaveLength(5);
      },
    ));
});

it('takes no page for an answer', () =>
  withAnswers([[200, '<html>']], async ({ application }) => {
    await expect(application({ retries: 0 }).member('t').balances()).rejects.toThrow('The answer is not JSON');
  }));
