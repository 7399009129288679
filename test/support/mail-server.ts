import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { selfMade } from './certificate.js';
import { eventually } from './eventually.js';

const USER = 'nova';
const PASSWORD = 'p@ss/word';
const FROM = 'nova@nova.example';

export interface ReceivedMail {
  /** From the envelope: the actual recipients, whatever the headers say. */
  readonly recipients: readonly string[];
  readonly isEncrypted: boolean;
  /** By their names in lower case; values unchanged. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

/** The server's answer to an attempt to send: a code such as 451, for the sender, the recipient or the whole mail. */
export interface Refusal {
  readonly code: number;
  readonly at: 'sender' | 'recipient' | 'data';
}

/** A mail server that speaks SMTP on loopback: with STARTTLS under a certificate of its own making, and a password. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Taken one after the other. */
  readonly refusals: Refusal[] = [];
  /** Attempts to send, refused ones included. */
  attempts = 0;

  private constructor(
    private readonly server: SMTPServer,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start({ startTls = true }: { startTls?: boolean } = {}): Promise<MailServer> {
    const folder = mkdtempSync(path.join(tmpdir(), 'nova-mail-'));
    const { key, cert } = await selfMade();
    writeFileSync(path.join(folder, 'ca.pem'), cert);
    const started: { mail?: MailServer } = {};
    const refusal = (at: Refusal['at']): Error | undefined => {
      const mail = started.mail;
      if (!mail || mail.refusals[0]?.at !== at) return undefined;
      const code = mail.refusals.shift()?.code ?? 0;
      return Object.assign(new Error('not now: <somebody@example.com>'), { responseCode: code });
    };
    const options: SMTPServerOptions = {
      key,
      cert,
      ...(startTls ? {} : { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
      onAuth: ({ username, password }, _session, callback) =>
        username === USER && password === PASSWORD ? callback(null, { user: USER }) : callback(new Error('wrong')),
      onMailFrom: (_address, _session, callback) => callback(refusal('sender')),
      onRcptTo(_address, _session, callback) {
        if (started.mail) started.mail.attempts += 1;
        callback(refusal('recipient'));
      },
      onData(stream, session, callback) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const refused = refusal('data');
          if (!refused) {
            const recipients = session.envelope.rcptTo.map(({ address }) => address);
            started.mail?.mails.push({
              recipients,
              isEncrypted: session.secure,
              ...readMail(Buffer.concat(chunks).toString('utf8')),
            });
          }
          callback(refused);
        });
      },
    };
    const server = new SMTPServer(options);
    // Clients may disconnect at any moment.
    server.on('error', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    const { port } = server.server.address() as AddressInfo;
    return (started.mail = new MailServer(server, folder, port));
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      SMTP_URL: `smtp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.port}`,
      SMTP_CA_FILE: path.join(this.folder, 'ca.pem'),
      MAIL_FROM: `Nova <${FROM}>`,
    };
  }

  /** The mail to this address with that subject, once it arrives; each mail is returned once. */
  async mailTo(address: string, subject: string): Promise<ReceivedMail> {
    const isIt = ({ recipients, headers }: ReceivedMail): boolean =>
      recipients.includes(address) && headers.get('subject') === subject;
    await eventually(
      async () => this.mails.some(isIt),
      (there) => there,
    );
    const [found] = this.mails.splice(this.mails.findIndex(isIt), 1);
    if (!found) throw new Error(`no mail “${subject}”`);
    return found;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The token of the link in a mail. */
export function tokenIn({ text }: ReceivedMail): string {
  const [, token] = /#([\w-]{43})$/m.exec(text) ?? [];
  if (token === undefined) throw new Error(`no link in ${text}`);
  return token;
}

/** As much of MIME as two alternatives in one mail need. */
function readMail(source: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = readPart(source);
  const [, boundary] = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '') ?? [];
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).map((part) => readPart(part.trimStart()));
  const of = (type: string): string =>
    (parts.find((part) => part.headers.get('content-type')?.startsWith(type))?.body ?? '').replaceAll('\r\n', '\n');
  return { headers, text: of('text/plain'), html: of('text/html') };
}

function readPart(source: string): { headers: Map<string, string>; body: string } {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const raw = source.slice(end + 4);
  switch (headers.get('content-transfer-encoding')) {
    case 'base64':
      return { headers, body: Buffer.from(raw, 'base64').toString('utf8') };
    case 'quoted-printable': {
      const bytes = raw
        .replaceAll(/=\r\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
      return { headers, body: Buffer.from(bytes, 'latin1').toString('utf8') };
    }
    case undefined:
    default:
      return { headers, body: raw };
  }
}
