import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** A request of the load: answered with 200, or it failed. */
export interface PacedRequest {
  readonly path: string;
  readonly cookie: string;
}

export interface PacedOrder {
  readonly port: number;
  /** Sent in order, again from the first after the last. */
  readonly requests: readonly PacedRequest[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface PacedResult {
  readonly latenciesMs: readonly number[];
  readonly failures: readonly string[];
}

/**
 * Sends requests at a steady rate, whether or not earlier ones are answered, so that time in a queue counts. Latency is
 * measured from the moment at which a request was due.
 */
async function load({ port, requests, perSecond, seconds, warmUpSeconds }: PacedOrder): Promise<PacedResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  const start = performance.now();
  const total = Math.round((warmUpSeconds + seconds) * perSecond);
  const running: Promise<void>[] = [];
  for (let n = 0; n < total; n++) {
    const due = start + (n * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 1) await pause(early);
    const wanted = requests[n % requests.length];
    if (!wanted) break;
    const taken = async (): Promise<void> => {
      const failure = await get(agent, port, wanted);
      if (failure !== undefined) failures.push(failure);
      else if (due >= start + warmUpSeconds * 1_000) latenciesMs.push(performance.now() - due);
    };
    running.push(taken());
  }
  await Promise.all(running);
  agent.destroy();
  return { latenciesMs, failures: failures.slice(0, 5) };
}

/** The failure, or undefined. */
function get(agent: Agent, port: number, { path, cookie }: PacedRequest): Promise<string | undefined> {
  return new Promise((resolve) => {
    const call = request({ agent, port, host: '127.0.0.1', path, headers: { cookie } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200 ? undefined : `${path}: ${response.statusCode}`));
    });
    call.on('error', (error) => resolve(`${path}: ${error.message}`));
    call.end();
  });
}

parentPort?.postMessage(await load(workerData as PacedOrder));
