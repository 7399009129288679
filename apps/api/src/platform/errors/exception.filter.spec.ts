import Fastify from 'fastify';
import { pino } from 'pino';
import { newRequestId } from '../logging.js';
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
