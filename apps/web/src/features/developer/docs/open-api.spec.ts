import { describe, expect, it } from '@jest/globals';
import { thirdPartyCalls, type OpenApiDocument } from './open-api';

const DOCUMENT: OpenApiDocument = {
  paths: {
    '/api/tokens/transactions': {
      get: {
        summary: 'What was moved',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' }, description: '1 to 100' }],
        responses: {
          '200': {
            description: 'Newest first.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Page' } } },
          },
          default: { $ref: '#/components/responses/Refused' },
        },
      },
    },
    '/api/tokens/spend': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Spend' } } } },
        responses: { '201': { description: 'Spent.' } },
      },
    },
    '/api/gifts/send': { post: {} },
    '/oauth/token': { post: {} },
    '/api/oauth/register-app': { post: {} },
  },
  components: {
    responses: {
      Refused: {
        description: 'Refused.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Page' } } },
      },
    },
    schemas: {
      Spend: {
        type: 'object',
        required: ['amount'],
        properties: { amount: { type: 'number', description: 'Nova.' }, description: { type: 'string' } },
      },
      Page: {
        required: ['transactions', 'nextCursor'],
        properties: {
          transactions: { type: 'array', items: { $ref: '#/components/schemas/Row' } },
          nextCursor: { type: 'string', nullable: true },
        },
      },
      Row: {
        properties: {
          type: { enum: ['spend', 'earn'] },
          member: { allOf: [{ $ref: '#/components/schemas/Member' }] },
          next: { $ref: '#/components/schemas/Row' },
        },
      },
      Member: { properties: { id: { type: 'string', format: 'uuid' } }, required: ['id'] },
    },
  },
};

describe('thirdPartyCalls', () => {
  const calls = thirdPartyCalls(DOCUMENT);

  it('has the calls of third parties alone, in the order of an integration', () => {
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /oauth/token',
      'POST /api/tokens/spend',
      'GET /api/tokens/transactions',
    ]);
    expect(calls.map(({ area }) => area)).toEqual(['Sign-in', 'Tokens', 'Tokens']);
  });

  it('reads bodies and answers through their references, however deep they lead round in circles', () => {
    expect(calls[1]?.body?.fields).toEqual([
      { name: 'amount', type: 'number', isRequired: true, description: 'Nova.' },
      { name: 'description', type: 'string', isRequired: false, description: '' },
    ]);
    expect(calls[2]?.parameters).toEqual([
      { name: 'limit', type: 'integer', isRequired: false, description: '1 to 100', place: 'query' },
    ]);
    const [ok, refused] = calls[2]?.answers ?? [];
    expect(ok?.fields.slice(0, 4).map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'transactions: list of object',
      'transactions[].type: "spend" or "earn"',
      'transactions[].member: object',
      'transactions[].member.id: string',
    ]);
    expect(ok?.fields.at(-1)).toMatchObject({ name: 'nextCursor', type: 'string or null', isRequired: true });
    expect(refused).toEqual({ status: 'default', description: 'Refused.', fields: [] });
  });

  it('has nothing to say about a document without calls', () => {
    expect(thirdPartyCalls({})).toEqual([]);
  });
});
