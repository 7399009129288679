import type { LinkedEvent } from './linked-event.js';

const HASH_BYTES = 64;

/** Many events in one block of memory, as threads hand them to each other. */
export interface PackedEvents {
  readonly first: number;
  /** Each event's data in UTF-8, and its hash behind it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each event's data ends. */
  readonly ends: Uint32Array;
  /** The types that occur, and which of them each event is of. */
  readonly types: readonly string[];
  readonly typeOf: Uint16Array;
}

/** What batches were unpacked from: who hands them on does not write them again. */
const packs = new WeakMap<readonly LinkedEvent[], PackedEvents>();

export const packed = (batch: readonly LinkedEvent[]): PackedEvents => packs.get(batch) ?? newlyPacked(batch);

function newlyPacked(events: readonly LinkedEvent[]): PackedEvents {
  const length = events.reduce((sum, { data }) => sum + Buffer.byteLength(data) + HASH_BYTES, 0);
  // With memory of its own, which alone can be handed over.
  const bytes = Buffer.allocUnsafeSlow(length);
  const ends = new Uint32Array(events.length);
  const typeOf = new Uint16Array(events.length);
  const types: string[] = [];
  let at = 0;
  for (const [n, { type, data, hash }] of events.entries()) {
    const known = types.indexOf(type);
    typeOf[n] = known < 0 ? types.push(type) - 1 : known;
    at += bytes.write(data, at);
    ends[n] = at;
    at += bytes.write(hash, at, 'latin1');
  }
  return { first: events[0]?.revision ?? 0, bytes, ends, types, typeOf };
}

export function unpacked(pack: PackedEvents): readonly LinkedEvent[] {
  const { first, bytes, ends, types, typeOf } = pack;
  const buffer = Buffer.from(bytes.buffer);
  let begin = 0;
  const events = Array.from(ends, (end, n) => {
    const event = new PackedEvent(first + n, types[typeOf[n] ?? 0] ?? '', buffer, begin, end);
    begin = end + HASH_BYTES;
    return event;
  });
  packs.set(events, pack);
  return events;
}

/** Creates its texts on demand: created all at once, they would outlive the young generation. */
class PackedEvent implements LinkedEvent {
  constructor(
    readonly revision: number,
    readonly type: string,
    private readonly buffer: Buffer,
    private readonly begin: number,
    private readonly end: number,
  ) {}

  get data(): string {
    return this.buffer.toString('utf8', this.begin, this.end);
  }

  get hash(): string {
    return this.buffer.toString('latin1', this.end, this.end + HASH_BYTES);
  }
}
