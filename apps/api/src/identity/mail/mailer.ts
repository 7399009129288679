import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import type { Transporter } from 'nodemailer';
import { type Config, InjectConfig, type MailConfig } from '../../platform/config.js';
import { Explained, reasonOf } from '../../platform/errors/explained.js';

/** How long the server may take to be reached, to greet, and to say anything at all. */
const CONNECTION_MS_MAX = 10_000;
const GREETING_MS_MAX = 10_000;
const SILENCE_MS_MAX = 20_000;
const CONNECTIONS_MAX = 2;

export interface Mail {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Hands mail to the server that `SMTP_URL` names. Nothing of a mail is ever a file name, an address to fetch or a list. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly logger = new Logger(Mailer.name);
  private readonly transport: Transporter | undefined;

  constructor(@InjectConfig() private readonly config: Config) {
    const { mail } = config;
    if (!mail) return;
    if (mail.security === 'none') {
      this.logger.warn('SMTP_TLS is off: mail, with the links in it, goes to its server as plain text.');
    }
    this.transport = createTransport({
      pool: true,
      maxConnections: CONNECTIONS_MAX,
      host: mail.host,
      port: mail.port,
      secure: mail.security === 'tls',
      requireTLS: mail.security === 'starttls',
      ignoreTLS: mail.security === 'none',
      ...(mail.credentials ? { auth: mail.credentials } : {}),
      tls: { minVersion: 'TLSv1.2', ...authorities(mail) },
      connectionTimeout: CONNECTION_MS_MAX,
      greetingTimeout: GREETING_MS_MAX,
      socketTimeout: SILENCE_MS_MAX,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Whether this installation sends mail at all. */
  get isSetUp(): boolean {
    return this.transport !== undefined;
  }

  /** @throws Error the server could not be reached, or did not take it */
  async send({ to, subject, text, html }: Mail): Promise<void> {
    if (!this.transport || !this.config.mail) throw new Error('mail is not set up');
    await this.transport.sendMail({
      from: this.config.mail.from,
      // Never as text: that may name several.
      to: { name: to.name, address: to.address },
      subject,
      text,
      html,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

function authorities({ authorityFile }: MailConfig): { ca?: string[] } {
  if (authorityFile === undefined) return {};
  try {
    return { ca: [...rootCertificates, readFileSync(authorityFile, 'utf8')] };
  } catch (cause) {
    throw new Explained(`SMTP_CA_FILE must be a file of certificates that can be read: ${reasonOf(cause)}.`, { cause });
  }
}
