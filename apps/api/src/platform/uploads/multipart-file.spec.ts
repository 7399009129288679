import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { eventually } from '../../../../../test/support/eventually.js';
import { sendError } from '../errors/exception.filter.js';
import { acceptBodies } from '../http/bodies.js';
import { refuseMalformed } from '../http/malformed.js';
import { FormFiles } from './multipart-file.js';

const MAX_BYTES = 1_000;
const PATH = '/api/profile/thumbnail';

describe('a file in a form (POST /api/profile/thumbnail)', () => {
  let fastify: FastifyInstance;
  let url: string;

  beforeAll(async () => {
    fastify = createFastify({
      forceCloseConnections: true,
      clientErrorHandler: (error, socket) => refuseMalformed(error, socket, {}),
    });
    await acceptBodies(fastify, { bodyMsMax: 4_000 });
    fastify.setErrorHandler((error, request, reply) => sendError(request, reply, error));
    const forms = new FormFiles();
    fastify.post(PATH, (request) => {
      const memberId = String(request.headers['x-member'] ?? 'ada');
      const form = { memberId, request, field: 'thumbnail', maxBytes: MAX_BYTES };
      return forms.take(form, ({ bytes, contentType }) => Promise.resolve({ length: bytes.length, contentType }));
    });
    fastify.post('/api/other', () => ({}));
    url = await fastify.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => fastify.close());

  const post = async (body: FormData | string, headers: Record<string, string> = {}, path = PATH) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', body, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const form = (fields: Record<string, string | Blob>): FormData => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    return data;
  };
  const file = (bytes: number): Blob => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });

  it('is read, whatever stands before it', async () => {
    expect(await post(form({ note: 'hello', thumbnail: file(MAX_BYTES) }))).toEqual({
      status: 200,
      body: { length: MAX_BYTES, contentType: 'image/jpeg' },
    });
  });

  /** Sends the form up to the middle of its file. */
  const begun = async (member: string): Promise<{ socket: Socket; answer: () => string }> => {
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Member: ${member}\r\nContent-Length: 900\r\n`;
    const part = '--x\r\nContent-Disposition: form-data; name="thumbnail"; filename="a.jpg"\r\n\r\nabc';
    socket.write(`${head}Content-Type: multipart/form-data; boundary=x\r\n\r\n${part}`);
    return { socket, answer: () => answer };
  };

  it('is one of a member at a time, three more may wait, and none keeps others waiting for ever', async () => {
    const sent = await Promise.all(Array.from({ length: 10 }, () => begun('eve')));
    const answers = (): string[] => sent.map(({ answer }) => answer().slice(0, 12));
    await eventually(
      () => answers(),
      (all) => all.filter((answer) => answer === 'HTTP/1.1 429').length === 6,
    );
    const other = form({ thumbnail: file(10) });
    expect((await post(other, { 'x-member': 'bob' })).status).toBe(200);
    await eventually(
      () => answers(),
      (all) => all.filter((answer) => answer === 'HTTP/1.1 408').length === 4,
    );
    expect((await post(other, { 'x-member': 'eve' })).status).toBe(200);
    for (const { socket } of sent) socket.destroy();
  });

  it('is one of few at once, whoever sends them', async () => {
    const sent = await Promise.all(Array.from({ length: 12 }, (_, member) => begun(`member ${member}`)));
    await sleep(300);
    let isDone = false;
    const waits = post(form({ thumbnail: file(10) }), { 'x-member': 'zoe' }).then((answer) => {
      isDone = true;
      return answer;
    });
    await sleep(300);
    expect(isDone).toBe(false);
    sent[0]?.socket.destroy();
    expect((await waits).status).toBe(200);
    for (const { socket } of sent) socket.destroy();
  });

  it('that is too large is read no further', async () => {
    expect(await post(form({ thumbnail: file(MAX_BYTES + 1) }))).toMatchObject({
      status: 413,
      body: { code: 'FILE_TOO_LARGE' },
    });
  });

  it.each([
    ['has another name', form({ picture: file(10) })],
    ['is missing', form({ note: 'hello' })],
    ['is only text', form({ thumbnail: 'hello' })],
  ])('that %s is asked for', async (_, data) => {
    expect(await post(data)).toMatchObject({ status: 400, body: { code: 'FILE_MISSING' } });
  });

  it.each([
    ['breaks off', '--x\r\nContent-Disposition: form-data; name="thumbnail"; filename="a.jpg"\r\n\r\nabc'],
    ['is no form', 'hello'],
    ['names a prototype', '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nabc\r\n--x--\r\n'],
  ])('in a form that %s is refused', async (_, body) => {
    const answer = await post(body, { 'content-type': 'multipart/form-data; boundary=x' });
    expect(answer.status).toBe(400);
    expect(answer.body['code']).toMatch(/^(?:INVALID_FORM|FILE_MISSING)$/);
  });

  it('in a form without a boundary, or not in a form, is refused', async () => {
    expect((await post('x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
    expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await post('x', { 'content-type': 'image/jpeg' })).status).toBe(415);
  });

  it('with many fields is refused', async () => {
    const data = form({});
    for (let count = 0; count < 50; count++) data.append('note', 'x');
    expect((await post(data)).status).toBe(400);
  });

  it('is taken on its own path only', async () => {
    expect((await post(form({ thumbnail: file(10) }), {}, '/api/other')).status).toBe(415);
  });
});
