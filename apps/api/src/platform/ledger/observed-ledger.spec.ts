import { type LedgerCommand, POOLS_PER_PAYOUT_MAX, testClientIdOf } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { type CommandRequest, LedgerWriter, systemClock } from '@app/ledger';
import { startWriter } from '../../../../../libs/ledger/src/testing/writers.js';
import { testMembersOf } from '../../oauth/test-mode/test-members.js';
import { Metrics } from '../health/metrics.js';
import { LedgerMetrics, ObservedLedger } from './observed-ledger.js';

const PRICE = 1_000n;
/** Of each chat a tenth goes to the host's thread. */
const THREAD_SHARE = PRICE / 10n;

describe('a ledger command of a member whom more pools owe than one event pays', () => {
  let ledger: ObservedLedger;

  const run = (...commands: readonly LedgerCommand[]) =>
    Promise.all(commands.map((command) => ledger.execute({ command, actor: 'process' })));

  /** @returns what the threads of so many hosts owe tom, and nothing else is his */
  async function owe(hosts: number): Promise<bigint> {
    const hostIds = Array.from({ length: hosts }, (_, n) => `host-${n}`);
    await run({ type: 'GrantNova', userId: 'ann', adminId: 'root', amount: PRICE * BigInt(hosts) });
    await run(
      ...hostIds.map((hostId) => ({ type: 'GrantThreadShare', hostId, userId: 'tom', chatId: hostId }) as const),
    );
    await run(
      ...hostIds.flatMap((hostId): LedgerCommand[] => [
        { type: 'HoldChatPayment', chatId: hostId, initiatorId: 'ann', hostId, amount: PRICE },
        { type: 'SettleChatPayment', chatId: hostId, outcome: 'success' },
      ]),
    );
    return THREAD_SHARE * BigInt(hosts);
  }

  const gift = (amount: bigint): CommandRequest => ({
    command: { type: 'SendGift', senderId: 'tom', recipientId: 'ann', amount },
    actor: 'member:tom',
    key: { scope: 'fact', value: `gift of ${amount}` },
  });

  beforeEach(async () => {
    const keyIndex = { find: () => Promise.resolve({ through: Number.MAX_SAFE_INTEGER, found: new Map() }) };
    const writer = new LedgerWriter({ store: new MemoryEventStore(), clock: systemClock, keyIndex });
    ledger = new ObservedLedger(writer, new LedgerMetrics(new Metrics(), writer));
    await ledger.start();
  });
  afterEach(() => ledger.stop());

  it('is accepted, once, after what they owe was paid, and so is its preview', async () => {
    const owed = await owe(2 * POOLS_PER_PAYOUT_MAX + 1);
    expect(await ledger.execute({ ...gift(owed), dryRun: true })).toMatchObject({ status: 'accepted' });
    const sent = await ledger.execute(gift(owed));
    expect(sent).toMatchObject({ status: 'accepted', repeated: false });
    expect(sent.status === 'accepted' && sent.balances?.get('tom')).toBe(0n);
    expect(await ledger.execute(gift(owed))).toMatchObject({ status: 'accepted', repeated: true });
  });

  it('is refused where all of it is not enough, and then nothing is paid', async () => {
    const owed = await owe(POOLS_PER_PAYOUT_MAX + 1);
    const { revision } = ledger;
    const refused = { status: 'refused', rejection: { code: 'INSUFFICIENT_NOVA', available: owed } };
    expect(await ledger.execute(gift(owed + 1n))).toMatchObject(refused);
    expect(ledger.revision).toBe(revision);
  });

  it('is accepted when a chat of theirs ends, which pays them Influence', async () => {
    await owe(POOLS_PER_PAYOUT_MAX + 1);
    await run({ type: 'GrantNova', userId: 'tom', adminId: 'root', amount: PRICE });
    const outcomes = await run(
      { type: 'HoldChatPayment', chatId: 'chat', initiatorId: 'tom', hostId: 'ann', amount: PRICE },
      { type: 'SettleChatPayment', chatId: 'chat', outcome: 'success' },
      { type: 'ReleaseChatReward', chatId: 'chat', side: 'initiator' },
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('is accepted when their account closes', async () => {
    await owe(POOLS_PER_PAYOUT_MAX + 1);
    const outcomes = await run(
      { type: 'CloseAccount', userId: 'tom' },
      { type: 'FinishClosingAccount', userId: 'tom' },
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
  });
});

it('lets nothing of test mode reach the journal', async () => {
  const writer = await startWriter();
  const ledger = new ObservedLedger(writer, new LedgerMetrics(new Metrics(), writer));
  const [madeUp] = testMembersOf(testClientIdOf('chess'), 0);
  const userId = madeUp?.id ?? '';
  const via = { clientId: testClientIdOf('chess'), ownerId: 'dev', dailyLimit: 1n };
  const commands: LedgerCommand[] = [
    { type: 'GrantNova', userId, adminId: 'root', amount: 1n },
    { type: 'SendGift', senderId: 'ann', recipientId: userId, amount: 100_000n },
    { type: 'EarnAppTokensInBulk', clientId: 'chess', payments: [{ userId, amount: 1n }] },
    { type: 'SpendAppTokens', userId: 'ann', amount: 1n, via },
  ];
  for (const command of commands) {
    await expect(ledger.execute({ command, actor: 'process' })).rejects.toThrow('which is of test mode');
  }
  expect(writer.revision).toBe(-1);
  await writer.stop();
});
