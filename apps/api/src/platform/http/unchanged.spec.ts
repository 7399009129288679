import { Readable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import { answerUnchanged } from './unchanged.js';

describe('what did not change', () => {
  let server: FastifyInstance;
  let saved = 'one';

  beforeAll(() => {
    server = fastify();
    answerUnchanged(server);
    server.get('/api/thing', () => ({ saved }));
    server.post('/api/thing', () => ({ saved }));
    server.get('/api/none', (_, reply) => reply.code(404).send({ message: 'This thing was not found.' }));
    server.get('/api/*', () => ({ saved }));
    server.get('/api/file', (_, reply) => reply.send(Readable.from(['a file'])));
    server.get('/api/own', (_, reply) => reply.header('etag', '"v1"').header('cache-control', 'no-store').send('own'));
  });
  afterAll(() => server.close());

  const ask = (url: string, tag?: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    server.inject({ url, method, ...(tag !== undefined && { headers: { 'if-none-match': tag } }) });
  const tagOf = async (url: string): Promise<string> => String((await ask(url)).headers['etag']);

  it('is answered with 304 and no body, until it changes', async () => {
    const tag = await tagOf('/api/thing');
    expect(tag).toMatch(/^W\/".+"$/);
    const again = await ask('/api/thing', tag);
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', tag]);
    saved = 'two';
    const changed = await ask('/api/thing', tag);
    expect([changed.statusCode, changed.json()]).toEqual([200, { saved: 'two' }]);
  });

  it('is found among several tags, and by any tag', async () => {
    const tag = await tagOf('/api/thing');
    expect((await ask('/api/thing', `"other", ${tag}`)).statusCode).toBe(304);
    expect((await ask('/api/thing', '*')).statusCode).toBe(304);
  });

  it('is only what was asked for: a command that says the same twice was carried out twice', async () => {
    const tag = await tagOf('/api/thing');
    const answer = await ask('/api/thing', tag, 'POST');
    expect([answer.statusCode, answer.json(), answer.headers['etag']]).toEqual([200, { saved }, undefined]);
    const none = await ask('/api/none', '*');
    expect([none.statusCode, none.headers['cache-control']]).toEqual([404, 'private, no-cache']);
  });

  it.each([
    ['/api/nova/transactions?limit=20', 'no-store'],
    ['/api/nova/transactions/1/receipt', 'no-store'],
    ['/api/gifts/history', 'no-store'],
    ['/api/wallet/applications', 'no-store'],
    ['/api/chats/mine', 'no-store'],
    ['/api/chats/0198', 'no-store'],
    ['/api/chats/0198/messages', 'no-store'],
    ['/api/messages?chatId=0198', 'no-store'],
    ['/api/tokens/transactions', 'no-store'],
    ['/api/oauth/application/a/wallet/statement', 'no-store'],
    ['/api/admin/finance/members/1/statement', 'no-store'],
    ['/api/admin/transactions', 'no-store'],
    ['/api/chats/pending-requests', 'private, no-cache'],
    ['/api/discovery/feed?limit=20', 'private, no-cache'],
    ['/api/quests', 'private, no-cache'],
  ])('is kept by a browser where it is no statement, receipt or chat: %s', async (url, cacheControl) => {
    const { headers } = await ask(url);
    expect([headers['cache-control'], headers['etag']]).toEqual([cacheControl, expect.any(String)]);
  });

  it('leaves tags, caching and streams to those who have their own', async () => {
    const own = await ask('/api/own');
    expect([own.headers['etag'], own.headers['cache-control']]).toEqual(['"v1"', 'no-store']);
    expect((await ask('/api/own', '"v1"')).statusCode).toBe(304);
    const file = await ask('/api/file', '*');
    expect([file.statusCode, file.body, file.headers['etag']]).toEqual([200, 'a file', undefined]);
    expect((await ask('/api/thing')).headers['cache-control']).toBe('private, no-cache');
  });
});
