import { setTimeout as sleep } from 'node:timers/promises';
import { openEventStore } from '@app/event-store';
import type { TestMember } from '../support/api.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { eventually } from '../support/eventually.js';
import type { GiftAnswer } from './gift-load.js';
import { IS_THOROUGH } from './thorough.js';
import {
  expectInTime,
  expectNothingLostByCuts,
  expectSlowAnswers,
  RECOVERY_MS_MAX,
  slowest,
  statuses,
  TroubledApi,
} from './troubled-api.js';

jest.setTimeout(240_000);

const given = process.env['EVENTSTORE_URL'];

/**
 * After each kind of trouble with the connection to the event store, the tests' own or an empty one of a single node
 * (`EVENTSTORE_URL`): nothing answered is lost, nothing is doubled, and the product recovers by itself.
 */
describe('a bad line to the event store', () => {
  const standIn = given ? undefined : new EventStoreDbServer();
  let troubled: TroubledApi;
  let eventStoreUrl: string;
  let ada: TestMember;
  let grace: TestMember;

  beforeAll(async () => {
    await standIn?.start();
    eventStoreUrl = standIn?.connectionString ?? given ?? '';
    troubled = await TroubledApi.start(eventStoreUrl);
    ada = await troubled.api.member();
    grace = await troubled.api.member();
  });
  afterAll(async () => {
    await troubled?.close();
    standIn?.kill();
  });

  it('that is slow makes answers late, and nothing else', () => expectSlowAnswers(troubled));

  // Before any test that cuts connections: after a cut, gRPC leaves idle connections behind that nothing uses and
  // nothing needs to notice.
  if (IS_THOROUGH) {
    it('that swallows everything is answered with 503, and connections that hang are made anew', async () => {
      const hanging = troubled.proxy.serverSidePorts;
      const sending = troubled.halfDieUnderLoad();
      await eventually(
        () => troubled.isReady(),
        (isReady) => !isReady,
      );
      const reading = await follow();
      expect(reading.status).toBe(503);
      const answers = await sending;
      expectInTime([...answers, reading]);
      expect(statuses(answers)).toContain(503);
      expect(await troubled.isReady()).toBe(false);
      const recoveredMs = await troubled.recover();
      await untilGone(hanging);
      expect((await follow()).status).toBeLessThan(300);
      process.stderr.write(
        `  half-dead: gifts answered within ${slowest(answers)} ms, a command that reads first within ${slowest([reading])} ms; well again ${recoveredMs} ms after it was mended\n`,
      );
    });
  }

  it('that is cut again and again loses nothing', () => expectNothingLostByCuts(troubled));

  it('that breaks between gifts and their answers has each of them happen once', async () => {
    // The connection is established: a new one would swallow its own handshake.
    expect(statuses(await troubled.load.send(1))).toEqual([201]);
    const before = await giftsInJournal();
    troubled.proxy.swallowAnswersTo('GiftSent');
    const sending = troubled.load.send(1);
    await eventually(giftsInJournal, (gifts) => gifts > before);
    troubled.proxy.heal();
    troubled.proxy.cut();
    // The write took effect without an answer: the repetition gets the answer.
    const answers = await sending;
    expect(statuses(answers)).toEqual([201]);
    expect(await giftsInJournal()).toBe(before + 1);
    process.stderr.write(`  cut between a gift and its answer: answered after ${slowest(answers)} ms\n`);
    await troubled.recover();
  });

  if (IS_THOROUGH) {
    it('that refuses is answered with 503 at the deadline', async () => {
      troubled.proxy.refuse();
      const answers = await troubled.load.send(6);
      expect(statuses(answers)).toEqual([503]);
      expectInTime(answers);
      expect(await troubled.isReady()).toBe(false);
      const recoveredMs = await troubled.recover();
      process.stderr.write(`  refused: well again ${recoveredMs} ms after it was mended\n`);
    });
  }

  /** A command that reads its stream before it writes. */
  async function follow(): Promise<GiftAnswer> {
    const began = performance.now();
    const { status } = await ada.browser.post(`/api/users/${grace.id}/follow`);
    return { status, ms: performance.now() - began };
  }

  /** Read directly from the event store, without the proxy. */
  async function giftsInJournal(): Promise<number> {
    const store = await openEventStore({ databaseUrl: troubled.database.url, eventStoreUrl });
    try {
      let gifts = 0;
      for await (const batch of store.readStream('ledger'))
        gifts += batch.filter(({ type }) => type === 'GiftSent').length;
      return gifts;
    } finally {
      await store.close();
    }
  }

  /** Waits until the product itself has closed all of these connections. */
  async function untilGone(ports: ReadonlySet<number>): Promise<void> {
    const left = (): number[] => [...troubled.proxy.serverSidePorts].filter((port) => ports.has(port));
    for (const deadline = Date.now() + RECOVERY_MS_MAX; left().length > 0 && Date.now() < deadline;) await sleep(100);
    expect(left()).toEqual([]);
  }
});
