import { AppendTooLarge, type ExpectedRevision, type NewEvent } from './port.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The longest stream name, in bytes, because names are keys of an index. */
const STREAM_NAME_BYTES_MAX = 500;

/**
 * Refuses data that no adapter could store byte for byte, before sending anything. Returns the size of the append in
 * bytes.
 * @throws TypeError a malformed name, id, text or expected revision: a bug of the caller
 * @throws AppendTooLarge data, metadata and types together are over `maxAppendBytes`
 */
export function checkAppend(
  append: { readonly stream: string; readonly events: readonly NewEvent[]; readonly expected: ExpectedRevision },
  maxAppendBytes: number,
): number {
  checkStreamName(append.stream);
  checkExpected(append.expected);
  if (append.events.length === 0) throw new TypeError('an append needs at least one event');

  let bytes = 0;
  for (const event of append.events) {
    if (!UUID.test(event.id)) throw new TypeError(`an event id is a lower-case UUID, not ${JSON.stringify(event.id)}`);
    if (event.type === '' || event.type.startsWith('$'))
      throw new TypeError('an event needs a type that does not begin with $');
    bytes +=
      checkedBytes(event.type, 'type') + checkedBytes(event.data, 'data') + checkedBytes(event.metadata, 'metadata');
  }
  if (bytes > maxAppendBytes) {
    throw new AppendTooLarge(`an append of ${bytes} bytes is over the limit of ${maxAppendBytes}`);
  }
  return bytes;
}

function checkStreamName(stream: string): void {
  const bytes = checkedBytes(stream, 'stream name');
  if (bytes === 0 || bytes > STREAM_NAME_BYTES_MAX || stream.startsWith('$')) {
    throw new TypeError(
      `a stream name has 1 to ${STREAM_NAME_BYTES_MAX} bytes and does not begin with $: ${JSON.stringify(stream)}`,
    );
  }
}

function checkExpected(expected: ExpectedRevision): void {
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new TypeError(`an expected revision is a whole number from 0, none or any: ${expected}`);
  }
}

/**
 * A raw line break would break the framing of the Postgres adapter, a NUL cannot be stored there, and half of a surrogate
 * pair has no UTF-8 form. JSON.stringify escapes all three.
 */
function checkedBytes(text: string, what: string): number {
  const bytes = Buffer.byteLength(text);
  const isAscii = bytes === text.length;
  if (text.includes('\n') || text.includes('\0') || (!isAscii && LONE_SURROGATE.test(text))) {
    throw new TypeError(`an event's ${what} has a raw line break, a NUL or half of a surrogate pair`);
  }
  return bytes;
}
