import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ApiError, errorSentence, isOutcomeUnknown } from './api-error';
import { addressOf, api } from './api';
import { apiFetch } from './api-fetch';
import { newIdempotencyKey } from './idempotency';
import { serverNowMs } from './server-clock';

type Fetch = typeof globalThis.fetch;

function answerWith(make: () => Response): jest.MockedFunction<Fetch> {
  const mock = jest.fn<Fetch>(() => Promise.resolve(make()));
  globalThis.fetch = mock;
  return mock;
}

const refusal = { statusCode: 400, code: 'INSUFFICIENT_NOVA', message: 'You have 10.00 Nova.', requestId: 'r1' };

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(
    () => new Error('answered'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

const timeOf = (key: string): number => Number.parseInt(key.replaceAll('-', '').slice(0, 12), 16);

const originalFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = originalFetch;
  jest.useRealTimers();
});

describe('apiFetch', () => {
  it('sends cookies, JSON and the key', async () => {
    const mock = answerWith(() => Response.json({ ok: true }));
    await apiFetch('/api/gifts/send', { method: 'POST', body: { amount: 1000 }, idempotencyKey: 'k' });
    const [path, init] = mock.mock.calls[0] ?? [];
    const headers = new Headers(init?.headers);
    expect(path).toBe('/api/gifts/send');
    expect(init?.credentials).toBe('include');
    expect(init?.body).toBe('{"amount":1000}');
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('idempotency-key')).toBe('k');
  });

  it('sends form data as it is', async () => {
    const mock = answerWith(() => Response.json({}));
    const form = new URLSearchParams({ payment_method: 'pm_card_visa' });
    await apiFetch('/x', { method: 'POST', body: form });
    const init = mock.mock.calls[0]?.[1];
    expect(init?.body).toBe(form);
    expect(new Headers(init?.headers).has('content-type')).toBe(false);
  });

  it('turns a refusal into an error: status, colon, text; and keeps the server’s sentence and code', async () => {
    answerWith(() => Response.json(refusal, { status: 400 }));
    const error = await failureOf(apiFetch('/x'));
    expect(error.message).toBe(`400: ${JSON.stringify(refusal)}`);
    expect(error.sentence).toBe('You have 10.00 Nova.');
    expect(error.code).toBe('INSUFFICIENT_NOVA');
    expect(error.body).toEqual(refusal);
    expect(errorSentence(error, 'fallback')).toBe('You have 10.00 Nova.');
    expect(isOutcomeUnknown(error)).toBe(false);
  });

  it('uses the status text of an empty answer and never shows it to people', async () => {
    answerWith(() => new Response('', { status: 500, statusText: 'Internal Server Error' }));
    const error = await failureOf(apiFetch('/x'));
    expect(error.message).toBe('500: Internal Server Error');
    expect(errorSentence(error, 'Failed to add Nova')).toBe('Failed to add Nova');
  });

  it('says that the outcome is unknown when no answer came', async () => {
    globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
    const error = await failureOf(apiFetch('/x', { method: 'POST' }));
    expect(error.status).toBe(0);
    expect(isOutcomeUnknown(error)).toBe(true);
  });

  it.each([
    [502, true],
    [503, true],
    [504, true],
    [500, false],
    [429, false],
  ])('takes the outcome after %d for unknown: %s', async (status, isUnknown) => {
    answerWith(() => new Response('', { status }));
    expect(isOutcomeUnknown(await failureOf(apiFetch('/x', { method: 'POST' })))).toBe(isUnknown);
  });

  it('takes the outcome for unknown when something in between answers in its own format', async () => {
    answerWith(() => new Response('<html>Sign in to the hotel</html>'));
    const error = await failureOf(apiFetch('/x', { method: 'POST' }));
    expect(error.message).toBe('0: Server returned invalid response format');
    expect(isOutcomeUnknown(error)).toBe(true);
  });

  it('says that nobody was reached rather than what the caller would say', async () => {
    globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
    const error = await failureOf(apiFetch('/x'));
    expect(errorSentence(error, 'Failed to add Nova')).toBe(
      'Nova could not be reached. Check your connection and try again.',
    );
  });

  it('joins the sentences of an answer that has several', async () => {
    answerWith(() => Response.json({ message: ['Too short.', 'Too plain.'] }, { status: 400 }));
    expect(errorSentence(await failureOf(apiFetch('/x')), 'fallback')).toBe('Too short. Too plain.');
  });

  it('is cancelled without an error of its own', async () => {
    const cancelled = new DOMException('The operation was aborted.', 'AbortError');
    globalThis.fetch = () => Promise.reject(cancelled);
    await expect(apiFetch('/x')).rejects.toBe(cancelled);
  });

  describe('whose answer never comes', () => {
    /** A server that never answers; records the timeout of each call. */
    function silence() {
      const given: { ms: number; over: () => void }[] = [];
      jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
        const clock = new AbortController();
        given.push({ ms, over: () => clock.abort(new DOMException('signal timed out', 'TimeoutError')) });
        return clock.signal;
      });
      const until = ({ signal }: RequestInit = {}) =>
        new Promise<never>((_, reject) => {
          if (signal?.aborted) reject(signal.reason);
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      globalThis.fetch = (_, init) => until(init);
      return { given, until };
    }
    afterEach(() => {
      jest.restoreAllMocks();
    });

    it('gives up: a reading sooner than a command, whose outcome is unknown then', async () => {
      const { given } = silence();
      const read = failureOf(apiFetch('/x'));
      const command = failureOf(apiFetch('/x', { method: 'POST', body: {} }));
      for (const { over } of given) over();
      for (const error of [await read, await command]) {
        expect(isOutcomeUnknown(error)).toBe(true);
        expect(error.sentence).toBe('Nova could not be reached. Check your connection and try again.');
      }
      expect(given.map(({ ms }) => ms)).toEqual([30_000, 60_000]);
    });

    it('gives up also where an answer stops half way', async () => {
      const { given, until } = silence();
      globalThis.fetch = (_, init) => {
        const pull = () => until(init);
        return Promise.resolve(new Response(new ReadableStream({ pull })));
      };
      const read = failureOf(apiFetch('/x'));
      given[0]?.over();
      expect((await read).status).toBe(0);
    });

    it('is cancelled by its caller as before', async () => {
      silence();
      const caller = new AbortController();
      const call = apiFetch('/x', { signal: caller.signal });
      caller.abort();
      await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    });

    it('waits as long as a file takes to be sent', async () => {
      const { given } = silence();
      void apiFetch('/x', { method: 'POST', body: new FormData() });
      expect(given).toEqual([]);
    });
  });

  it('lets the browser keep what is polled, and nothing else', async () => {
    const mock = answerWith(() => Response.json({}));
    await apiFetch('/x');
    await apiFetch('/x', { revalidate: true });
    expect(mock.mock.calls.map(([, init]) => init?.cache)).toEqual(['no-store', 'no-cache']);
  });

  it('answers undefined for an empty body', async () => {
    answerWith(() => new Response(null, { status: 204 }));
    await expect(apiFetch('/x')).resolves.toBeUndefined();
  });
});

