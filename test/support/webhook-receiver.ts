import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { eventually } from './eventually.js';

export interface ReceivedHook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly message: any;
}

type Answer = (response: ServerResponse) => void;

/** An application's server on this machine that is told by webhooks. It answers 204 unless `answers` says otherwise. */
export class WebhookReceiver {
  readonly received: ReceivedHook[] = [];
  /** By path. */
  readonly answers = new Map<string, Answer>();
  connections = 0;
  private readonly server: Server;
  private made = 0;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url: path = '', headers } = request;
        const body = Buffer.concat(chunks).toString();
        this.received.push({ path, headers, body, message: JSON.parse(body) });
        const answer = this.answers.get(path);
        if (answer) answer(response);
        else response.writeHead(204).end();
      });
    });
    this.server.on('connection', () => (this.connections += 1));
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  /** An address of its own. */
  address(answer?: Answer): string {
    this.made += 1;
    const path = `/hooks/${this.made}`;
    if (answer) this.answers.set(path, answer);
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  of(url: string): ReceivedHook[] {
    const { pathname } = new URL(url);
    return this.received.filter(({ path }) => path === pathname);
  }

  /** Waits for so many, and answers what they say. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async messages(url: string, count: number): Promise<any[]> {
    const all = await eventually(
      () => this.of(url),
      (received) => received.length >= count,
    );
    return all.map(({ message }) => message);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** What the library of the Standard Webhooks says of a delivery. @throws Error it is not signed with this secret */
export const verified = (secret: string, { headers, body }: ReceivedHook): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
