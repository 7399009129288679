import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Counter } from 'prom-client';
import { type Config, InjectConfig } from '../../platform/config.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { errorCode } from '../../platform/errors/error-code.js';
import { Metrics } from '../../platform/health/metrics.js';
import { Rounds } from '../../platform/rounds.js';
import type { SecurityNotice } from '../security-notice.js';
import {
  asHtml,
  asText,
  type Letter,
  noticeLetter,
  requestLetter,
  resetLetter,
  verificationLetter,
} from './letters.js';
import { MailTokens } from './mail-tokens.js';
import { Mailer } from './mailer.js';
import type { Purpose } from './outgoing-mails.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How soon after its commit a mail is sent. */
const ROUND_MS = SECOND_MS;
/** Of one server in one round, so that stopping it takes no longer than one mail. */
const ROUND_MAX = 100;
/** How long a server's claim on a mail lasts: longer than all time-outs of the connection together. */
const LEASE_MS = 2 * MINUTE_MS;
/** How long to wait after each failure; after the last one a mail is given up. */
const RETRY_AFTER_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS];
/** A later mail would be useless: the member has asked for a new link. */
const USEFUL_MS: Readonly<Record<Purpose, number>> = {
  verify: 24 * HOUR_MS,
  reset: HOUR_MS,
  notice: 24 * HOUR_MS,
  request: 10 * MINUTE_MS,
};

const CLAIM = `
  with claimed as (
    update mails set attempts = attempts + 1, next_at = now() + $1 * interval '1 ms'
    where id = (
      select id from mails where finished_at is null and next_at <= now() order by next_at limit 1 for update skip locked)
    returning id, account_id, purpose, notice, attempts, created_at)
  select c.id, c.purpose, c.notice, c.attempts, c.created_at as "createdAt",
    extract(epoch from now() - c.created_at)::float8 * 1000 as "ageMs",
    a.id as "accountId", a.email, a.email_key as "emailKey", a.display_name as "displayName",
    a.email_verified_at is not null as "isVerified", a.closed_at is not null as "isClosed"
  from claimed c join accounts a on a.id = c.account_id`;

const FINISH = 'update mails set finished_at = now(), notice = null where id = $1';
const RETRY = `update mails set next_at = now() + $2 * interval '1 ms' where id = $1`;
const WAITING = 'select count(*)::int as count from mails where finished_at is null';

interface Claimed {
  readonly id: string;
  readonly purpose: Purpose;
  readonly notice: SecurityNotice | null;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly ageMs: number;
  readonly accountId: string;
  readonly email: string;
  readonly emailKey: string;
  readonly displayName: string;
  readonly isVerified: boolean;
  readonly isClosed: boolean;
}

/**
 * `needless`: its account is gone, or it came too late, or what it is about has been settled. `deferred`: the server does not
 * take this one yet. `retried`: it takes none.
 */
type Outcome = 'sent' | 'needless' | 'deferred' | 'retried' | 'refused' | 'given_up';

