import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Faults } from './faults.js';
import { Connection, type SimulatedDatabase, type Statement } from './simulated-database.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { World } from './world.js';

export interface SimulatedPgOptions {
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly faults: Faults;
  readonly database: SimulatedDatabase;
}

const PART = 'database';
const CONNECTIONS_MAX = 10;
/** Of what comes at one moment the seed says which is first: what is of one connection keeps its order. */
const LATER_MS = 0.001;

type Asked = string | Statement | CopySubmittable;

/** A COPY, as the product gives it to a client. */
interface CopySubmittable {
  submit(connection: object): void;
  handleReadyForQuery?(): void;
  handleError?(error: Error): void;
}

export type SimulatedPg = Pick<typeof pg, 'Client' | 'Pool'>;

/** The driver `pg` as one simulated process has it, as far as the product uses it. */
export function simulatedPg({ world, process, faults, database }: SimulatedPgOptions): object {
  class SimulatedClient extends EventEmitter {
    readonly pipeline: boolean;
    private readonly connection = new Connection();
    private readonly underWay = new Set<(error: Error) => void>();
    private sentAt = 0;
    private answeredAt = 0;
    isBroken = false;

    constructor(settings: { readonly pipeline?: boolean } = {}) {
      super();
      this.pipeline = settings.pipeline ?? false;
      process.onDeath(() => this.hangUp());
    }

    connect(): Promise<void> {
      return new Promise((resolve) => world.after(delay(), resolve, process));
    }

    query(asked: Asked, values?: readonly unknown[]): unknown {
      if (typeof asked === 'object' && 'submit' in asked) return this.copy(asked);
      return typeof asked === 'string'
        ? this.send({ text: asked, values })
        : this.send({ ...asked, values: values ?? asked.values });
    }

    end(): Promise<void> {
      this.hangUp();
      return Promise.resolve();
    }

    /** What was sent before still arrives. */
    private hangUp(): void {
      if (this.isBroken) return;
      this.isBroken = true;
      world.after(this.arrival(), () => void database.end(this.connection));
    }

    private send(statement: Statement): Promise<pg.QueryResult | pg.QueryResult[]> {
      return new Promise((resolve, reject) => {
        if (this.isBroken) {
          world.after(0, () => reject(broken()), process);
          return;
        }
        this.underWay.add(reject);
        const isLost = faults.strikes('broken connection', PART);
        // Of a connection that breaks now, the statement may have arrived or not.
        if (!isLost || world.random.chance(0.5)) {
          world.after(this.arrival(), () => {
            database.execute(this.connection, statement).then(
              (result) => this.answer(() => resolve(result), reject),
              (error: Error) => this.answer(() => reject(error), reject),
            );
          });
        }
        if (isLost) this.breakOff();
      });
    }

    private breakOff(): void {
      this.hangUp();
      const tell = (): void => {
        for (const reject of this.underWay) reject(broken());
        this.underWay.clear();
        if (this.listenerCount('error') > 0) this.emit('error', broken());
        this.emit('end');
      };
      world.after(delay(), tell, process);
    }

    private answer(settle: () => void, reject: (error: Error) => void): void {
      this.answeredAt = Math.max(this.answeredAt + LATER_MS, world.nowMs + delay());
      const deliver = (): void => {
        if (this.underWay.delete(reject)) settle();
      };
      world.after(this.answeredAt - world.nowMs, deliver, process);
    }

    /** Statements of one connection arrive in their order. */
    private arrival(): number {
      this.sentAt = Math.max(this.sentAt + LATER_MS, world.nowMs + delay());
      return this.sentAt - world.nowMs;
    }

    private copy(copying: CopySubmittable): CopySubmittable {
      let text = '';
      const chunks: Buffer[] = [];
      copying.submit({
        stream: { cork: () => undefined, uncork: () => undefined },
        query: (statement: string) => (text = statement),
        sendCopyFromChunk: (chunk: Buffer) => chunks.push(chunk),
        endCopyFrom: () => {
          this.send({ text, rows: Buffer.concat(chunks) }).then(
            () => copying.handleReadyForQuery?.(),
            (error: Error) => copying.handleError?.(error),
          );
        },
      });
      return copying;
    }
  }

  class SimulatedPool extends EventEmitter {
    private idle: SimulatedClient[] = [];
    private readonly waiting: ((client: SimulatedClient) => void)[] = [];
    private open = 0;

    constructor(readonly options: { readonly max?: number; readonly pipeline?: boolean } = {}) {
      super();
    }

    get totalCount(): number {
      return this.open;
    }

    get idleCount(): number {
      return this.idle.length;
    }

    get waitingCount(): number {
      return this.waiting.length;
    }

    async connect(): Promise<SimulatedClient> {
      this.idle = this.idle.filter((client) => this.isUsable(client));
      const client =
        this.idle.pop() ?? (this.open < (this.options.max ?? CONNECTIONS_MAX) ? await this.add() : await this.later());
      return Object.assign(client, { release: (isSpent?: boolean | Error) => this.takeBack(client, isSpent) });
    }

    async query(asked: Asked, values?: readonly unknown[]): Promise<unknown> {
      const client = await this.connect();
      try {
        const result = await client.query(asked, values);
        this.takeBack(client, false);
        return result;
      } catch (error) {
        this.takeBack(client, error instanceof pg.DatabaseError ? false : (error as Error));
        throw error;
      }
    }

    async end(): Promise<void> {
      await Promise.all(this.idle.splice(0).map((client) => client.end()));
    }

    private async add(): Promise<SimulatedClient> {
      this.open += 1;
      const client = new SimulatedClient(this.options);
      await client.connect();
      this.emit('connect', client);
      return client;
    }

    private later(): Promise<SimulatedClient> {
      return new Promise((resolve) => this.waiting.push(resolve));
    }

    private async replace(waiting: (client: SimulatedClient) => void): Promise<void> {
      waiting(await this.add());
    }

    private isUsable(client: SimulatedClient): boolean {
      if (client.isBroken) this.open -= 1;
      return !client.isBroken;
    }

    private takeBack(client: SimulatedClient, isSpent?: boolean | Error): void {
      if (isSpent !== undefined && isSpent !== false) void client.end();
      const next = this.waiting.shift();
      if (this.isUsable(client)) {
        if (next) next(client);
        else this.idle.push(client);
      } else if (next) {
        void this.replace(next);
      }
    }
  }

  const delay = (): number => 0.1 + world.random.next() * 0.4;
  return { ...pg, Client: SimulatedClient, Pool: SimulatedPool, DatabaseError: pg.DatabaseError };
}

const broken = (): Error => new Error('Connection terminated unexpectedly');
