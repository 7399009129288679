import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { Product } from '../support/product.js';
import { BankReader } from './bank-reader.js';
import { ChatPair } from './chat-pair.js';
import { CrashingEventStore } from './crashing-event-store.js';
import { Member, type SentGift } from './member.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 3);
/** Printed, and read from the environment, so that a run that found something can be repeated. */
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
/** Processes of the API on one folder, its Postgres and its journal. */
const SERVERS = Number(process.env['CRASH_SERVERS'] ?? 3);
const MEMBERS = 6;
/** How many gifts of one member are in progress at once, so that a crash meets commands in every state. */
const SENDERS_PER_MEMBER = 4;
/** Pairs of other members, who chat in the meantime. */
const CHAT_PAIRS = 3;
const GRANT = 5_000_000;
const LOAD_MS_MIN = 150;
const LOAD_MS_MAX = 1_500;
const SETTLE_TIMEOUT_MS = 60_000;

interface Attempt {
  readonly key: string;
  readonly sender: Member;
  readonly recipientId: string;
  readonly amount: number;
  /** Undefined: never answered, so nobody knows whether it happened. */
  outcome: { sent: SentGift } | { refused: number } | undefined;
}

/** One of the servers, the database, one server with the database, everything at once, the event store. */
const EVERY_VICTIM = ['api', 'postgres', 'both', 'all', 'eventstore'] as const;
type Victim = (typeof EVERY_VICTIM)[number];
const eventStore = CrashingEventStore.fromEnvironment();
/** `CRASH_VICTIMS=postgres` looks for faults that only one kind of crash causes. */
const VICTIMS: readonly Victim[] = EVERY_VICTIM.filter(
  (victim) =>
    (process.env['CRASH_VICTIMS'] ?? EVERY_VICTIM.join(',')).split(',').includes(victim) &&
    (victim !== 'eventstore' || eventStore?.canDie === true),
);

/** Small and repeatable (mulberry32): repeatability matters here, the quality of the randomness does not. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Read models follow the journal, and must soon show the right values. */
async function untilEqual<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  let last = await read();
  while (JSON.stringify(last) !== JSON.stringify(expected) && Date.now() < deadline) {
    await sleep(100);
    last = await read();
  }
  expect(last).toEqual(expected);
}

/**
 * `kill -9` of servers, Postgres and the event store at random moments under load loses no gift that was answered and
 * doubles none; a gift whose answer never came is retried with its key and happens once. At every moment, all balances
 * add up to zero.
 */
