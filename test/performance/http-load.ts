import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { freshKey } from './gifts.js';

const FAILURE_SHOWN_MAX = 400;

/** The request that one keep-alive connection repeats. */
export interface LoadRequest {
  /** `POST /api/gifts/send`. */
  readonly call: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; a command, which gets a new Idempotency-Key each time. */
  readonly body?: string;
}

export interface LoadOrder {
  /** The servers' ports: connections are spread over them. */
  readonly ports: readonly number[];
  /** One for each connection. */
  readonly requests: readonly LoadRequest[];
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  readonly failures: readonly string[];
}

/**
 * Requests over HTTP from a thread of its own, with as little work for each as possible: this client shares the machine with
 * the server that it measures. One request at a time on each connection.
 */
async function load({ ports, requests, seconds, warmUpSeconds }: LoadOrder): Promise<LoadResult> {
  const measureFrom = performance.now() + warmUpSeconds * 1_000;
  const end = measureFrom + seconds * 1_000;
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  const runs = requests.map((request, n) =>
    converse(ports[n % ports.length] ?? 0, request, end, (ms, answer) => {
      if (!answer.startsWith('HTTP/1.1 20')) failures.push(shortOf(answer));
      else if (performance.now() >= measureFrom) latenciesMs.push(ms);
    }),
  );
  await Promise.all(runs);
  return { perSecond: latenciesMs.length / seconds, latenciesMs, failures: failures.slice(0, 5) };
}

function converse(
  port: number,
  { call, headers, body }: LoadRequest,
  end: number,
  onAnswer: (ms: number, answer: string) => void,
) {
  const named = Object.entries({ host: `localhost:${port}`, ...headers });
  const head = `${call} HTTP/1.1\r\n${named.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`;
  const written =
    body === undefined
      ? () => `${head}\r\n`
      : () =>
          `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n` +
          `idempotency-key: ${freshKey()}\r\n\r\n${body}`;
  return new Promise<void>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let received = '';
    const send = () => {
      sentAt = performance.now();
      socket.write(written());
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

function shortOf(answer: string): string {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return `${head.split('\r\n', 1)[0]} ${body.slice(0, FAILURE_SHOWN_MAX)}`;
}
