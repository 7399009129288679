import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { type Books, type GiftAnswer, GiftLoad } from './gift-load.js';

const MEMBERS = 4;
const CUTS = 12;
/** The API's own limit for an answer: 10 s for the command, after at most 15 s for the session. */
const ANSWER_MS_MAX = 30_000;
export const RECOVERY_MS_MAX = 60_000;

/**
 * An application with a disturbed connection to its database or its event store, and members who send gifts through it.
 */
export class TroubledApi {
  private constructor(
    readonly database: TestDatabase,
    /** The disturbed connection. */
    readonly proxy: TcpProxy,
    readonly api: TestApi,
    readonly load: GiftLoad,
    private readonly books: Books,
  ) {}

  /** Disturbs the connection to the event store if there is one, else to the database, which then holds the journal. */
  static async start(eventStoreUrl?: string): Promise<TroubledApi> {
    const database = await createTestDatabase('trouble');
    const { proxy, url } = await TcpProxy.toUrl(eventStoreUrl ?? database.url);
    const options =
      eventStoreUrl === undefined
        ? { database: { ...database, url } }
        : { database, environment: { EVENTSTORE_URL: url } };
    const { api, admin } = await signInAdmin(startTestApi, options);
    const members: TestMember[] = [];
    for (let number = 0; number < MEMBERS; number += 1) {
      const member = await api.member();
      await grantNova(admin, member.id, 100_000_000);
      members.push(member);
    }
    const books = { databaseUrl: database.url, ...(eventStoreUrl === undefined ? {} : { eventStoreUrl }) };
    return new TroubledApi(database, proxy, api, new GiftLoad(members, [api.url]), books);
  }

  async close(): Promise<void> {
    this.proxy.heal();
    await this.api.close();
    await this.proxy.close();
    await this.database.drop();
  }

  isReady(): Promise<boolean> {
    return fetch(`${this.api.url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /**
   * Sends gifts one after the other while the connection is cut again and again, each time at another moment of a
   * command.
   */
  async cutUnderLoad(cuts: number): Promise<GiftAnswer[]> {
    const { load, proxy } = this;
    const over = { over: false };
    const sending = load.sendUntil(over, 8);
    for (let cut = 0; cut < cuts; cut += 1) {
      await this.untilSent(3 + (cut % 4));
      if (cut % 2 === 0) proxy.cut();
      else proxy.cutNextAnswer(8 + cut * 5);
    }
    over.over = true;
    return sending;
  }

  /** Sends gifts before and after the proxy begins to swallow everything. */
  async halfDieUnderLoad(): Promise<GiftAnswer[]> {
    const { load, proxy } = this;
    const over = { over: false };
    const sending = load.sendUntil(over, 6);
    await this.untilSent(20);
    proxy.halfDie();
    over.over = true;
    return [...(await sending), ...(await load.send(4))];
  }

  /** Repairs the connection, waits until the product has recovered, and settles the open gifts. */
  async recover(): Promise<number> {
    const healedAt = performance.now();
    this.proxy.heal();
    while (!(await this.isReady())) {
      if (performance.now() - healedAt > RECOVERY_MS_MAX) throw new Error('it did not recover by itself');
      await sleep(50);
    }
    const recoveredMs = Math.round(performance.now() - healedAt);
    await this.load.settle();
    await this.load.expectBooks(this.books);
    return recoveredMs;
  }

  private async untilSent(more: number): Promise<void> {
    const before = this.load.sent;
    while (this.load.sent < before + more) await sleep(1);
  }
}

export const statuses = (answers: readonly GiftAnswer[]): number[] =>
  [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);

export const slowest = (answers: readonly GiftAnswer[]): number => Math.round(Math.max(...answers.map(({ ms }) => ms)));

export function expectInTime(answers: readonly GiftAnswer[]): void {
  for (const answer of answers) {
    expect([201, 503]).toContain(answer.status);
    expect(answer.ms).toBeLessThan(ANSWER_MS_MAX);
  }
}

/** A slow line makes answers late, and nothing else. */
export async function expectSlowAnswers(troubled: TroubledApi): Promise<void> {
  troubled.proxy.slow(40);
  const answers = await troubled.load.send(30);
  expect(statuses(answers)).toEqual([201]);
  expect(Math.min(...answers.map(({ ms }) => ms))).toBeGreaterThan(80);
  await troubled.recover();
}

/** A line that is cut again and again loses nothing. */
export async function expectNothingLostByCuts(troubled: TroubledApi): Promise<void> {
  expectInTime(await troubled.cutUnderLoad(CUTS));
  const recoveredMs = await troubled.recover();
  process.stderr.write(
    `  ${CUTS} cuts under ${troubled.load.sent} gifts: well again ${recoveredMs} ms after the last\n`,
  );
}