describe('api', () => {
  it('fills in the path and the query, and leaves out what is empty', async () => {
    const mock = answerWith(() => Response.json({ users: [] }));
    const path = { id: 'a/b?' };
    await api.get('/api/admin/users', { query: { search: '', page: 2, sort: 'name', limit: undefined } });
    await api.delete('/api/content/{id}', { path });
    await api.post('/api/quests/{id}/claim', { path, idempotencyKey: 'k' });
    expect(mock.mock.calls.map(([address, init]) => [init?.method, address])).toEqual([
      ['GET', '/api/admin/users?page=2&sort=name'],
      ['DELETE', '/api/content/a%2Fb%3F'],
      ['POST', '/api/quests/a%2Fb%3F/claim'],
    ]);
    expect(mock.mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'))).toEqual([
      null,
      null,
      'k',
    ]);
    expect(addressOf('/api/admin/finance/trial-balance.csv', { query: {} })).toBe(
      '/api/admin/finance/trial-balance.csv',
    );
  });

  it('knows what each call takes and answers with', () => {
    answerWith(() => Response.json({ novaBalance: 1 }));
    // @ts-expect-error No call has this path.
    void api.get('/api/gifts/send');
    // @ts-expect-error The gift has no amount.
    void api.post('/api/gifts/send', { body: { recipientId: 'a' } });
    // @ts-expect-error Nothing would read the key.
    void api.post('/api/chats/{id}/accept', { path: { id: 'a' }, idempotencyKey: 'k' });
    // @ts-expect-error It is the same for everybody: no id is asked for.
    void api.get('/api/quests', { path: { id: 'a' } });
    void api.get('/api/nova/balance').then(({ novaBalance }) => novaBalance.toFixed(2));
  });
});

describe('idempotency keys', () => {
  it('follow the server’s clock although this device’s is an hour ahead', async () => {
    const serverMs = Date.UTC(2026, 0, 1);
    jest.useFakeTimers({ now: serverMs + 3_600_000, doNotFake: ['nextTick', 'queueMicrotask'] });
    answerWith(() => Response.json({}, { headers: { date: new Date(serverMs).toUTCString() } }));
    await apiFetch('/x');
    expect(Math.abs(serverNowMs() - serverMs)).toBeLessThan(1_000);
    const key = newIdempotencyKey();
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(Math.abs(timeOf(key) - serverMs)).toBeLessThan(1_000);
    expect(newIdempotencyKey()).not.toBe(key);
  });

  it.each([
    ['took too long', {}, 11_000],
    ['the browser kept', { revalidate: true }, 0],
  ])('learn nothing of the time from an answer that %s', async (_, request, tookMs) => {
    const now = Date.UTC(2026, 0, 1);
    jest.useFakeTimers({ now, doNotFake: ['nextTick', 'queueMicrotask'] });
    answerWith(() => Response.json({}, { headers: { date: new Date(now).toUTCString() } }));
    await apiFetch('/x');
    const before = serverNowMs() - Date.now();
    answerWith(() => {
      jest.setSystemTime(Date.now() + tookMs);
      return Response.json({}, { headers: { date: new Date(now - 3_600_000).toUTCString() } });
    });
    await apiFetch('/x', request);
    expect(serverNowMs() - Date.now()).toBe(before);
  });
});
