import { setTimeout as sleep } from 'node:timers/promises';
import { parseSetCookie, stringifyCookie } from 'cookie';

/** How often a call is repeated that the server deferred, and the longest wait. */
const TRIES_MAX = 20;
const WAIT_SECONDS_MAX = 30;

/** The server refused a call. */
export class Refused extends Error {
  constructor(call, { status, code, message }) {
    super(`${call}: ${status} ${code ?? ''} ${message ?? ''}`);
    this.status = status;
    this.code = code;
  }
}

/** A browser of one member. `word` exempts it from rate limits; `cookies` are those of an earlier run. */
export class Client {
  #url;
  #word;
  #cookies;

  constructor({ url, word, cookies = {} }) {
    this.#url = url;
    this.#word = word;
    this.#cookies = new Map(Object.entries(cookies));
  }

  get cookies() {
    return Object.fromEntries(this.#cookies);
  }

  get = (path) => this.send('GET', path);
  post = (path, body, key) => this.send('POST', path, { body, key });

  /**
   * Makes one call. Repeats it while the server says that it did nothing and when to try again.
   * @param {string} path or the whole address that a ticket for a file names: it is asked for at our own server
   * @param {{ body?: unknown, key?: string, type?: string }} [options] `body`: sent as JSON, unless it has a `type` or
   * is a form; `key`: the `Idempotency-Key`, so that the call takes effect once, whoever repeats it
   * @throws Refused the server refused the call
   */
  async send(method, path, { body, key, type } = {}) {
    const given = new URL(path, this.#url);
    const address = new URL(given.pathname + given.search, this.#url);
    const isForm = body instanceof FormData;
    const isPlain = body === undefined || isForm || type !== undefined;
    const headers = { 'user-agent': 'Nova demo', 'x-demo-word': this.#word, cookie: this.#cookieHeader() };
    if (key !== undefined) headers['idempotency-key'] = key;
    if (!isPlain || type) headers['content-type'] = type ?? 'application/json';
    const request = { method, headers, body: isPlain ? body : JSON.stringify(body) };
    for (let tries = 1; ; tries++) {
      const answer = await fetch(address, request);
      this.#keepCookies(answer.headers.getSetCookie());
      const text = await answer.text();
      if (answer.ok) return text === '' ? undefined : JSON.parse(text);
      const waitSeconds = Number(answer.headers.get('retry-after'));
      if (!(waitSeconds > 0 && waitSeconds <= WAIT_SECONDS_MAX) || tries === TRIES_MAX) {
        throw new Refused(`${method} ${address.pathname}`, { status: answer.status, ...readError(text) });
      }
      await sleep(waitSeconds * 1_000);
    }
  }

  #cookieHeader() {
    return stringifyCookie(this.cookies, { encode: (value) => value });
  }

  #keepCookies(lines) {
    for (const line of lines) {
      const { name, value, maxAge } = parseSetCookie(line, { decode: (text) => text });
      if (!value || maxAge === 0) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}

function readError(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 200) };
  }
}
