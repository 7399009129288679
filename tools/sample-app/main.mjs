// A shop in one file: a member signs in with Nova and buys something, the shop hears of it by webhook, and reconciles its wallet.
// NOVA_URL=… NOVA_CLIENT_ID=… NOVA_CLIENT_SECRET=… NOVA_WEBHOOK_SECRET=whsec_… PORT=8080 node main.mjs
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { NovaApplication, NovaError, SignInError, walletChange, WebhookError, Webhooks } from '@nova/sdk';

const { NOVA_URL: origin, NOVA_CLIENT_ID: clientId, NOVA_CLIENT_SECRET: clientSecret, PORT = '8080' } = process.env;
const redirectUri = `http://127.0.0.1:${PORT}/callback`;
const nova = new NovaApplication({ origin, clientId, clientSecret });
const webhooks = new Webhooks({ secrets: [process.env.NOVA_WEBHOOK_SECRET] });

/** Sign-ins that have begun, by the cookie of their visit. */
const visits = new Map();
/** What webhooks told of the wallet, by transaction: one that comes again changes nothing. */
const heard = new Map();

const pages = {
  async 'GET /'() {
    const begun = await nova.authorization({ redirectUri, scopes: ['openid', 'profile', 'nova'] });
    const visit = randomUUID();
    visits.set(visit, begun);
    return [303, '', { location: begun.url, 'set-cookie': `visit=${visit}; HttpOnly; SameSite=Lax; Path=/` }];
  },

  async 'GET /callback'({ headers }, query) {
    const visit = /visit=([\w-]+)/.exec(headers.cookie)?.[1];
    const begun = visits.get(visit);
    visits.delete(visit);
    const member = nova.member((await nova.callback(query, begun)).access_token);
    // One key an order: however often it is sent, it is paid once.
    const order = { idempotencyKey: randomUUID() };
    const { transactionId, leftToday } = await member.spend({ amount: 25, description: 'A cup of coffee' }, order);
    return [200, JSON.stringify({ name: (await member.userinfo()).name, transactionId, leftToday })];
  },

  async 'POST /webhooks'(request) {
    const { type, data } = await webhooks.verify(await buffer(request), request.headers);
    const change = walletChange({ type, amount: data.amount ?? 0 });
    if (change !== 0) heard.set(data.transactionId, change);
    return [204];
  },

  /** Holds what webhooks told against the wallet's statement, and the statement against the balance. */
  async 'GET /reconcile'() {
    const { balance } = await nova.wallet();
    const [unheard, unknown] = [[], new Set(heard.keys())];
    let total = 0;
    for await (const entry of nova.walletEntries()) {
      const change = walletChange(entry);
      total += change;
      if (heard.get(entry.id) !== change) unheard.push(entry.id);
      unknown.delete(entry.id);
    }
    return [200, JSON.stringify({ balance, total, unheard, unknown: [...unknown] })];
  },
};

const answer = async (request) => {
  const { pathname, searchParams } = new URL(request.url, redirectUri);
  return (await pages[`${request.method} ${pathname}`]?.(request, searchParams)) ?? [404];
};

const refusal = (error) => {
  if (error instanceof SignInError || error instanceof WebhookError) return [400, error.message];
  return [502, error instanceof NovaError ? `${error.code}: ${error.message}` : 'Something went wrong.'];
};

const server = createServer((request, response) => {
  const answered = answer(request).catch(refusal);
  void answered.then(([status, body, headers]) => response.writeHead(status, headers).end(body));
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}/`));
