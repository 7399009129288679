import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { compressAnswers } from './compressed.js';
import { answerUnchanged } from './unchanged.js';

describe('compressed answers', () => {
  let server: FastifyInstance;
  const long = { text: 'what many cards repeat '.repeat(100) };

  beforeAll(() => {
    server = fastify();
    answerUnchanged(server);
    compressAnswers(server);
    server.get('/api/long', () => long);
    server.get('/api/short', () => ({ text: 'short' }));
    server.post('/api/long', () => long);
    server.get('/api/secret', { config: { carriesSecret: true } }, () => long);
    server.get('/api/picture', (_, reply) => reply.type('image/webp').send(Buffer.alloc(5_000)));
    server.get('/oauth/long', () => long);
    server.get('/*', (_, reply) => reply.type('text/html').send(`<p>${long.text}`));
  });
  afterAll(() => server.close());

  const ask = (url: string, encoding: string | undefined = 'gzip, deflate, br, zstd', method: 'GET' | 'POST' = 'GET') =>
    server.inject({ url, method, headers: { 'accept-encoding': encoding } });

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
  ] as const)('are what the browser reads: %s', async (accepted, encoding, unpacked) => {
    const answer = await ask('/api/long', accepted);
    expect(answer.headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(answer.rawPayload.length),
      vary: 'accept-encoding',
    });
    expect(answer.rawPayload.length).toBeLessThan(200);
    expect(JSON.parse(String(unpacked(answer.rawPayload)))).toEqual(long);
  });

  it('have one tag, compressed or not', async () => {
    const tags = [await ask('/api/long'), await ask('/api/long', '')].map(({ headers }) => headers['etag']);
    expect(tags[0]).toBe(tags[1]);
    const headers = { 'accept-encoding': 'br', 'if-none-match': String(tags[0]) };
    const again = await server.inject({ url: '/api/long', headers });
    expect([again.statusCode, again.headers['content-encoding']]).toEqual([304, undefined]);
  });

  it('are the client’s page too', async () => {
    expect((await ask('/wallet')).headers['content-encoding']).toBe('br');
  });

  it.each([
    ['a short one', 'GET', '/api/short'],
    ['a picture', 'GET', '/api/picture'],
    ['one with a secret', 'GET', '/api/secret'],
    ['a command’s, which may have one', 'POST', '/api/long'],
    ['OAuth’s', 'GET', '/oauth/long'],
  ] as const)('are not %s', async (_, method, url) => {
    expect((await ask(url, 'br', method)).headers['content-encoding']).toBeUndefined();
  });

  it('with a secret are not compressed by a proxy either', async () => {
    expect((await ask('/api/secret')).headers['cache-control']).toBe('no-store, no-transform');
  });
});
