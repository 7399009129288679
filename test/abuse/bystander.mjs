/**
 * A process of its own, so that what the attackers do to send is not counted as the server's: signs in and reads the balance
 * so many times at least, and as long as the attack goes on. It answers with what each call took in milliseconds, and which
 * were refused.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** As often as somebody in a hurry clicks. */
const LOOK_EVERY_MS = 40;
const ANSWER_MS_MAX = 60_000;

const [url, address, credentials] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
let cookie = '';

const attack = { goesOn: false };

process.on('message', (message) => {
  if (message === 'end') attack.goesOn = false;
  else void look(message);
});
process.on('disconnect', () => process.exit());

async function look({ times, goesOn }) {
  attack.goesOn = goesOn;
  const looks = { signIns: [], wallets: [], refused: [] };
  while (attack.goesOn || looks.wallets.length < times) {
    looks.signIns.push(await timed(looks, 'POST', '/api/auth/signin', credentials));
    looks.wallets.push(await timed(looks, 'GET', '/api/nova/balance'));
    await sleep(LOOK_EVERY_MS);
  }
  process.send(looks);
}

async function timed(looks, method, target, body) {
  const begun = performance.now();
  const status = await new Promise((resolve) => {
    const headers = { 'x-forwarded-for': address, cookie, ...(body && { 'content-type': 'application/json' }) };
    const sent = request(`${url}${target}`, { method, agent, timeout: ANSWER_MS_MAX, headers }, (response) => {
      const set = response.headers['set-cookie'];
      if (set) cookie = set.map((line) => line.split(';', 1)[0]).join('; ');
      response.resume().on('end', () => resolve(response.statusCode));
      response.on('error', () => resolve(0));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
  if (status !== 200) looks.refused.push(status);
  return performance.now() - begun;
}
