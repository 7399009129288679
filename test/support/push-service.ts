import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.js';

/** A browser's subscription with the keys that it keeps to itself. */
export class PushReceiver {
  private readonly ecdh: ECDH = createECDH('prime256v1');
  private readonly auth = randomBytes(16);

  constructor(readonly endpoint: string) {
    this.ecdh.generateKeys();
  }

  /** As `PushSubscription.toJSON()` gives it. */
  get subscription() {
    const keys = { p256dh: this.ecdh.getPublicKey('base64url'), auth: this.auth.toString('base64url') };
    return { endpoint: this.endpoint, keys };
  }

  /** Reads what was encrypted for it (RFC 8291, RFC 8188). */
  // oxlint-disable-next-line typescript/no-explicit-any
  open(body: Buffer): any {
    const salt = body.subarray(0, 16);
    const idLength = body.readUInt8(20);
    const senderKey = body.subarray(21, 21 + idLength);
    const sealed = body.subarray(21 + idLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.ecdh.getPublicKey(), senderKey]);
    const secret = Buffer.from(hkdfSync('sha256', this.ecdh.computeSecret(senderKey), this.auth, info, 32));
    const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'));
  }
}

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A push service on this machine. It answers 201 unless `answer` says otherwise. */
export class PushService {
  readonly received: Received[] = [];
  /** By path. */
  readonly answers = new Map<string, (response: ServerResponse) => void>();
  private readonly server: Server;
  private made = 0;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url: path = '', headers } = request;
        this.received.push({ path, headers, body: Buffer.concat(chunks) });
        const answer = this.answers.get(path);
        if (answer) answer(response);
        else response.writeHead(201).end();
      });
    });
  }

  static async start(): Promise<PushService> {
    const service = new PushService();
    service.server.listen(0, '127.0.0.1');
    await once(service.server, 'listening');
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A new browser that gets its notifications here. */
  receiver(answer?: (response: ServerResponse) => void): PushReceiver {
    this.made += 1;
    const path = `/push/${this.made}`;
    if (answer) this.answers.set(path, answer);
    return new PushReceiver(this.origin + path);
  }

  /** What came for a browser, as it was sent. */
  of(receiver: PushReceiver): Received[] {
    return this.received.filter(({ path }) => this.origin + path === receiver.endpoint);
  }

  /** Waits for so many notifications, and reads them as the browser would. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async read(receiver: PushReceiver, count = 1): Promise<any[]> {
    const received = await eventually(
      () => this.of(receiver),
      (all) => all.length >= count,
    );
    return received.map(({ body }) => receiver.open(body));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** The claims of the token with which a server says who it is (RFC 8292). @throws Error it is not signed with the key beside it */
export function vapidClaims(headers: IncomingMessage['headers']): {
  key: string;
  aud: string;
  sub: string;
  exp: number;
} {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
    format: 'jwk',
  });
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))) {
    throw new Error('the token is not signed with its key');
  }
  return {
    key,
    ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; sub: string; exp: number }),
  };
}
