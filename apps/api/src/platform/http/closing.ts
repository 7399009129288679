import { Server, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 50;
/** So often at most it takes in who waits at the door. */
const TURNS_MAX = 1_000;

/**
 * Lets a server that is to close do so as soon as the requests under way are answered. Every answer from then on closes its
 * connection. Node itself closes what is idle at that moment only: a connection that a browser opened ahead of need, or one that
 * falls idle a little later, would keep the process for over a minute.
 * @param lingerMs for so long idle connections stay open: a proxy may just be sending a request on one
 * @returns what takes no new connections from then on. To be called before: who is sent away connects again at once
 */
export function closeInOrder(fastify: FastifyInstance, lingerMs: number): () => Promise<void> {
  const { server } = fastify;
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  fastify.addHook('preClose', async () => {
    const deadline = performance.now() + lingerMs;
    while (sockets.size > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
    const timer = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, LOOK_EVERY_MS);
    timer.unref();
    server.once('close', () => clearInterval(timer));
  });
  return async () => {
    // Connections that the system has made but nobody has accepted would be reset. Node accepts one a turn.
    for (let turns = 0, before = -1; before !== accepted && turns < TURNS_MAX; turns += 1) {
      before = accepted;
      await setImmediate();
    }
    // HTTP's own would end idle connections as well.
    if (server.listening) Server.prototype.close.call(server);
  };
}
