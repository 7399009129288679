// A shop in one file: a member signs in with Nova and buys something, the shop hears of it by webhook, and reconciles its wallet.
// NOVA_URL=… NOVA_CLIENT_ID=… NOVA_CLIENT_SECRET=… NOVA_WEBHOOK_SECRET=whsec_… PORT=8080 node main.mjs
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { NovaApplication, NovaError, WebhookError, Webhooks } from '@nova/sdk';

const { NOVA_URL: origin, NOVA_CLIENT_ID: clientId, NOVA_CLIENT_SECRET: clientSecret, PORT = '8080' } = process.env;
const redirectUri = `http://127.0.0.1:${PORT}/callback`;
const nova = new NovaApplication({ origin, clientId, clientSecret });
const webhooks = new Webhooks({ secrets: [process.env.NOVA_WEBHOOK_SECRET] });

/** Visits that have begun to sign in, by their cookie. */
const visits = new Map();
/** What webhooks told of the wallet, by transaction: one that comes again changes nothing. */
const heard = new Map();
const SIGNS = { 'tokens.spent': 1, 'tokens.earned': -1, 'wallet.funded': 1, 'wallet.withdrawn': -1 };
const SIGNS_OF_ENTRIES = { spend: 1, earn: -1, fund: 1, withdraw: -1, spend_reversed: -1, earn_reversed: 1 };

const pages = {
  /** Sends the browser to Nova. */
  async '/'() {
    const scopes = ['openid', 'profile', 'nova'];
    const { url, state, codeVerifier } = await nova.authorization({ redirectUri, scopes });
    const visit = randomUUID();
    visits.set(visit, { state, codeVerifier });
    return [303, '', { location: url, 'set-cookie': `visit=${visit}; HttpOnly; SameSite=Lax; Path=/` }];
  },

  /** Comes back from Nova with a code, and sells a cup of coffee. */
  async '/callback'(request, query) {
    const cookie = /visit=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
    const visit = visits.get(cookie);
    visits.delete(cookie);
    if (!visit || visit.state !== query.get('state')) return [400, 'Please begin again.'];
    const tokens = await nova.exchange({ code: query.get('code'), redirectUri, codeVerifier: visit.codeVerifier });
    const member = nova.member(tokens.access_token);
    // One key an order: however often it is sent, it is paid once.
    const order = { idempotencyKey: randomUUID() };
    const { transactionId, leftToday } = await member.spend({ amount: 25, description: 'A cup of coffee' }, order);
    return [200, JSON.stringify({ name: (await member.userinfo()).name, transactionId, leftToday })];
  },

  /** Nova tells of something. */
  async '/webhooks'(request) {
    const { type, data } = await webhooks.verify(await buffer(request), request.headers);
    if (type in SIGNS) heard.set(data.transactionId, SIGNS[type] * data.amount);
    return [204];
  },

  /** Holds what webhooks told against the wallet's statement, and the statement against the balance. */
  async '/reconcile'() {
    const { balance } = await nova.wallet();
    const [unheard, unknown] = [[], new Set(heard.keys())];
    let total = 0;
    for await (const { id, type, amount } of nova.walletEntries()) {
      total += SIGNS_OF_ENTRIES[type] * amount;
      if (heard.get(id) !== SIGNS_OF_ENTRIES[type] * amount) unheard.push(id);
      unknown.delete(id);
    }
    return [200, JSON.stringify({ balance, total, unheard, unknown: [...unknown] })];
  },
};

const answer = async (request) => {
  try {
    const { pathname, searchParams } = new URL(request.url, redirectUri);
    return (await pages[pathname]?.(request, searchParams)) ?? [404];
  } catch (error) {
    if (error instanceof WebhookError) return [400, error.message];
    return [502, error instanceof NovaError ? `${error.code}: ${error.message}` : 'Something went wrong.'];
  }
};

const server = createServer((request, response) => {
  void answer(request).then(([status, body, headers]) => response.writeHead(status, headers).end(body));
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}/`));
