import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { eventually } from '../../../../../test/support/eventually.js';
import { acceptBodies } from './bodies.js';

describe('a body that does not come to its end', () => {
  let fastify: FastifyInstance;
  beforeAll(async () => {
    fastify = Fastify({ forceCloseConnections: true });
    await acceptBodies(fastify, { bodyMsMax: 50 });
    fastify.all('*', (request) => request.body ?? null);
    await fastify.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => fastify.close());

  /** Sends the head of a request and half its body. */
  const halfSent = async (target: string, type = 'application/json') => {
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`PUT ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 10\r\n\r\n{"a":`);
    return socket.on('error', () => undefined).resume();
  };

  it('is ended with its connection', async () => {
    const socket = await halfSent('/api/auth/signin');
    await eventually(() => socket.closed);
  });

  it('is waited for where it is a file', async () => {
    const files = await halfSent('/objects/uploads/x', 'image/jpeg');
    const json = await halfSent('/api/auth/signin');
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
