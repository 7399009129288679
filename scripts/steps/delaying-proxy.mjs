/**
 * `node delaying-proxy.mjs HOST PORT`: passes on what comes to a port of its own, which it prints, and lets it wait: mostly
 * under a millisecond, now and then longer. What depends on an order that nobody promised goes wrong behind it.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Shares of all parts of a message, and how long these wait at most. */
const WAITS = [
  { share: 0.008, msMax: 350 },
  { share: 0.052, msMax: 40 },
  { share: 1, msMax: 1 },
];

const [host, port] = process.argv.slice(2);
const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const target = connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
  pass(client, target);
  pass(target, client);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${server.address().port}\n`);
process.once('disconnect', () => process.exit());

/** In its order, each part after a wait of its own. */
function pass(from, to) {
  let before = Promise.resolve();
  const then = (act) => {
    before = before.then(act);
  };
  from.on('data', (part) => {
    const waited = new Promise((resolve) => setTimeout(resolve, waitMs()));
    then(() => waited);
    then(() => {
      if (!to.destroyed) to.write(part);
    });
  });
  from.on('end', () => then(() => to.end()));
  from.on('close', () => then(() => to.destroySoon()));
  from.on('error', () => to.destroy());
}

function waitMs() {
  let place = Math.random();
  const { msMax } = WAITS.find(({ share }) => (place -= share) < 0);
  return Math.random() * msMax;
}
