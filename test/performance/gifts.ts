import type { EventStore } from '@app/event-store';
import { LedgerWriter, type LedgerWriterOptions, systemClock, type CommandRequest, type KeyIndex } from '@app/ledger';

/** Keys of a measurement are new and stay in the window, so nothing is looked up. */
const emptyIndex: KeyIndex = { find: () => Promise.resolve({ through: Number.MAX_SAFE_INTEGER, found: new Map() }) };

export const GIFT = 1_000_00n;
const WEALTH = 1_000_000_000_00n;

export const memberIds = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `0193a000-0000-7000-8000-${String(n).padStart(12, '0')}`);

let keys = 0;
/** A UUIDv7 of now. */
export function freshKey(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  keys += 1;
  const count = keys.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count}`;
}

const giftRequest = (senderId: string, recipientId: string): CommandRequest => ({
  command: { type: 'SendGift', senderId, recipientId, amount: GIFT },
  actor: `member:${senderId}`,
  key: { scope: `member:${senderId}:gifts.send`, value: freshKey() },
});

export async function openWriter(
  store: EventStore,
  options: Partial<Pick<LedgerWriterOptions, 'envelope' | 'signerFor' | 'journal' | 'trust'>> = {},
): Promise<LedgerWriter> {
  const writer = new LedgerWriter({ store, clock: systemClock, keyIndex: emptyIndex, ...options });
  await writer.start();
  return writer;
}

export async function fund(writer: LedgerWriter, members: readonly string[]): Promise<void> {
  for (let at = 0; at < members.length; at += 2_000) {
    const grants = members.slice(at, at + 2_000).map((userId) =>
      writer.execute({
        command: { type: 'GrantNova', userId, adminId: 'bench', amount: WEALTH },
        actor: 'admin:bench',
      }),
    );
    await Promise.all(grants);
  }
}

export type Pair = () => readonly [sender: string, recipient: string];

/** A random sender and a different random recipient. */
export function pairsOf(members: readonly string[]): Pair {
  return () => {
    const sender = Math.floor(Math.random() * members.length);
    const recipient = (sender + 1 + Math.floor(Math.random() * (members.length - 1))) % members.length;
    return [members[sender] ?? '', members[recipient] ?? ''];
  };
}

/** Every gift from the first member. */
export function hotPairsOf(members: readonly string[]): Pair {
  return () => [members[0] ?? '', members[1 + Math.floor(Math.random() * (members.length - 1))] ?? ''];
}

/** Calls `work` from several callers at once until the time is over; returns the calls per second. */
export async function callsPerSecond(callers: number, seconds: number, work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  let calls = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await work();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (calls * 1_000) / (performance.now() - begin);
}

/** One gift that must be accepted. */
export async function sendGift(writer: LedgerWriter, pair: Pair): Promise<number> {
  const outcome = await writer.execute(giftRequest(...pair()));
  if (outcome.status !== 'accepted') throw new Error(`a gift was ${outcome.status}`);
  return outcome.revision;
}
