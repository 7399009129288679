import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { sendError } from '../errors/exception.filter.js';
import { acceptBodies } from '../http/bodies.js';
import { readMultipartFile } from './multipart-file.js';

const MAX_BYTES = 1_000;
const PATH = '/api/profile/thumbnail';

describe('a file in a form (S1 §7, POST /api/profile/thumbnail)', () => {
  let fastify: FastifyInstance;
  let url: string;

  beforeAll(async () => {
    fastify = createFastify();
    await acceptBodies(fastify);
    fastify.setErrorHandler((error, request, reply) => sendError(request, reply, error));
    const options = { field: 'thumbnail', maxBytes: MAX_BYTES };
    fastify.post(PATH, (request) =>
      readMultipartFile(request, options).then(({ bytes, contentType }) => ({ length: bytes.length, contentType })),
    );
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
