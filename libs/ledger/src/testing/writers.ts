import type { LedgerCommand } from '@app/domain';
import { MemoryEventStore, type EventStore } from '@app/event-store';
import type { JournalClock } from '../clock.js';
import { LedgerWriter, type LedgerWriterOptions } from '../ledger-writer.js';
import type { CommandRequest, KeyIndex } from '../writer-port.js';

/** A clock that a test moves. */
export class ManualClock implements JournalClock {
  ready = true;
  constructor(public ms = Date.UTC(2026, 0, 1)) {}
  now(): number {
    return this.ms;
  }
}

/** An index that has seen nothing, and says that it has seen everything: for tests whose keys stay in the window. */
export const emptyIndex: KeyIndex = {
  find: () => Promise.resolve({ through: Number.MAX_SAFE_INTEGER, found: new Map() }),
};

export async function startWriter(
  options: Partial<LedgerWriterOptions> & { store?: EventStore } = {},
): Promise<LedgerWriter> {
  const writer = new LedgerWriter({
    store: options.store ?? new MemoryEventStore(),
    keyIndex: emptyIndex,
    clock: new ManualClock(),
    ...options,
  });
  await writer.start();
  return writer;
}

export const grant = (userId: string, amount: bigint): CommandRequest => ({
  command: { type: 'GrantNova', userId, adminId: 'admin', amount },
  actor: 'admin:admin',
});

export const gift = (senderId: string, recipientId: string, amount = 1_000_00n): LedgerCommand => ({
  type: 'SendGift',
  senderId,
  recipientId,
  amount,
});
