import type { Server } from 'node:http';
import { createStandInClient, SandboxStripeError, STAND_IN_PATH, StripeStandIn } from '@app/stripe-stand-in';
import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { Config } from '../platform/config.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { asAppError } from '../platform/errors/error-body.js';
import { PaymentGateway } from './payment-gateway.js';
import type { PaymentMode } from './payments.js';

/** The address of this process itself: the payment sandbox runs in the product's own server, and calls it back. */
@Injectable()
export class OwnAddress {
  constructor(private readonly adapters: HttpAdapterHost) {}

  /** Undefined until the server listens. */
  get current(): { readonly host: string; readonly port: number } | undefined {
    const server: Server | undefined = this.adapters.httpAdapter?.getHttpServer();
    const address = server?.address();
    if (!address || typeof address === 'string') return undefined;
    const everywhere = address.address === '::' || address.address === '0.0.0.0';
    return { host: everywhere ? '127.0.0.1' : address.address, port: address.port };
  }
}

/** Stripe or the stand-in, as configured; undefined if no payments are taken. */
export function connectToProvider(
  config: Config,
  address: Pick<OwnAddress, 'current'>,
): { readonly gateway: PaymentGateway; readonly mode: PaymentMode } | undefined {
  if (config.stripe) {
    const { secretKey, webhookSecret, publishableKey, livemode } = config.stripe;
    return {
      gateway: PaymentGateway.connect(secretKey, webhookSecret),
      mode: { kind: 'stripe', publishableKey, livemode },
    };
  }
  if (!config.sandboxPayments) return undefined;
  const { sandboxApiKey, sandboxWebhookSecret } = config.secrets;
  return {
    gateway: PaymentGateway.connect(sandboxApiKey, sandboxWebhookSecret, createStandInClient(address)),
    mode: { kind: 'sandbox' },
  };
}

/** The stand-in for Stripe; undefined if the configuration does not allow it. */
export function openStandIn(config: Config, pool: Pool, address: OwnAddress): StripeStandIn | undefined {
  if (!config.sandboxPayments) return undefined;
  const logger = new Logger('PaymentSandbox');
  return new StripeStandIn({
    apiKey: config.secrets.sandboxApiKey,
    webhookSecret: config.secrets.sandboxWebhookSecret,
    pool,
    inTransaction,
    webhookUrl: () => {
      const at = address.current;
      return at && `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}/api/webhooks/stripe`;
    },
    warn: (line) => logger.warn(line),
  });
}

/** Serves the stand-in's calls. They form another company's API: no session, and errors in Stripe's shape. */
export function mountStandIn(fastify: FastifyInstance, standIn: StripeStandIn): void {
  for (const { method, path, answer } of standIn.routes) {
    fastify.route<{ Params: { id?: string }; Querystring: Record<string, unknown> }>({
      method,
      url: `${STAND_IN_PATH}${path}`,
      handler: async (request, reply) => {
        const { status, body } = await answer(request);
        return reply.code(status).send(body);
      },
      errorHandler: (error, request, reply) => {
        const { status, body } = asStripeError(error, request);
        void reply.code(status).send(body);
      },
    });
  }
}

function asStripeError(error: unknown, request: Pick<FastifyRequest, 'log'>): SandboxStripeError {
  if (error instanceof SandboxStripeError) return error;
  const { statusCode, code, message } = asAppError(error, request.log);
  const type = statusCode >= 500 ? 'api_error' : 'invalid_request_error';
  return new SandboxStripeError(statusCode, { type, code: code.toLowerCase(), message });
}
