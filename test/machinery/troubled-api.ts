import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { type Books, type GiftAnswer, GiftLoad } from './gift-load.js';

const MEMBERS = 4;
const CUTS = 12;
/** What the API gives itself for an answer: the command's 10 s after a session that is asked for no longer than 15 s. */
const ANSWER_MS_MAX = 30_000;
export const RECOVERY_MS_MAX = 60_000;

/** An application with a bad line to its database or to its event store, and members who send gifts over it. */
export class TroubledApi {
  private constructor(
    readonly database: TestDatabase,
    /** The line. */
    readonly proxy: TcpProxy,
    readonly api: TestApi,
    readonly load: GiftLoad,
    private readonly books: Books,
  ) {}

  /** The line to the event store where there is one, else the line to the database, which then holds the journal. */
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

  /** Gifts one after the other while the line is cut again and again, at another moment of a command each time. */
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

  /** Gifts that are under way when everything begins to be swallowed, and some that come then. */
  async halfDieUnderLoad(): Promise<GiftAnswer[]> {
    const { load, proxy } = this;
    const over = { over: false };
    const sending = load.sendUntil(over, 6);
    await this.untilSent(20);
    proxy.halfDie();
    over.over = true;
    return [...(await sending), ...(await load.send(4))];
  }

  /** Mends the line, waits until all is well, and settles accounts. */
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
