import { v7 as uuidv7 } from 'uuid';
import { GOOD_PASSWORD, GOOD_PIN } from '../support/secrets.js';

const REQUEST_TIMEOUT_MS = 20_000;

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

export interface SentGift {
  readonly gift: { readonly id: string; readonly amount: number; readonly recipientId: string };
  readonly eventId: string;
}

export interface GiftPage {
  readonly gifts: readonly { id: string; senderId: string; recipientId: string; amount: number }[];
  readonly nextCursor: string | null;
}

/** One signed-in member, reached over HTTP. */
export class Member {
  readonly #url: string;
  readonly #cookie: string;
  readonly id: string;
  readonly email: string;

  private constructor(url: string, cookie: string, id: string, email: string) {
    this.#url = url;
    this.#cookie = cookie;
    this.id = id;
    this.email = email;
  }

  static async register(url: string, name: string): Promise<Member> {
    const email = `${name.toLowerCase()}@crash.test`;
    const answer = await fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        displayName: name,
        email,
        password: GOOD_PASSWORD,
        pin: GOOD_PIN,
        tcConsent: true,
        tcVersion: '1.0',
      }),
    });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(`registering ${name}: ${answer.status} ${text}`);
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const { user } = JSON.parse(text) as { user: { id: string } };
    return new Member(url, cookie, user.id, email);
  }

  /** @throws whatever fetch throws when the answer never came: then nobody knows the outcome. */
  async call<T>(method: string, path: string, options: { body?: unknown; key?: string } = {}): Promise<Answer<T>> {
    const { body, key } = options;
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        cookie: this.#cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await answer.text();
    return { status: answer.status, body: JSON.parse(text) as T };
  }

  sendGift(gift: { recipientId: string; amount: number; key: string }): Promise<Answer<SentGift>> {
    const { key, ...body } = gift;
    return this.call('POST', '/api/gifts/send', { body, key });
  }

  async balance(): Promise<number> {
    const { status, body } = await this.call<{ novaBalance: number }>('GET', '/api/nova/balance');
    if (status !== 200) throw new Error(`balance: ${status}`);
    return body.novaBalance;
  }

  /** Nova in transit: held for chats, or waiting for a rating. */
  async waiting(): Promise<{ readonly heldNova: number; readonly pendingNova: number }> {
    const { status, body } = await this.call<{ heldNova: number; pendingNova: number }>('GET', '/api/nova/balance');
    if (status !== 200) throw new Error(`balance: ${status}`);
    return { heldNova: body.heldNova, pendingNova: body.pendingNova };
  }

  /** Ids of every gift that this member sent, newest first, with repetitions if there were any. */
  async sentGiftIds(): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, body }: Answer<GiftPage> = await this.call('GET', `/api/gifts/history?limit=100${query}`);
      if (status !== 200) throw new Error(`history: ${status} ${JSON.stringify(body)}`);
      ids.push(...body.gifts.filter((gift) => gift.senderId === this.id).map((gift) => gift.id));
      cursor = body.nextCursor;
    } while (cursor !== null);
    return ids;
  }

  async grant(memberId: string, amount: number): Promise<void> {
    const answer = await this.call('POST', `/api/admin/users/${memberId}/add-nova`, {
      body: { amount },
      key: uuidv7(),
    });
    if (answer.status !== 201) throw new Error(`add-nova: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}