/** Sends the mails that wait, one after the other; servers share them. A mail is sent twice rather than never. */
@Injectable()
export class MailDelivery extends Rounds {
  private readonly outcomes;
  private waiting = 0;

  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly mailer: Mailer,
    private readonly tokens: MailTokens,
    metrics: Metrics,
  ) {
    super({ everyMs: ROUND_MS }, 'sending mail');
    this.outcomes = new Counter({
      name: 'nova_mails_total',
      help: 'Tries to send a mail, by purpose and outcome: sent, needless, deferred or refused by the server, retried, given up',
      labelNames: ['purpose', 'outcome'] as const,
      registers: [metrics.registry],
    });
    metrics.gauge('nova_mails_waiting', 'Mails of all servers that wait to be sent', () => this.waiting);
  }

  override onApplicationBootstrap(): void {
    if (this.mailer.isSetUp) super.onApplicationBootstrap();
  }

  protected override async round(signal: AbortSignal): Promise<void> {
    for (let count = 0; count < ROUND_MAX && !signal.aborted; count++) {
      const { rows } = await this.pool.query<Claimed>(CLAIM, [LEASE_MS]);
      const mail = rows[0];
      if (!mail) break;
      const outcome = await this.deliver(mail);
      this.outcomes.inc({ purpose: mail.purpose, outcome });
      // Nothing can be sent: others would only use up their tries.
      if (outcome === 'retried') break;
    }
    const { rows } = await this.pool.query<{ count: number }>(WAITING);
    this.waiting = rows[0]?.count ?? 0;
  }

  private async deliver(mail: Claimed): Promise<Outcome> {
    if (isNeedless(mail)) return this.finish(mail, 'needless');
    try {
      const letter = await this.write(mail);
      await this.mailer.send({
        // Who has not confirmed an address may have taken a stranger's, who is not to read what a member typed.
        to: { name: mail.isVerified ? mail.displayName : '', address: mail.email },
        subject: letter.subject,
        text: asText(letter),
        html: asHtml(letter),
      });
    } catch (error) {
      return this.failed(mail, error);
    }
    return this.finish(mail, 'sent');
  }

  private async write({ purpose, notice, createdAt, accountId, emailKey, displayName }: Claimed): Promise<Letter> {
    const { publicUrl } = this.config;
    // After the #, a link's token is in no server's log and in no Referer.
    const link = async (path: string, kind: 'verify' | 'reset'): Promise<string> =>
      `${publicUrl}${path}#${await this.tokens.issue(kind, { id: accountId, emailKey })}`;
    switch (purpose) {
      case 'verify':
        return verificationLetter(await link('/verify-email', 'verify'));
      case 'reset':
        return resetLetter(displayName, await link('/reset-password', 'reset'));
      case 'request':
        return requestLetter(displayName, `${publicUrl}/?tab=status`);
      case 'notice':
        if (!notice) throw new Error('a notice without its facts');
        return noticeLetter(displayName, notice, createdAt, `${publicUrl}/profile?tab=settings`);
    }
  }

  /** The log says neither the address nor what the server answers: that often repeats it. */
  private async failed(mail: Claimed, error: unknown): Promise<Outcome> {
    const { purpose, attempts, id } = mail;
    const refusal = refusalOf(error);
    const { code, responseCode } = refusal;
    const line = { mailId: id, purpose, attempts, code, responseCode };
    const isOfMail = isAboutMail(refusal);
    const isRefused = isOfMail && (responseCode === undefined || responseCode >= 500);
    const retryAfterMs = RETRY_AFTER_MS[attempts - 1];
    if (isRefused || retryAfterMs === undefined) {
      this.logger.warn(line, isRefused ? 'The mail server refused a mail' : 'A mail was given up');
      return this.finish(mail, isRefused ? 'refused' : 'given_up');
    }
    this.logger.warn(line, 'A mail could not be sent and will be retried');
    await this.pool.query(RETRY, [id, retryAfterMs]);
    return isOfMail ? 'deferred' : 'retried';
  }

  private async finish<T extends Outcome>({ id }: Claimed, outcome: T): Promise<T> {
    await this.pool.query(FINISH, [id]);
    return outcome;
  }
}

function isNeedless({ purpose, ageMs, isClosed, isVerified }: Claimed): boolean {
  if (isClosed || ageMs > USEFUL_MS[purpose]) return true;
  return purpose === 'verify' ? isVerified : !isVerified;
}

interface Refusal {
  readonly code: string | undefined;
  /** The step that failed, as SMTP calls it. */
  readonly command: unknown;
  /** What the server answered, where it did. */
  readonly responseCode: number | undefined;
}

/** Whether a mail, or its recipient, is what the server does not take; else it would take no other mail either. */
function isAboutMail({ code, command }: Refusal): boolean {
  // The sender is the same in all mails.
  return (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
}

const refusalOf = (error: unknown): Refusal => ({
  code: errorCode(error),
  command: error instanceof Error && 'command' in error ? error.command : undefined,
  responseCode:
    error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
      ? error.responseCode
      : undefined,
});
