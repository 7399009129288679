import { timingSafeEqual } from 'node:crypto';
import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Headers,
  Injectable,
  Logger,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../platform/auth/access.js';
import { asAppError } from '../../platform/errors/error-body.js';
import { readBalanceQuery } from './balance-transactions.js';
import { invalidRequest, noSuch, SandboxStripeError } from './sandbox-error.js';
import {
  cancelPaymentIntent,
  closeDispute,
  confirmPaymentIntent,
  createPaymentIntent,
  createRefund,
  evidenceOutcome,
} from './sandbox-stripe.js';
import { type SandboxAnswer, type SandboxObjects, SandboxStore } from './sandbox-store.js';
import { formText, parseStripeForm, type StripeForm } from './stripe-form.js';
import { PaymentSandbox } from './payment-sandbox.js';
import type { SandboxKinds } from './stripe-objects.js';

/** Errors in Stripe's shape, since Stripe's client reads them. */
@Injectable()
@Catch()
export class SandboxErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('PaymentSandbox');

  catch(exception: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent) return;
    const error = exception instanceof SandboxStripeError ? exception : asStripeError(exception);
    if (error.status >= 500) this.logger.error(exception);
    void reply.code(error.status).type('application/json; charset=utf-8').send(error.body);
  }
}

function asStripeError(exception: unknown): SandboxStripeError {
  const { statusCode, code, message } = asAppError(exception);
  const type = statusCode >= 500 ? 'api_error' : 'invalid_request_error';
  return new SandboxStripeError(statusCode, { type, code: code.toLowerCase(), message });
}

/**
 * The local stand-in for Stripe's API (rule wallet-20). Confirming needs the client secret, as
 * in the browser; everything else needs the stand-in's own API key. Answers 404 wherever the stand-in does not run.
 */
@ApiExcludeController()
@Public()
@UseFilters(SandboxErrorFilter)
@Controller('sandbox/stripe/v1')
export class SandboxStripeController {
  constructor(
    private readonly store: SandboxStore,
    private readonly sandbox: PaymentSandbox,
  ) {}

  @Post('payment_intents')
  create(
    @Req() request: FastifyRequest,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    this.requireApiKey(request.headers.authorization);
    return this.change({ request, body, reply }, createPaymentIntent);
  }

  @Post('payment_intents/:id/confirm')
  confirm(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.change({ request, body, reply }, async (objects, form) => {
      const intent = await objects.take('payment_intent', id);
      this.requireSecret(intent?.client_secret, formText(form, 'client_secret'), request.headers.authorization);
      return confirmPaymentIntent(objects, id, form);
    });
  }

  @Post('payment_intents/:id/cancel')
  cancel(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    this.requireApiKey(request.headers.authorization);
    return this.change({ request, body, reply }, (objects) => cancelPaymentIntent(objects, id));
  }

  @Get('payment_intents/:id')
  async retrieveIntent(
    @Param('id') id: string,
    @Query('client_secret') clientSecret: unknown,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<object> {
    this.requireRunning();
    const intent = await this.store.find('payment_intent', id);
    this.requireSecret(
      intent?.client_secret,
      typeof clientSecret === 'string' ? clientSecret : undefined,
      authorization,
    );
    return intent ?? fail(noSuch('payment_intent', id));
  }

  @Post('refunds')
  refund(
    @Req() request: FastifyRequest,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    this.requireApiKey(request.headers.authorization);
    return this.change({ request, body, reply }, createRefund);
  }

  @Get('refunds')
  refunds(
    @Query() query: Record<string, unknown>,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<object> {
    return this.list('refund', query, authorization);
  }

  @Get('disputes')
  disputes(
    @Query() query: Record<string, unknown>,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<object> {
    return this.list('dispute', query, authorization);
  }

  @Get('balance_transactions')
  async balanceTransactions(
    @Query() query: Record<string, unknown>,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<object> {
    this.requireApiKey(authorization);
    const form = parseStripeForm(query) ?? {};
    return this.store.balanceTransactions(readBalanceQuery(form, limitOf(form)));
  }

  @Get('disputes/:id')
  async retrieveDispute(
    @Param('id') id: string,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<object> {
    this.requireApiKey(authorization);
    return (await this.store.find('dispute', id)) ?? fail(noSuch('dispute', id));
  }

  /** Stripe's test evidence decides at once. */
  @Post('disputes/:id')
  updateDispute(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    this.requireApiKey(request.headers.authorization);
    return this.change({ request, body, reply }, (objects, form) => closeDispute(objects, id, evidenceOutcome(form)));
  }

  @Post('disputes/:id/close')
  acceptDispute(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    this.requireApiKey(request.headers.authorization);
    return this.change({ request, body, reply }, (objects) => closeDispute(objects, id, 'lost'));
  }

  private async change(
    {
      request,
      body,
      reply,
    }: { readonly request: FastifyRequest; readonly body: unknown; readonly reply: FastifyReply },
    work: (objects: SandboxObjects, form: StripeForm) => Promise<SandboxAnswer>,
  ): Promise<object> {
    this.requireRunning();
    const form = parseStripeForm(isRecord(body) ? body : {});
    if (!form) throw invalidRequest('The request body is not in the form encoding that this API takes.');
    const key = request.headers['idempotency-key'];
    const answer = await this.store.call(
      {
        idempotencyKey: typeof key === 'string' && key !== '' ? key : undefined,
        content: JSON.stringify([request.method, request.url, request.headers.authorization ?? null, body ?? null]),
      },
      (objects) => work(objects, form),
    );
    this.sandbox.nudge();
    void reply.code(answer.status);
    return answer.body;
  }

  private async list(
    kind: keyof SandboxKinds,
    query: Record<string, unknown>,
    authorization: string | undefined,
  ): Promise<object> {
    this.requireApiKey(authorization);
    const form = parseStripeForm(query) ?? {};
    const paymentIntent = formText(form, 'payment_intent');
    if (!paymentIntent) throw invalidRequest('The sandbox lists by payment_intent.', { param: 'payment_intent' });
    return this.store.list(kind, {
      paymentIntent,
      startingAfter: formText(form, 'starting_after'),
      limit: limitOf(form),
    });
  }

  private requireRunning(): void {
    if (!this.sandbox.running)
      throw new SandboxStripeError(404, {
        type: 'invalid_request_error',
        message: 'The payment sandbox does not run here.',
      });
  }

  private requireSecret(
    secret: string | undefined,
    shown: string | undefined,
    authorization: string | undefined,
  ): void {
    if (secret !== undefined && shown !== undefined && same(secret, shown)) return;
    this.requireApiKey(authorization);
  }

  private requireApiKey(authorization: string | undefined): void {
    this.requireRunning();
    const shown = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
    if (shown !== undefined && same(this.sandbox.apiKey, shown)) return;
    throw new SandboxStripeError(401, {
      type: 'invalid_request_error',
      message: 'You did not provide a valid API key or client secret.',
    });
  }
}

const limitOf = (form: StripeForm): number => Math.min(Math.max(Number(formText(form, 'limit') ?? 10) || 10, 1), 100);

const same = (expected: string, shown: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(shown)];
  return a.length === b.length && timingSafeEqual(a, b);
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function fail(error: Error): never {
  throw error;
}
