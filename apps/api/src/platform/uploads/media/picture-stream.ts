/**
 * Reduces a compressed picture stream to what a decoder needs. Encoders, and people who want to hide something, put
 * free text between the pictures: SEI messages of H.264 and HEVC, metadata units of AV1. Rewriting the container does
 * not remove them.
 */

/** The stream is damaged: its lengths lead beyond its end. */
export class DamagedStream extends Error {
  override readonly name = 'DamagedStream';
}

/** Slices, parameter sets and their extensions. */
const H264_KEPT = new Set([1, 2, 3, 4, 5, 7, 8, 13, 14, 15, 19, 20]);
const HEVC_PARAMETER_SETS = new Set([32, 33, 34]);
const HEVC_KEPT = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20, 21, ...HEVC_PARAMETER_SETS]);
/** Sequence header, temporal delimiter, frame headers, tiles and frames. */
const AV1_KEPT = new Set([1, 2, 3, 4, 6, 7]);

const h264Type = (header: number): number => header & 31;
const hevcType = (header: number): number => (header >> 1) & 63;

type Cleaner = (data: Uint8Array) => Uint8Array;

export interface CleanStream {
  /** The decoder's configuration as it goes into the new file. */
  readonly description: Uint8Array | undefined;
  /** Removes from one packet what no picture needs. @throws DamagedStream */
  readonly clean: Cleaner;
}

/** @throws DamagedStream */
export function cleanStream(codec: string, description: Uint8Array | undefined): CleanStream {
  switch (codec) {
    case 'avc': {
      const config = required(description, 7);
      return {
        description: cleanAvcConfiguration(config),
        clean: keepNalUnits((at(config, 4) & 3) + 1, (header) => H264_KEPT.has(h264Type(header))),
      };
    }
    case 'hevc': {
      const config = required(description, 23);
      return {
        description: cleanHevcConfiguration(config),
        clean: keepNalUnits((at(config, 21) & 3) + 1, (header) => HEVC_KEPT.has(hevcType(header))),
      };
    }
    case 'av1':
      return { description: description && cleanAv1Configuration(description), clean: keepAv1Units };
    default:
      return { description, clean: (data) => data };
  }
}

/** Keeps the parameter sets of `avcC`, and the four bytes that follow them in the high profiles. */
function cleanAvcConfiguration(config: Uint8Array): Uint8Array {
  const reader = new Reader(config);
  const head = reader.take(5);
  const sets = (type: number, countMask: number): Uint8Array[] => {
    const count = reader.byte() & countMask;
    const units = Array.from({ length: count }, () => reader.sized(2));
    return units.filter(({ content }) => h264Type(at(content, 0)) === type).map(({ whole }) => whole);
  };
  const sequence = sets(7, 31);
  const picture = sets(8, 255);
  const isHighProfile = [100, 110, 122, 144].includes(at(config, 1));
  const format = isHighProfile && reader.left >= 4 ? [...reader.take(3), 0] : [];
  return joined([
    head,
    Uint8Array.of(0xe0 | sequence.length),
    ...sequence,
    Uint8Array.of(picture.length),
    ...picture,
    Uint8Array.from(format),
  ]);
}

/** Keeps the parameter sets of `hvcC`: SEI has arrays of its own there. */
function cleanHevcConfiguration(config: Uint8Array): Uint8Array {
  const reader = new Reader(config);
  const head = Uint8Array.from(reader.take(22));
  const arrays = Array.from({ length: reader.byte() }, () => {
    const start = reader.at;
    const type = reader.byte() & 63;
    const count = reader.number(2);
    for (let unit = 0; unit < count; unit += 1) reader.sized(2);
    return { type, whole: config.subarray(start, reader.at) };
  });
  const kept = arrays.filter(({ type }) => HEVC_PARAMETER_SETS.has(type)).map(({ whole }) => whole);
  return joined([head, Uint8Array.of(kept.length), ...kept]);
}

/** Keeps the four bytes and the sequence header of `av1C`. */
const cleanAv1Configuration = (config: Uint8Array): Uint8Array =>
  joined([config.subarray(0, 4), keepAv1Units(config.subarray(4))]);

/** Keeps some of the units, each of which follows its length. */
function keepNalUnits(lengthBytes: number, isKept: (header: number) => boolean): Cleaner {
  return (data) => {
    const reader = new Reader(data);
    const kept: Uint8Array[] = [];
    while (reader.left > 0) {
      const { content, whole } = reader.sized(lengthBytes);
      if (content.length > 0 && isKept(at(content, 0))) kept.push(whole);
    }
    return joined(kept);
  };
}

function keepAv1Units(data: Uint8Array): Uint8Array {
  const reader = new Reader(data);
  const kept: Uint8Array[] = [];
  while (reader.left > 0) {
    const start = reader.at;
    const header = reader.byte();
    if ((header & 4) !== 0) reader.take(1);
    // The last unit may omit its size.
    reader.take((header & 2) === 0 ? reader.left : reader.leb128());
    if (AV1_KEPT.has((header >> 3) & 15)) kept.push(data.subarray(start, reader.at));
  }
  return joined(kept);
}

class Reader {
  at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  take(count: number): Uint8Array {
    if (count > this.left) throw new DamagedStream('a length leads out of the stream');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  byte(): number {
    return at(this.take(1), 0);
  }

  number(bytes: number): number {
    return this.take(bytes).reduce((value, byte) => value * 256 + byte, 0);
  }

  leb128(): number {
    let value = 0;
    for (let shift = 0; shift < 8; shift += 1) {
      const byte = this.byte();
      value += (byte & 127) * 128 ** shift;
      if (byte < 128) return value;
    }
    throw new DamagedStream('a number without an end');
  }

  /** Takes a length and the content that follows it. */
  sized(lengthBytes: number): { readonly content: Uint8Array; readonly whole: Uint8Array } {
    const start = this.at;
    const content = this.take(this.number(lengthBytes));
    return { content, whole: this.bytes.subarray(start, this.at) };
  }
}

/** A byte that an earlier check found to be there. */
const at = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0;

function required(description: Uint8Array | undefined, bytesMin: number): Uint8Array {
  if (description && description.length >= bytesMin) return description;
  throw new DamagedStream('the configuration of the decoder is missing');
}

const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
