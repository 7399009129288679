import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { eventually } from '../../../../../test/support/eventually.js';
import { acceptBodies } from './bodies.js';
import { refuseMalformed } from './malformed.js';

describe('a body that does not come to its end', () => {
  let fastify: FastifyInstance;
  beforeAll(async () => {
    fastify = Fastify({
      forceCloseConnections: true,
      clientErrorHandler: (error, socket) => refuseMalformed(error, socket, {}),
    });
    await acceptBodies(fastify, { bodyMsMax: 50 });
    fastify.put('/refused', { onRequest: (_, reply) => void reply.code(403).send() }, () => null);
    fastify.all('*', (request) => request.body ?? null);
    await fastify.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => fastify.close());

  /** Sends the head of a request and half its body. */
  const halfSent = async (target: string, type = 'application/json') => {
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`PUT ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 10\r\n\r\n{"a":`);
    socket.on('error', () => undefined).setEncoding('utf8');
    return socket;
  };

  it('is refused, and ended with its connection', async () => {
    const socket = await halfSent('/api/auth/signin');
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 408 .*"code":"REQUEST_TIMEOUT"/s);
    await eventually(() => socket.closed);
  });

  it('is answered once, where that was before', async () => {
    const socket = await halfSent('/refused');
    expect((await socket.toArray()).join('').match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403']);
  });

  it('is waited for where it is a file', async () => {
    const files = await halfSent('/objects/uploads/x', 'image/jpeg');
    const json = await halfSent('/api/auth/signin');
    json.resume();
    await eventually(() => json.closed);
    expect(files.closed).toBe(false);
    files.destroy();
  });

  it('does not hurt those that do', async () => {
    const answer = await fetch(`http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}/x`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect(await answer.json()).toEqual({ a: 1 });
  });
});

describe('a body that is larger than most calls take', () => {
  let fastify: FastifyInstance;
  beforeAll(async () => {
    fastify = Fastify({ forceCloseConnections: true });
    await acceptBodies(fastify);
    fastify.post('/large', { bodyLimit: 200_000 }, () => ({}));
    fastify.post('/usual', () => ({}));
    await fastify.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => fastify.close());

  const port = (): number => (fastify.server.address() as AddressInfo).port;
  const post = async (target: string, body: string): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`http://127.0.0.1:${port()}${target}`, { method: 'POST', body, headers })).status;
  };
  const half = async (length: string) => {
    const socket = connect(port(), '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined).resume();
    socket.write(`POST /large HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`);
    return socket;
  };

  it.each(['Content-Length: 150000', 'Transfer-Encoding: chunked'])(
    'is one of eight of a network (%s)',
    async (length) => {
      const sockets = await Promise.all(Array.from({ length: 8 }, () => half(length)));
      await sleep(100);
      let isDone = false;
      const ninth = post('/large', JSON.stringify('x'.repeat(50_000))).then((status) => {
        isDone = true;
        return status;
      });
      // What is as small as everything else waits for none of them.
      expect([await post('/large', '{}'), await post('/usual', '{}')]).toEqual([200, 200]);
      await sleep(100);
      expect(isDone).toBe(false);
      sockets[0]?.destroy();
      expect(await ninth).toBe(200);
      for (const socket of sockets) socket.destroy();
    },
  );
});
