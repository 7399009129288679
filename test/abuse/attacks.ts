import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { WebSocket } from 'ws';
import { GOOD_PASSWORD } from '../support/secrets.js';
import { Visitor } from './visitor.js';

/** Who attacks: a stranger, and a member who signed in as anybody may. */
export interface Attackers {
  readonly url: string;
  readonly stranger: Visitor;
  readonly member: Visitor;
  readonly animation: Buffer;
}

export interface Attack {
  readonly name: string;
  /** How often it is sent, and how often at a time. */
  readonly count: number;
  readonly parallel: number;
  /** Sends it once; answers the status, 0 where there is none. */
  send(attackers: Attackers, turn: number): Promise<number>;
}

const wide = (keys: number): string =>
  `{${Array.from({ length: keys }, (_, index) => `"k${index.toString(36)}":1`).join(',')}}`;
const SIGN_IN = '/api/auth/signin';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const FRAMES_PER_SOCKET = 20;
const SLOW_MS = 4_000;

const posts = (name: string, target: string, body: string, times = { count: 100, parallel: 10 }): Attack => ({
  name,
  ...times,
  send: async ({ stranger }) => (await stranger.send('POST', target, { body })).status,
});

/** Wide, deep, long, many, slow, parallel, moving pictures, sockets: what costs a sender little and might cost a server much. */
export const ATTACKS: readonly Attack[] = [
  posts('wide: 90,000 keys', SIGN_IN, wide(90_000), { count: 40, parallel: 4 }),
  posts('wide: 20,000 keys', SIGN_IN, wide(20_000)),
  posts('wide: as many keys as 16 kB hold', SIGN_IN, wide(1_500), { count: 400, parallel: 20 }),
  posts('wide: 99 unknown keys', SIGN_IN, wide(99), { count: 400, parallel: 20 }),
  {
    name: 'wide: in a field, by a member',
    count: 400,
    parallel: 20,
    send: async ({ member }) =>
      (await member.send('POST', '/api/chats/initiate', { body: `{"initiatorProfileData":${wide(1_400)}}` })).status,
  },
  posts('deep: 2,700 levels', SIGN_IN, `${'{"a":'.repeat(2_700)}1${'}'.repeat(2_700)}`, { count: 400, parallel: 20 }),
  posts('long: a text of 1 MB', SIGN_IN, JSON.stringify({ email: 'x'.repeat(1_000_000) }), { count: 40, parallel: 4 }),
  posts('long: a list of 8,000', SIGN_IN, `{"email":[${'1,'.repeat(7_999)}1]}`, { count: 400, parallel: 20 }),
  {
    name: 'long: 5,000 parameters',
    count: 400,
    parallel: 20,
    send: async ({ member }) => (await member.send('GET', `/api/discovery/feed?${'a&'.repeat(5_000)}`)).status,
  },
  {
    name: 'long: 3,000 cookies',
    count: 400,
    parallel: 20,
    send: async ({ stranger }) =>
      (await stranger.send('GET', '/api/auth/user', { headers: { cookie: 'a=b; '.repeat(3_000) } })).status,
  },
  {
    name: 'long: forms for tokens',
    count: 200,
    parallel: 20,
    send: async ({ stranger }) =>
      (await stranger.send('POST', '/oauth/token', { headers: FORM, body: 'a=b&'.repeat(4_000) })).status,
  },
  {
    name: 'many: sign-ins of made-up members',
    count: 700,
    parallel: 240,
    async send({ url, stranger }, turn) {
      const visitor = new Visitor(url, stranger.address, 1);
      const body = { email: `nobody-${turn}@example.com`, password: GOOD_PASSWORD, tcConsent: true, tcVersion: '1.0' };
      const { status } = await visitor.post(SIGN_IN, body);
      visitor.close();
      return status;
    },
  },
  {
    name: 'many: recoveries of made-up members',
    count: 300,
    parallel: 60,
    send: async ({ stranger }, turn) =>
      (
        await stranger.post('/api/auth/recover', {
          email: `nobody-${turn}@example.com`,
          pin: '739154',
          newPassword: `${GOOD_PASSWORD} anew`,
        })
      ).status,
  },
  {
    name: 'many: authorizations with a state of 6 kB',
    count: 300,
    parallel: 20,
    send: async ({ stranger }) =>
      (await stranger.send('GET', `/oauth/authorize?client_id=none&response_type=code&state=${'x'.repeat(6_000)}`))
        .status,
  },
  {
    name: 'many: made-up session cookies',
    count: 1_000,
    parallel: 30,
    send: async ({ stranger }) =>
      (
        await stranger.send('GET', '/api/auth/user', {
          headers: { cookie: `nova_session=${randomBytes(32).toString('base64url')}` },
        })
      ).status,
  },
  ...['/api/openapi.json', '/api/docs/swagger-ui-init.js', '/metrics', '/health/ready'].map((target): Attack => ({
    name: `many: ${target}`,
    count: 400,
    parallel: 20,
    send: async ({ stranger }) => (await stranger.send('GET', target)).status,
  })),
  {
    name: 'many: searches by a member',
    count: 600,
    parallel: 32,
    send: async ({ member }, turn) =>
      (await member.send('GET', `/api/discovery/feed?search=${(turn % 36).toString(36)}a`)).status,
  },
  {
    name: 'broken off: sign-ins behind each other',
    count: 200,
    parallel: 20,
    async send({ url, stranger }, turn) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const body = JSON.stringify({
        email: `nobody-${turn}@example.com`,
        password: GOOD_PASSWORD,
        tcConsent: true,
        tcVersion: '1.0',
      });
      const request =
        `POST ${SIGN_IN} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${stranger.address}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      socket.write(request.repeat(4));
      await sleep(15);
      socket.resetAndDestroy();
      return 0;
    },
  },
  {
    name: 'sockets: another protocol behind an answer, left open',
    count: 60,
    parallel: 30,
    async send({ url }) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
      socket.write(`POST ${SIGN_IN} HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`);
      socket.write(`GET /health/live HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`);
      await sleep(SLOW_MS);
      return ended(socket);
    },
  },
  {
    name: 'slow: bodies that stop half way',
    count: 200,
    parallel: 200,
    async send({ url }) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(
        `POST ${SIGN_IN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"`,
      );
      await sleep(SLOW_MS);
      return ended(socket);
    },
  },
  {
    name: 'sockets: wide frames of 60 kB',
    count: 32,
    parallel: 32,
    async send({ url, member }) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { cookie: member.cookie } });
      socket.on('error', () => undefined);
      await Promise.race([once(socket, 'open'), once(socket, 'close')]).catch(() => undefined);
      if (socket.readyState !== WebSocket.OPEN) return 0;
      const frame = `{"type":"video_signal","signal":${wide(5_000)}}`;
      for (let sent = 0; sent < FRAMES_PER_SOCKET; sent++) socket.send(frame);
      await sleep(1_000);
      socket.close();
      return 101;
    },
  },
  {
    name: 'moving: animated pictures of 64 × 1,020²',
    count: 4,
    parallel: 4,
    async send({ url, member, animation }) {
      const { status, text } = await member.post('/api/content/upload-url', {});
      if (status !== 200 && status !== 201) return status;
      const { uploadURL, mediaUrl } = JSON.parse(text) as { uploadURL: string; mediaUrl: string };
      const { pathname, search } = new URL(uploadURL, url);
      const headers = { 'content-type': 'image/webp' };
      const put = await member.send('PUT', `${pathname}${search}`, { headers, body: animation });
      if (put.status >= 300) return put.status;
      return (await member.post('/api/content/discovery', { mediaUrl })).status;
    },
  },
];

function ended(socket: Socket): number {
  socket.destroy();
  return 0;
}

const SIDE_PX = 1_020;
/** With one more it would be refused unseen. */
const FRAMES = 30;

/** Small to send, and many pixels to look at. */
export function movingPicture(): Promise<Buffer> {
  const frames = Buffer.alloc(SIDE_PX * SIDE_PX * FRAMES);
  for (let frame = 0; frame < FRAMES; frame++) {
    frames.fill(frame * 3, frame * SIDE_PX * SIDE_PX, (frame + 1) * SIDE_PX * SIDE_PX);
  }
  const raw = { width: SIDE_PX, height: SIDE_PX * FRAMES, channels: 1, pageHeight: SIDE_PX } as const;
  const delay = Array.from({ length: FRAMES }, () => 40);
  return sharp(frames, { raw, limitInputPixels: false }).webp({ effort: 0, lossless: true, delay }).toBuffer();
}
