import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 50;

/**
 * Lets a server that is to close do so as soon as the requests under way are answered. Node itself closes what is idle at
 * that moment only: a connection that a browser opened ahead of need, or one that falls idle a little later, would keep the
 * process for over a minute.
 */
export function closeWithoutWaitingForIdlers(fastify: FastifyInstance): void {
  const { server } = fastify;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  fastify.addHook('preClose', (done) => {
    const timer = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, LOOK_EVERY_MS);
    timer.unref();
    server.once('close', () => clearInterval(timer));
    done();
  });
}
