// A shop in one file: a member signs in with Nova, buys something, gets a part back, and the shop looks into its wallet.
// NOVA_URL=… NOVA_CLIENT_ID=… NOVA_CLIENT_SECRET=… PORT=8080 node main.mjs
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NovaApplication, NovaError } from '@nova/sdk';

const { NOVA_URL: origin, NOVA_CLIENT_ID: clientId, NOVA_CLIENT_SECRET: clientSecret, PORT = '8080' } = process.env;
const redirectUri = `http://127.0.0.1:${PORT}/callback`;
const nova = new NovaApplication({ origin, clientId, clientSecret });

/** Visits that have begun to sign in, by their cookie. */
const visits = new Map();

const pages = {
  /** Sends the browser to Nova. */
  async '/'(_request, response) {
    const { url, state, codeVerifier } = await nova.authorization({
      redirectUri,
      scopes: ['openid', 'profile', 'nova'],
    });
    const visit = randomUUID();
    visits.set(visit, { state, codeVerifier });
    response.writeHead(303, { location: url, 'set-cookie': `visit=${visit}; HttpOnly; SameSite=Lax; Path=/` }).end();
  },

  /** Comes back from Nova with a code. */
  async '/callback'(request, response, query) {
    const cookie = /visit=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
    const visit = visits.get(cookie);
    visits.delete(cookie);
    if (!visit || visit.state !== query.get('state')) return response.writeHead(400).end('Please begin again.');
    const tokens = await nova.exchange({ code: query.get('code'), redirectUri, codeVerifier: visit.codeVerifier });
    const member = nova.member(tokens.access_token);
    const { name } = await member.userinfo();
    // One key an order: however often it is sent, it is paid once.
    const order = randomUUID();
    const spent = await member.spend(
      { amount: 25, description: 'A cup of coffee' },
      { idempotencyKey: `${order}-pay` },
    );
    await member.earn({ amount: 5, description: 'Loyalty' }, { idempotencyKey: `${order}-loyalty` });
    const wallet = await nova.wallet();
    const entries = [];
    for await (const { type, amount, description } of nova.walletEntries({ pageSize: 1 })) {
      entries.push({ type, amount, description });
      if (entries.length === 2) break;
    }
    const told = { name, leftToday: spent.leftToday, wallet: wallet.balance, entries };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
  },
};

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, redirectUri);
  const page = pages[pathname];
  if (!page) return response.writeHead(404).end();
  page(request, response, searchParams).catch((error) => {
    const sentence = error instanceof NovaError ? `${error.code}: ${error.message}` : 'Something went wrong.';
    response.writeHead(502).end(sentence);
  });
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}/`));
