import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** What one member asks for at once: a path is answered with 200, or it failed. */
export interface PacedCalls {
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface PacedOrder {
  readonly port: number;
  /** Sent in order, again from the first after the last; each has as many paths. */
  readonly calls: readonly PacedCalls[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface PacedResult {
  /** For each place among the paths, the times of all members. */
  readonly latenciesMs: readonly (readonly number[])[];
  readonly failures: readonly string[];
}

/**
 * Sends calls at a steady rate, whether or not earlier ones are answered, so that time in a queue counts. Latency is
 * measured from the moment at which the calls were due.
 */
async function load({ port, calls, perSecond, seconds, warmUpSeconds }: PacedOrder): Promise<PacedResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const latenciesMs: number[][] = calls[0]?.paths.map(() => []) ?? [];
  const failures: string[] = [];
  const start = performance.now();
  const total = Math.round((warmUpSeconds + seconds) * perSecond);
  const running: Promise<void>[] = [];
  for (let n = 0; n < total; n++) {
    const due = start + (n * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 1) await pause(early);
    const wanted = calls[n % calls.length];
    if (!wanted) break;
    const taken = async (path: string, place: number): Promise<void> => {
      const failure = await get(agent, port, path, wanted.headers);
      if (failure !== undefined) failures.push(failure);
      else if (due >= start + warmUpSeconds * 1_000) latenciesMs[place]?.push(performance.now() - due);
    };
    running.push(...wanted.paths.map(taken));
  }
  await Promise.all(running);
  agent.destroy();
  return { latenciesMs, failures: failures.slice(0, 5) };
}

/** The failure, or undefined. */
function get(agent: Agent, port: number, path: string, headers: PacedCalls['headers']): Promise<string | undefined> {
  return new Promise((resolve) => {
    const call = request({ agent, port, host: '127.0.0.1', path, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200 ? undefined : `${path}: ${response.statusCode}`));
    });
    call.on('error', (error) => resolve(`${path}: ${error.message}`));
    call.end();
  });
}

parentPort?.postMessage(await load(workerData as PacedOrder));
