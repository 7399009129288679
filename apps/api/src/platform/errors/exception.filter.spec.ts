import Fastify, { type FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { logRequests, newRequestId } from '../logging.js';
import { AppError } from './app-error.js';
import { sendError } from './exception.filter.js';

describe('an unforeseen error', () => {
  it("is logged with the request's id and answered with it, without a detail", async () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
    const fastify = Fastify({ loggerInstance: pino({ level: 'warn' }, { write }), genReqId: newRequestId });
    fastify.setErrorHandler((error, request, reply) => sendError(request, reply, error));
    fastify.get('/', () => Promise.reject(new Error('the secret detail')));

    const answer = await fastify.inject({ url: '/', headers: { 'x-request-id': 'trace-17' } });
    expect(answer.statusCode).toBe(500);
    const { code, requestId } = answer.json<Record<string, string>>();
    expect(code).toBe('INTERNAL_ERROR');
    expect(answer.body).not.toContain('secret');
    expect(lines).toEqual([expect.objectContaining({ reqId: requestId, msg: 'unforeseen error' })]);
    expect(JSON.stringify(lines)).toContain('the secret detail');
  });
});

it('a failure on our side is logged with what made it fail, and a refusal without', async () => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const loggerInstance: FastifyBaseLogger = pino({ level: 'info' }, { write });
  const fastify = Fastify({ loggerInstance, genReqId: newRequestId, disableRequestLogging: true });
  logRequests(fastify, 'info');
  fastify.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  const failing = (status: number) => (): Promise<never> =>
    Promise.reject(new AppError(status, 'BUSY', 'Try again.', { cause: new Error('the connection dropped') }));
  fastify.get('/failed', failing(503));
  fastify.get('/refused', failing(409));
  for (const url of ['/failed', '/refused']) expect((await fastify.inject(url)).body).not.toContain('dropped');
  expect(lines.map(({ msg, err }) => [msg, (err as Error | undefined)?.message])).toEqual([
    ['request failed', 'the connection dropped'],
    ['request', undefined],
  ]);
});
