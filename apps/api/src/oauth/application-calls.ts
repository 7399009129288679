import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { applicationIdOf, isTestClientId } from '@app/domain';
import { InvalidCursor } from '@app/projections';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { Rounds } from '../platform/rounds.js';
import { CALLS_LOGGED_MAX, CALLS_WAITING_MAX } from './limits.js';

/** By what an application proved itself in a call. */
export const CREDENTIALS = ['secret', 'token', 'member_token'] as const;

export interface Caller {
  /** Its own, or its test client's: both have one log. */
  readonly clientId: string;
  readonly credential: (typeof CREDENTIALS)[number];
  /** Of the secret, or of the one that proved the token; null for a member's token. */
  readonly secretName: string | null;
}

interface Call extends Caller {
  /** False for a call of the test client. */
  readonly livemode: boolean;
  readonly at: Date;
  readonly method: string;
  /** The route as it is declared: nothing that a caller wrote. */
  readonly route: string;
  readonly status: number;
  /** Why it was refused. */
  readonly code: string | null;
  readonly durationMs: number;
  readonly requestId: string;
}

export interface LoggedCall extends Omit<Call, 'clientId'> {
  readonly id: string;
  /** Calls at about the same time, or before the first of the log, that were not kept. */
  readonly leftOut: number;
}

const WRITE_EVERY_MS = 1_000;

const WRITE = `
  insert into application_calls
    (client_id, livemode, at, method, route, status, code, duration_ms, credential, secret_name, request_id, left_out)
  select "clientId", livemode, at, method, route, status, code, "durationMs", credential, "secretName", "requestId", "leftOut"
  from jsonb_to_recordset($1) as call("clientId" text, livemode boolean, at timestamptz, method text, route text, status smallint, code text,
    "durationMs" real, credential text, "secretName" text, "requestId" text, "leftOut" integer)`;

const READ = `
  select id, livemode, at, method, route, status, code, duration_ms as "durationMs", credential, secret_name as "secretName",
    request_id as "requestId", left_out as "leftOut"
  from application_calls where client_id = $1 and id < $2 order by id desc limit $3`;

const CURSOR = /^\d{1,18}$/;
const FIRST_PAGE = '9223372036854775807';

/**
 * The log of applications' calls (rule oauth-28): of each that proved which application it came from, what was called and what
 * became of it. It never sees a body, a query or a header. Calls do not wait for it: they are written once a second, and lost
 * if the server dies before.
 */
@Injectable()
export class ApplicationCalls extends Rounds {
  private readonly callers = new WeakMap<IncomingMessage, Caller & { code?: string }>();
  private readonly waiting: Call[] = [];
  /** By application, since the last write: calls that were counted, and those of them that nobody will write. */
  private counts = new Map<string, { seen: number; leftOut: number }>();

  constructor(@InjectPool() private readonly pool: pg.Pool) {
    super({ firstAfterMs: WRITE_EVERY_MS, everyMs: WRITE_EVERY_MS }, "writing the log of applications' calls");
  }

  protected override round(): Promise<void> {
    return this.write();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.write();
  }

  /** The request has proved whose it is. */
  isOf(request: IncomingMessage, caller: Caller): void {
    this.callers.set(request, caller);
  }

  /** What the OAuth provider refused it with. */
  isRefused(request: IncomingMessage, code: string): void {
    const caller = this.callers.get(request);
    if (caller) caller.code = code;
  }

  /** Logs each request that has proved whose it is, once it is answered. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      const caller = this.callers.get(request.raw);
      if (caller) this.note(request, reply, caller);
      done();
    });
  }

  private note(request: FastifyRequest, reply: FastifyReply, { code, ...caller }: Caller & { code?: string }): void {
    const clientId = applicationIdOf(caller.clientId);
    const count = this.counts.get(clientId) ?? { seen: 0, leftOut: 0 };
    this.counts.set(clientId, count);
    count.seen += 1;
    if (count.seen > CALLS_LOGGED_MAX || this.waiting.length >= CALLS_WAITING_MAX) {
      count.leftOut += 1;
      return;
    }
    this.waiting.push({
      ...caller,
      clientId,
      livemode: !isTestClientId(caller.clientId),
      at: new Date(Date.now() - reply.elapsedTime),
      method: request.method,
      route: request.routeOptions.url ?? '',
      status: reply.raw.statusCode,
      code: code ?? request.refusedWith ?? null,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      requestId: request.id,
    });
  }

  private async write(): Promise<void> {
    const calls = this.waiting.slice();
    const { counts } = this;
    this.counts = new Map();
    // The last one of each application tells how many came with it.
    const told = new Set<string>();
    const rows = calls
      .toReversed()
      .map((call) => {
        const leftOut = told.has(call.clientId) ? 0 : (counts.get(call.clientId)?.leftOut ?? 0);
        told.add(call.clientId);
        return { ...call, leftOut };
      })
      .toReversed();
    try {
      // In a transaction, so that a write that was given up for its slowness is undone and not repeated beside itself.
      if (rows.length > 0) await inTransaction(this.pool, (client) => client.query(WRITE, [JSON.stringify(rows)]));
      this.waiting.splice(0, calls.length);
      for (const clientId of told) counts.delete(clientId);
    } finally {
      // What nothing was written of is told with the next call.
      for (const [clientId, { leftOut }] of counts) if (leftOut > 0) this.leaveOut(clientId, leftOut);
    }
  }

  private leaveOut(clientId: string, more: number): void {
    const { seen, leftOut } = this.counts.get(clientId) ?? { seen: 0, leftOut: 0 };
    this.counts.set(clientId, { seen, leftOut: leftOut + more });
  }

  /** Newest first. @throws InvalidCursor */
  async list(
    clientId: string,
    { limit, cursor = FIRST_PAGE }: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<{ calls: LoggedCall[]; nextCursor: string | null }> {
    if (cursor !== FIRST_PAGE && !CURSOR.test(cursor)) throw new InvalidCursor();
    const { rows } = await this.pool.query<LoggedCall>(READ, [clientId, cursor, limit + 1]);
    const calls = rows.slice(0, limit);
    return { calls, nextCursor: rows.length > limit ? (calls.at(-1)?.id ?? null) : null };
  }
}
