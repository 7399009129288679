import { hash } from 'node:crypto';
import { decide, evolve, LedgerState, type LedgerCommand, type LedgerEvent } from '@app/domain';
import type { Figure } from './report.js';
import { memberIds } from './gifts.js';

const COUNT = 200_000;
const AT = Date.UTC(2026, 0, 1);

/** Measures the bytes of memory that the state takes for one more of each kind. */
export function benchMemory(): Figure[] {
  const state = new LedgerState();
  const ids = memberIds(COUNT);
  const account = bytesEach(() => {
    for (const userId of ids) apply(state, { type: 'GrantNova', userId, adminId: 'bench', amount: 100_000_000n });
  });
  const hold = bytesEach(() => {
    ids.forEach((initiatorId, n) => {
      apply(state, {
        type: 'HoldChatPayment',
        chatId: initiatorId.replace('0193a', '0193c'),
        initiatorId,
        hostId: ids[(n + 1) % COUNT] ?? '',
        amount: 1_000n,
      });
    });
  });
  const share = bytesEach(() => {
    ids.forEach((userId) => apply(state, { type: 'MintKarma', userId, completedChats: 5 }));
  });
  const key = bytesEach(() => {
    ids.forEach((userId) => apply(state, { type: 'GrantNova', userId, adminId: 'bench', amount: 1n }, userId));
  });
  const figure = (name: string, value: number): Figure => ({
    group: 'memory of the state',
    name: `one ${name}`,
    value,
    unit: 'bytes',
  });
  return [
    { ...figure('account with balances', account), goal: { at: '<=', value: 250 } },
    figure('share', share),
    figure('open hold', hold),
    figure('key', key),
  ];
}

function apply(state: LedgerState, command: LedgerCommand, keyOf?: string): void {
  const decision = decide(state, command, AT);
  if (!decision.accepted) throw new Error(`${command.type}: ${decision.rejection.message}`);
  for (const fact of decision.events) {
    const digest = keyOf === undefined ? undefined : hash('sha256', keyOf, 'hex');
    const key = digest && { hash: digest.slice(0, 32), fingerprint: digest.slice(32, 48) };
    const event: LedgerEvent = { ...fact, at: AT, actor: 'bench', ...(key && { key }) };
    evolve(state, event, state.revision + 1);
  }
}

function bytesEach(work: () => void): number {
  const before = bytesUsed();
  work();
  return (bytesUsed() - before) / COUNT;
}

function bytesUsed(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