describe(`a crash at any moment (${ROUNDS} rounds, ${SERVERS} servers, CRASH_SEED=${SEED})`, () => {
  const random = randomFrom(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  const attempts: Attempt[] = [];
  let dataDir: string;
  let products: Product[];
  let bank: BankReader;
  let admin: Member;
  let members: Member[];
  const pairs: ChatPair[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'nova-crash-'));
    await chmod(dataDir, 0o711);
    await eventStore?.start();
    products = [];
    for (let number = 0; number < SERVERS; number += 1) {
      const env = { ADMIN_EMAIL: 'rhea@crash.test', ...(eventStore ? { EVENTSTORE_URL: eventStore.url } : {}) };
      products.push(await Product.start({ dataDir, name: `api-${number}`, env }));
    }
    bank = new BankReader(dataDir);
    const url = (number: number): string => products[number % SERVERS]?.url ?? '';
    admin = await Member.register(url(0), 'Rhea');
    members = [];
    for (let number = 0; number < MEMBERS; number += 1)
      members.push(await Member.register(url(number), `Member${number}`));
    for (const member of members) await admin.grant(member.id, GRANT);
    for (let number = 0; number < CHAT_PAIRS; number += 1) {
      const initiator = await Member.register(url(number), `Initiator${number}`);
      const host = await Member.register(url(number + 1), `Host${number}`);
      await admin.grant(initiator.id, GRANT);
      pairs.push(new ChatPair(initiator, host, below));
    }
  }, 300_000);

  afterAll(async () => {
    await bank?.stop();
    // One after the other: the last one ends Postgres.
    for (const product of products ?? []) await product.stop();
    if (products?.[0]?.postmasterPid() !== undefined) throw new Error('Postgres outlived every server.');
    await eventStore?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }, 120_000);

  const send = async (attempt: Attempt): Promise<void> => {
    const { sender, key, recipientId, amount } = attempt;
    const answer = await sender.sendGift({ key, recipientId, amount }).catch(() => undefined);
    // 5xx says that the outcome is unknown or that the server is busy; both are retried with the same key.
    if (!answer || answer.status >= 500) return;
    attempt.outcome = answer.status === 201 ? { sent: answer.body } : { refused: answer.status };
  };

  /** Keeps sending until the crash: a sender whose gift was not answered stops, as its member would. */
  const load = async (sender: Member, until: { over: boolean }): Promise<void> => {
    while (!until.over) {
      const others = members.filter((member) => member !== sender);
      const recipientId = others[below(others.length)]!.id;
      const attempt: Attempt = { key: uuidv7(), sender, recipientId, amount: 1_000 + below(500), outcome: undefined };
      attempts.push(attempt);
      await send(attempt);
      if (!attempt.outcome) return;
      await sleep(below(10));
    }
  };

  const kill = async (victim: Victim): Promise<void> => {
    if (victim === 'eventstore') return eventStore?.kill();
    if (victim !== 'api') products[0]?.killPostgres();
    if (victim === 'postgres') return;
    const one = below(SERVERS);
    const killed = products.filter((_, number) => victim === 'all' || number === one);
    await Promise.all(killed.map((product) => product.killApi()));
  };

  const bringBack = async (): Promise<void> => {
    await eventStore?.start();
    for (const product of products) await (product.isRunning ? product.untilRecovered() : product.start());
  };
  const logs = (): string => products.map((product) => product.logTail()).join('\n');

  const retryUnanswered = async (): Promise<number> => {
    const unanswered = attempts.filter(({ outcome }) => !outcome);
    for (const attempt of unanswered) {
      for (let tries = 0; !attempt.outcome && tries < 20; tries += 1) {
        await send(attempt);
        if (!attempt.outcome) await sleep(250);
      }
      if (!attempt.outcome) throw new Error(`the gift ${attempt.key} stayed unanswered\n${logs()}`);
    }
    return unanswered.length;
  };

  const sentBy = (member: Member) =>
    attempts.flatMap(({ sender, outcome }) =>
      sender === member && outcome && 'sent' in outcome ? [outcome.sent] : [],
    );

  /**
   * Half of each gift reaches its recipient; the other half goes to holders of Influence, and none of these members
   * holds any.
   */
  const expectedBalance = (member: Member): number => {
    const sent = sentBy(member).reduce((sum, { gift }) => sum + Math.round(gift.amount * 100), 0);
    const received = members
      .flatMap(sentBy)
      .filter(({ gift }) => gift.recipientId === member.id)
      .reduce((sum, { gift }) => sum + Math.round(gift.amount * 100) / 2, 0);
    return (GRANT * 100 - sent + received) / 100;
  };

  const checkBooks = async (): Promise<void> => {
    try {
      await compareBooks();
    } catch (error) {
      for (const product of products) {
        const health = await fetch(`${product.url}/health/ready`).then((answer) => answer.text(), String);
        process.stderr.write(`  health: ${health}\n${product.logTail()}\n`);
      }
      process.stderr.write(`${await products[0]?.positions()}\n`);
      throw error;
    }
  };

  /** Once a member's chats have ended, nothing is held for the member or waits for a rating (rule ledger-7). */
  const expectNothingHeld = async (): Promise<void> => {
    await Promise.all(pairs.map((pair) => pair.finish()));
    for (const { initiator, host } of pairs) {
      for (const member of [initiator, host]) await untilEqual(() => member.waiting(), { heldNova: 0, pendingNova: 0 });
    }
  };

  const compareBooks = async (): Promise<void> => {
    await expectNothingHeld();
    for (const member of members) {
      await untilEqual(() => member.balance(), expectedBalance(member));
      const answered = sentBy(member).map(({ gift }) => gift.id);
      expect(new Set(answered).size).toBe(answered.length);
      await untilEqual(async () => (await member.sentGiftIds()).toSorted(), answered.toSorted());
    }
  };

  it.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))(
    'round %i loses nothing and doubles nothing',
    async () => {
      const victim = VICTIMS[below(VICTIMS.length)]!;
      const before = attempts.length;
      const readsBefore = bank.reads;
      const until = { over: false };
      const stepsBefore = pairs.reduce((sum, { steps }) => sum + steps, 0);
      const talkers = pairs.map((pair) => pair.talk(until));
      const senders = members.flatMap((member) =>
        Array.from({ length: SENDERS_PER_MEMBER }, () => load(member, until)),
      );
      await sleep(LOAD_MS_MIN + below(LOAD_MS_MAX - LOAD_MS_MIN));
      // A crash before anything was answered would show nothing: on a busy machine that takes longer.
      const isUnderWay = (): boolean =>
        pairs.reduce((sum, { steps }) => sum + steps, 0) > stepsBefore &&
        attempts.slice(before).some(({ outcome }) => outcome);
      for (const deadline = Date.now() + SETTLE_TIMEOUT_MS; !isUnderWay() && Date.now() < deadline;) await sleep(10);
      await kill(victim);
      until.over = true;
      await bringBack();
      await Promise.all([...senders, ...talkers]);
      const stepsTaken = pairs.reduce((sum, { steps }) => sum + steps, 0) - stepsBefore;
      const unanswered = await retryUnanswered();
      process.stderr.write(
        `  killed ${victim}: ${attempts.length - before} gifts sent, ${unanswered} unanswered; ${stepsTaken} steps of chats; ${bank.reads - readsBefore} reads of the books\n`,
      );

      // A key that took effect before the crash answers the same gift again after it.
      const answered = attempts.slice(before).filter(({ outcome }) => outcome && 'sent' in outcome);
      for (const attempt of [answered[0], answered.at(-1)]) {
        if (!attempt?.outcome || !('sent' in attempt.outcome)) continue;
        const { key, recipientId, amount, sender } = attempt;
        const again = await sender.sendGift({ key, recipientId, amount });
        expect([again.status, again.body.eventId]).toEqual([201, attempt.outcome.sent.eventId]);
      }
      await checkBooks();
      expect(bank.wrong).toEqual([]);
      expect(bank.reads).toBeGreaterThan(readsBefore);
      expect(attempts.length).toBeGreaterThan(before);
      expect(stepsTaken).toBeGreaterThan(0);
    },
  );

  it('leaves a journal that verifies', async () => {
    const cli = path.join(ROOT, 'dist/apps/api/src/finance/cli.js');
    expect(existsSync(cli)).toBe(true);
    const verified = await promisify(execFile)(process.execPath, [cli, 'verify'], {
      cwd: ROOT,
      env: { ...process.env, NOVA_DATA_DIR: dataDir, ...(eventStore ? { EVENTSTORE_URL: eventStore.url } : {}) },
    });
    expect(verified.stdout).toContain('Hash chain');
  });
});
