import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { freshKey } from './gifts.js';

/** One keep-alive connection's member. */
export interface LoadMember {
  readonly cookie: string;
  readonly recipientId: string;
}

export interface LoadOrder {
  readonly port: number;
  readonly members: readonly LoadMember[];
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  readonly failures: readonly string[];
}

/**
 * Gifts over HTTP from a thread of its own, with as little work a request as possible: this client shares the machine with
 * the server that it measures. One request at a time on each connection.
 */
async function load({ port, members, seconds, warmUpSeconds }: LoadOrder): Promise<LoadResult> {
  const measureFrom = performance.now() + warmUpSeconds * 1_000;
  const end = measureFrom + seconds * 1_000;
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  const runs = members.map((member) =>
    converse(port, member, end, (ms, answer) => {
      if (!answer.startsWith('HTTP/1.1 201')) failures.push(answer.slice(0, 400));
      else if (performance.now() >= measureFrom) latenciesMs.push(ms);
    }),
  );
  await Promise.all(runs);
  return { perSecond: latenciesMs.length / seconds, latenciesMs, failures: failures.slice(0, 5) };
}

function converse(port: number, member: LoadMember, end: number, onAnswer: (ms: number, answer: string) => void) {
  const body = `{"recipientId":"${member.recipientId}","amount":1000}`;
  const head =
    `POST /api/gifts/send HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\nCookie: ${member.cookie}\r\nIdempotency-Key: `;
  return new Promise<void>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let received = '';
    const send = () => {
      sentAt = performance.now();
      socket.write(`${head}${freshKey()}\r\n\r\n${body}`);
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      received += chunk;
      const bodyAt = received.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(received)?.[1];
      if (bodyAt < 0 || !length || received.length < bodyAt + 4 + Number(length)) return;
      onAnswer(performance.now() - sentAt, received);
      received = '';
      if (performance.now() < end) send();
      else socket.end(resolve);
    });
  });
}

parentPort?.postMessage(await load(workerData as LoadOrder));
