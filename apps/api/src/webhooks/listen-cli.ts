import { setTimeout as sleep } from 'node:timers/promises';
import { applicationIdOf } from '@app/domain';
import type pg from 'pg';
import { Applications } from '../oauth/applications.js';
import { loadConfig } from '../platform/config.js';
import { Explained } from '../platform/errors/explained.js';
import { requestPublic } from '../platform/http/public-request.js';
import { WEBHOOK_EVENTS } from './event-types.js';
import { ANSWER_BYTES_MAX, ANSWER_KEPT_MAX, ATTEMPT_MS_MAX } from './limits.js';
import { signedHeaders } from './signature.js';
import { WebhookEndpoints } from './webhook-endpoints.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { type Attempt, reasonOf } from './webhook-sender.js';

const LOOK_EVERY_MS = 200;
const BATCH = 100;
/** Tells endpoints of this command from others: the next run deletes one that a killed run has left. */
const MARK = '#listen';

const LEFT_OVER = `
  delete from webhook_endpoints where client_id = $1 and url = $2 and off_reason is not null`;

const WAITING = `
  select d.id, d.type, d.body from webhook_deliveries d
    join webhook_endpoints e on e.id = d.endpoint_id
    join application_directory a on a.client_id = e.application_id and a.is_active
  where d.endpoint_id = $1 and d.next_at is not null
    and (d.member_id is null or e.client_id <> e.application_id
      or exists (select from member_directory m where m.id = d.member_id and m.closed_at is null))
  order by d.sequence limit ${BATCH}`;

const DONE = `
  update webhook_deliveries set attempts = attempts || $2::jsonb, tries = tries + 1, next_at = null, outcome = $3
  where id = $1`;

interface WaitingRow {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

export interface Listening {
  readonly pool: pg.Pool;
  readonly clientId: string;
  /** On this machine. */
  readonly url: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly write: (line: string) => Promise<void>;
}

/**
 * `listen`: forwards what an application is told to an address on this machine, once each, until `signal` ends it. Its endpoint is
 * switched off, so that no server sends what waits there, and is deleted at the end with its deliveries.
 * @throws Explained there is no such application; AppError 400 `INVALID_URL`, 409 `WEBHOOK_LIMIT`
 */
export async function listenFromTerminal({ pool, clientId, url, signal, write }: Listening): Promise<void> {
  const application = await new Applications(pool).find(applicationIdOf(clientId));
  if (!application) throw new Explained(`There is no application with the client id ${clientId}.`);
  const { ownerId, name } = application;
  const config = loadConfig(process.env);
  // Also where the installation is another one's address: the machine is the caller's own.
  const local = { ...config, publicUrl: 'http://localhost' };
  const endpoints = new WebhookEndpoints(local, pool, new WebhookSecrets(config));
  await pool.query(LEFT_OVER, [clientId, url + MARK]);
  const { id, secret } = await endpoints.add(
    { clientId, ownerId },
    { url: url + MARK, events: WEBHOOK_EVENTS, isOn: false },
  );
  try {
    await write(`Listening to ${name}, forwarding to ${url}. Ctrl-C ends it.\nSecret: ${secret}\n`);
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    while (!signal.aborted) {
      const waiting = (await pool.query<WaitingRow>(WAITING, [id])).rows;
      for (const row of waiting) {
        if (signal.aborted) break;
        await write(await forward(pool, row, { url, secret: bytes }));
      }
      if (waiting.length < BATCH) await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await endpoints.remove({ clientId, id });
  }
}

/** @returns a line that says what became of it */
async function forward(
  pool: pg.Pool,
  { id, type, body }: WaitingRow,
  { url, secret }: { readonly url: string; readonly secret: Buffer },
): Promise<string> {
  const [at, started] = [new Date(), performance.now()];
  const timestamp = Math.floor(at.getTime() / 1_000);
  const answered = await requestPublic({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedHeaders({ id, timestamp, body, secrets: [secret] }) },
    body: Buffer.from(body),
    loopbackAllowed: true,
    timeMsMax: ATTEMPT_MS_MAX,
    answerBytesMax: ANSWER_BYTES_MAX,
  }).then(
    ({ status, body: answer }) => ({
      status,
      answer: answer.toString('utf8').replaceAll('\0', '').slice(0, ANSWER_KEPT_MAX),
    }),
    (error: unknown) => ({ error: reasonOf(error) }),
  );
  const ms = Math.round(performance.now() - started);
  const attempt: Attempt = { at: at.toISOString(), ms, ...answered };
  const isDelivered = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
  await pool.query(DONE, [id, JSON.stringify([attempt]), isDelivered ? 'delivered' : 'given_up']);
  return `${attempt.at}  ${attempt.status ?? '---'}  ${type.padEnd(16)}  ${id}  ${attempt.error ?? `${ms} ms`}\n`;
}
