import { decide, evolve, LEDGER_STREAM, LedgerState, type LedgerCommand } from '@app/domain';
import { MemoryEventStore, type RecordedEvent } from '@app/event-store';
import fc from 'fast-check';
import { EMPTY_HEAD, followJournal, StoreJournal, journalEventOf } from './journal-reader.js';
import type { LedgerWriter } from './ledger-writer.js';
import { AdversarialStore, type Fate } from './testing/adversarial-store.js';
import { ManualClock, startWriter } from './testing/writers.js';
import type { CommandOutcome, CommandRequest } from './writer-port.js';

interface Answer {
  readonly request: CommandRequest;
  readonly outcome: CommandOutcome;
  /** The newest revision that anybody had been told when this command was sent. */
  readonly toldBefore: number;
}

const MEMBERS = ['ada', 'bob', 'cyd'] as const;
const member = fc.constantFrom(...MEMBERS);
const command: fc.Arbitrary<LedgerCommand> = fc.oneof(
  fc.record({
    type: fc.constant('GrantNova'),
    userId: member,
    adminId: fc.constant('admin'),
    amount: fc.bigInt(1n, 3_000_00n),
  }),
  fc.record({ type: fc.constant('SendGift'), senderId: member, recipientId: member, amount: fc.constant(1_000_00n) }),
  fc.record({
    type: fc.constant('DeductNova'),
    userId: member,
    adminId: fc.constant('admin'),
    amount: fc.bigInt(1n, 2_000_00n),
  }),
  fc.record({
    type: fc.constant('HoldChatPayment'),
    chatId: fc.constantFrom('c1', 'c2', 'c3'),
    initiatorId: member,
    hostId: member,
    amount: fc.bigInt(1n, 500_00n),
  }),
  fc.record({
    type: fc.constant('SettleChatPayment'),
    chatId: fc.constantFrom('c1', 'c2', 'c3'),
    outcome: fc.constant('success'),
  }),
  fc.record({
    type: fc.constant('ReleaseChatReward'),
    chatId: fc.constantFrom('c1', 'c2'),
    side: fc.constantFrom('host', 'initiator'),
  }),
);

const step = fc.record({
  command,
  key: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
  writer: fc.nat(2),
  pause: fc.boolean(),
});
const fates = fc.array(
  fc.constantFrom<Fate>('deliver', 'deliver', 'deliver', 'lose-answer', 'lose-request', 'deliver-late', 'unavailable'),
  { minLength: 1, maxLength: 120 },
);

/** Sends every step to its writer, several under way at once; a step that ends in an error is repeated with its key. */
async function run(
  writers: readonly LedgerWriter[],
  steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
) {
  const answers: Answer[] = [];
  const under: Promise<void>[] = [];
  for (const { command: wanted, key, writer, pause } of steps) {
    const request: CommandRequest = {
      command: wanted,
      actor: 'process',
      ...(key !== undefined && { key: { scope: 'fact', value: `key ${key}` } }),
    };
    const target = writers[writer];
    const toldBefore = Math.max(-1, ...answers.map(({ outcome }) => ('revision' in outcome ? outcome.revision : -1)));
    if (target) {
      under.push(target.execute(request).then((outcome) => void answers.push({ request, outcome, toldBefore })));
    }
    if (pause) await Promise.allSettled(under.slice(-1));
  }
  await Promise.all(under);
  return answers;
}

/** The state before each revision, and after the last. */
function replayed(events: readonly RecordedEvent[], upTo: number): LedgerState {
  const state = new LedgerState();
  for (const recorded of events.slice(0, upTo + 1)) evolve(state, journalEventOf(recorded).event, recorded.revision);
  return state;
}

function expectSequential({ request, outcome, toldBefore }: Answer, events: readonly RecordedEvent[]): void {
  if (outcome.status === 'key-reused') return;
  // What was told before, by whichever server, counts: an answer from the past would be a sequence that nobody saw.
  if (outcome.status === 'refused' || !outcome.repeated) expect(outcome.revision).toBeGreaterThanOrEqual(toldBefore);
  if (outcome.status === 'refused') {
    const decision = decide(replayed(events, outcome.revision), request.command, 0);
    expect(decision).toEqual({ accepted: false, rejection: outcome.rejection });
    return;
  }
  const first = outcome.events[0]?.revision ?? -1;
  const decision = decide(replayed(events, first - 1), request.command, 0);
  expect(decision.accepted && decision.events.map(({ type, entries }) => ({ type, entries }))).toEqual(
    outcome.events.map(({ event: { type, entries } }) => ({ type, entries })),
  );
  for (const { id, revision } of outcome.events) expect(events[revision]?.id).toBe(id);
}

describe('answers refine the sequence', () => {
  it('three writers on a bad network: every answer is that of sequential decisions at the revision that it names', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), fates, async (steps, network) => {
        const fateList = [...network];
        const inner = new MemoryEventStore();
        // The network has its say so many times, then it delivers: every answer comes in the end.
        const store = new AdversarialStore(inner, () => fateList.shift() ?? 'deliver');
        const clock = new ManualClock();
        const writers = await Promise.all(Array.from({ length: 3 }, () => startWriter({ store, clock, retryMs: 0 })));
        const answers = await run(writers, steps);
        await Promise.all(writers.map((writer) => writer.stop()));

        const events: RecordedEvent[] = [];
        for await (const batch of inner.readStream(LEDGER_STREAM)) events.push(...batch);
        await followJournal(new StoreJournal(inner), new LedgerState(), EMPTY_HEAD);
        for (const answer of answers) expectSequential(answer, events);

        // Nothing acknowledged is lost, nothing is there twice, and nothing is there that was not asked for.
        const accepted = answers.filter(({ outcome }) => outcome.status === 'accepted' && !outcome.repeated);
        const written = accepted.flatMap(({ outcome }) => (outcome.status === 'accepted' ? outcome.events : []));
        expect(written.map(({ revision }) => revision).toSorted((a, b) => a - b)).toEqual(
          events.map(({ revision }) => revision),
        );
        const keys = events.flatMap((event) => journalEventOf(event).event.key?.hash ?? []);
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
