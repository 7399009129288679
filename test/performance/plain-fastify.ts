import fastify from 'fastify';

/** What the plain server is given by whoever forks it. */
export interface PlainOrder {
  /** The headers of the product's answer, without those that Node writes for each answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** The product's answer to a gift. */
  readonly answer: Readonly<Record<string, unknown>>;
}

const GIFT = {
  type: 'object',
  required: ['recipientId', 'amount'],
  additionalProperties: false,
  properties: {
    recipientId: { type: 'string', minLength: 1, maxLength: 64 },
    amount: { type: 'number', minimum: 1_000, maximum: 1_000_000, multipleOf: 0.01 },
  },
};

/**
 * The entry of a process that validates gifts and answers as the product does, and does nothing else: what the framework
 * and the line cost by themselves.
 */
process.once('message', ({ headers, answer }: PlainOrder) => {
  const server = fastify();
  server.post('/api/gifts/send', { schema: { body: GIFT } }, (_request, reply) =>
    reply.code(201).headers(headers).send(answer),
  );
  void server.listen({ port: 0, host: '127.0.0.1' }).then((address) => process.send?.(Number(new URL(address).port)));
});
process.once('disconnect', () => process.exit());
