import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The state of the connection to a server: healthy, or broken in one of three ways. `half-dead` takes connections and
 * swallows everything sent over them, like a machine that vanished or a firewall that forgot a connection; `answerless`
 * swallows only the answers.
 */
export type WayState = 'sound' | 'half-dead' | 'answerless' | 'refusing';

/** The ports of servers whose connection strings name none. */
const PORTS: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'esdb:': 2113,
  'kurrentdb:': 2113,
};

type Way = 'requests' | 'answers';
/** Milliseconds, always as many or as many as each time. */
type Delay = number | (() => number);

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Sits between a product and a server that it uses, and disturbs the connection on request. */
export class TcpProxy {
  private readonly pairs = new Set<Pair>();
  private listening: Server | undefined;
  private state: WayState = 'sound';
  private readonly delays: Record<Way, Delay> = { requests: 0, answers: 0 };
  private cutAfterBytes: number | undefined;
  private answerlessFrom: string | undefined;
  private portNumber = 0;

  private constructor(private readonly target: { readonly host: string; readonly port: number }) {}

  static async to(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await proxy.listen();
    return proxy;
  }

  /** A proxy to the server of a connection string, and the connection string that goes through it. */
  static async toUrl(url: string): Promise<{ readonly proxy: TcpProxy; readonly url: string }> {
    const through = new URL(url);
    const proxy = await TcpProxy.to({ host: through.hostname, port: Number(through.port || PORTS[through.protocol]) });
    through.hostname = '127.0.0.1';
    through.port = String(proxy.port);
    return { proxy, url: through.href };
  }

  get port(): number {
    return this.portNumber;
  }

  /** The ports by which the server knows the connections that go through it now. */
  get serverSidePorts(): ReadonlySet<number> {
    return new Set([...this.pairs].map(({ server }) => server.localPort ?? 0));
  }

  /** Delays everything by this time, in each direction. */
  slow(delay: Delay): void {
    this.delays.requests = delay;
    this.delays.answers = delay;
  }

  /** Delays answers alone. */
  slowAnswers(delayMs: number): void {
    this.delays.answers = delayMs;
  }

  /** Breaks every connection at once (RST). New ones are taken. */
  cut(): void {
    for (const pair of this.pairs) breakOff(pair);
  }

  /** Breaks off the next answer that is longer than this many bytes, at that point. */
  cutNextAnswer(bytes: number): void {
    this.cutAfterBytes = bytes;
  }

  /** Silently swallows everything on every connection, old and new, from now on. */
  halfDie(): void {
    this.state = 'half-dead';
  }

  /** From the next request that holds this text on what is sent arrives, and every answer to it is swallowed. */
  swallowAnswersTo(text: string): void {
    this.answerlessFrom = text;
  }

  /** Breaks every connection, and takes no new ones. */
  refuse(): void {
    this.state = 'refusing';
    this.cut();
  }

  /** Makes new connections work. Half-dead ones stay half-dead: swallowed bytes are gone. */
  heal(): void {
    this.state = 'sound';
    this.slow(0);
    this.cutAfterBytes = undefined;
    this.answerlessFrom = undefined;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => (this.listening ? this.listening.close(() => resolve()) : resolve()));
  }

  private listen(): Promise<void> {
    const server = createServer({ allowHalfOpen: false, noDelay: true }, (client) => this.take(client));
    this.listening = server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        if (typeof address === 'object' && address) this.portNumber = address.port;
        resolve();
      });
    });
  }

  private take(client: Socket): void {
    client.on('error', () => undefined);
    if (this.state === 'refusing') return void client.resetAndDestroy();
    const server = connect({ ...this.target, noDelay: true });
    const pair: Pair = { client, server };
    this.pairs.add(pair);
    server.on('error', () => breakOff(pair));
    // Once something was swallowed, the rest of that connection is worth nothing.
    const way = { requestsLost: false, answersLost: false };
    const areRequestsLost = (): boolean => (way.requestsLost ||= this.state === 'half-dead');
    const areAnswersLost = (): boolean => (way.answersLost ||= areRequestsLost() || this.state === 'answerless');
    const requestsDelivered = this.carry('requests', pair, areRequestsLost, (request) => {
      if (this.answerlessFrom !== undefined && request.includes(this.answerlessFrom)) this.state = 'answerless';
      return false;
    });
    const answersDelivered = this.carry('answers', pair, areAnswersLost, (bytes) => this.cutsAt(pair, bytes));
    client.once('close', () => {
      this.pairs.delete(pair);
      void requestsDelivered().then(() => server.destroy());
    });
    server.once('close', () => {
      // Of a connection that is lost the other side learns nothing, not even its end.
      if (!areAnswersLost()) void answersDelivered().then(() => client.destroy());
    });
  }

  /** Returns what waits until all that came so far is delivered. */
  private carry(
    what: Way,
    { client, server }: Pair,
    isLost: () => boolean,
    isWithheld: (chunk: Buffer) => boolean,
  ): () => Promise<void> {
    const [from, to] = what === 'requests' ? [client, server] : [server, client];
    let last = Promise.resolve();
    const deliver = async (before: Promise<void>, chunk: Buffer, delayMs: number): Promise<void> => {
      if (delayMs > 0) await sleep(delayMs);
      await before;
      if (!to.destroyed && !isLost() && !isWithheld(chunk)) to.write(chunk);
    };
    from.on('data', (chunk: Buffer) => {
      const delay = this.delays[what];
      if (!isLost()) last = deliver(last, chunk, typeof delay === 'number' ? delay : delay());
    });
    return () => last;
  }

  private cutsAt({ client, server }: Pair, chunk: Buffer): boolean {
    const bytes = this.cutAfterBytes;
    if (bytes === undefined || chunk.length <= bytes) return false;
    this.cutAfterBytes = undefined;
    client.write(chunk.subarray(0, bytes), () => breakOff({ client, server }));
    return true;
  }
}

function breakOff({ client, server }: Pair): void {
  client.resetAndDestroy();
  server.destroy();
}
