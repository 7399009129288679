import { Agent, request } from 'node:http';
import { parseSetCookie, stringifyCookie } from 'cookie';

const ANSWER_MS_MAX = 60_000;

export interface Answer {
  /** 0: the server hung up, as it may on whoever sends more than it reads. */
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, as JSON unless the headers say otherwise. */
  readonly body?: string | Buffer;
}

/** Somebody at an address of their own, with the connections and the cookies of a browser. */
export class Visitor {
  private readonly cookies = new Map<string, string>();
  private readonly agent: Agent;

  constructor(
    readonly url: string,
    readonly address: string,
    connections = 6,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  get cookie(): string {
    return stringifyCookie(Object.fromEntries(this.cookies));
  }

  send(method: string, target: string, { headers = {}, body }: Sending = {}): Promise<Answer> {
    const begun = performance.now();
    const took = (status: number, text = ''): Answer => ({ status, text, ms: performance.now() - begun });
    return new Promise((resolve) => {
      const sent = request(`${this.url}${target}`, {
        method,
        agent: this.agent,
        timeout: ANSWER_MS_MAX,
        headers: {
          'x-forwarded-for': this.address,
          ...(this.cookies.size > 0 ? { cookie: this.cookie } : {}),
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      });
      sent.on('response', (response) => {
        for (const line of response.headers['set-cookie'] ?? []) {
          const { name, value = '' } = parseSetCookie(line);
          this.cookies.set(name, value);
        }
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve(took(response.statusCode ?? 0, Buffer.concat(parts).toString())));
        response.on('error', () => resolve(took(0)));
      });
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(took(0)));
      sent.end(body);
    });
  }

  post(target: string, body: unknown): Promise<Answer> {
    return this.send('POST', target, { body: JSON.stringify(body) });
  }

  close(): void {
    this.agent.destroy();
  }
}
