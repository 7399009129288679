import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The most boxes, elements or units of a file that are read. */
const PARTS_MAX = 2_000_000;

/** The end of the file is missing. */
export class CutOff extends Error {
  override readonly name = 'CutOff';
}

/** The part of a track that its edit list shows, in seconds of the movie. */
export interface ShownPart {
  readonly edits: number;
  /** Of the first edit; undefined where it lasts to the end. */
  readonly seconds: number | undefined;
}

/** Reads the structure of a file: how it is divided into boxes, not their content. */
class Frame {
  private readonly fd: number;
  readonly size: number;

  constructor(file: string) {
    this.fd = openSync(file, 'r');
    this.size = fstatSync(this.fd).size;
  }

  /** Returns fewer bytes at the end of the file. */
  bytes(at: number, count: number): Buffer {
    const buffer = Buffer.alloc(count);
    return buffer.subarray(0, readSync(this.fd, buffer, 0, count, at));
  }

  close(): void {
    closeSync(this.fd);
  }
}

function reading<T>(file: string, read: (frame: Frame) => T): T {
  const frame = new Frame(file);
  try {
    return read(frame);
  } finally {
    frame.close();
  }
}

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const BOX_TYPE = /^[\w ©-]{4}$/;

/** The boxes between two positions. Ends at anything that is not a box, because some cameras append zeros. */
function* boxes(frame: Frame, from: number, to: number): Generator<Box> {
  for (let at = from, count = 0; at + 8 <= to && count < PARTS_MAX; count += 1) {
    const header = frame.bytes(at, 16);
    const short = header.readUInt32BE(0);
    const isLong = short === 1 && header.length === 16;
    const size = isLong ? Number(header.readBigUInt64BE(8)) : short;
    const type = header.toString('latin1', 4, 8);
    const end = size === 0 ? to : at + size;
    const start = at + (isLong ? 16 : 8);
    if (!BOX_TYPE.test(type) || end < start) return;
    yield { type, start, end };
    at = end;
  }
}

/** Pictures, sound and their indexes. Cameras truncate other boxes. */
const NEEDED_BOXES = new Set(['ftyp', 'moov', 'moof', 'mdat', 'sidx', 'mfra']);

/**
 * Looks whether an MP4 is whole. Its index alone does not tell: readers end quietly where the file does.
 * @throws CutOff
 */
export function checkMp4IsWhole(file: string): void {
  reading(file, (frame) => {
    for (const { type, end } of boxes(frame, 0, frame.size)) {
      if (end > frame.size && NEEDED_BOXES.has(type)) throw new CutOff(`the box ${type} is cut off`);
    }
  });
}

/** What the edit lists of an MP4 show, track by track. */
export function shownParts(file: string): ReadonlyMap<number, ShownPart> {
  return reading(file, (frame) => {
    const parts = new Map<number, ShownPart>();
    const inside = (box: Box | undefined, type: string): Box | undefined =>
      box && [...boxes(frame, box.start, Math.min(box.end, frame.size))].find((each) => each.type === type);
    const moov = inside({ type: '', start: 0, end: frame.size }, 'moov');
    if (!moov) return parts;
    const timescale = timescaleOf(frame, inside(moov, 'mvhd'));
    for (const trak of boxes(frame, moov.start, Math.min(moov.end, frame.size))) {
      if (trak.type !== 'trak') continue;
      const tkhd = inside(trak, 'tkhd');
      const elst = inside(inside(trak, 'edts'), 'elst');
      if (!tkhd || !elst || timescale === 0) continue;
      const id = frame.bytes(tkhd.start, 24);
      if (id.length < 24) continue;
      parts.set(id.readUInt32BE(id[0] === 1 ? 20 : 12), readEdits(frame.bytes(elst.start, 1024), timescale));
    }
    return parts;
  });
}

function timescaleOf(frame: Frame, mvhd: Box | undefined): number {
  const bytes = mvhd && frame.bytes(mvhd.start, 24);
  return bytes && bytes.length === 24 ? bytes.readUInt32BE(bytes[0] === 1 ? 20 : 12) : 0;
}

/** Empty edits delay a track and show nothing. */
function readEdits(bytes: Buffer, timescale: number): ShownPart {
  const isLong = bytes[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  const count = bytes.length >= 8 ? bytes.readUInt32BE(4) : 0;
  const durations: number[] = [];
  for (let entry = 0; entry < count; entry += 1) {
    const at = 8 + entry * entryBytes;
    if (at + entryBytes > bytes.length) break;
    const duration = isLong ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
    const mediaTime = isLong ? Number(bytes.readBigInt64BE(at + 8)) : bytes.readInt32BE(at + 4);
    if (mediaTime >= 0) durations.push(duration);
  }
  const [first = 0] = durations;
  return { edits: durations.length, seconds: first === 0 ? undefined : first / timescale };
}

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;

/**
 * Looks whether a WebM is whole. Recorders leave sizes open; then its parts are looked at one by one.
 * @throws CutOff
 */
export function checkWebmIsWhole(file: string): void {
  reading(file, (frame) => {
    for (let at = 0, count = 0; at < frame.size && count < PARTS_MAX; count += 1) {
      const header = frame.bytes(at, 12);
      const id = variableNumber(header, 0, { keepMarker: true });
      const size = id && variableNumber(header, id.bytes, { keepMarker: false });
      if (!id || !size) throw new CutOff('an element is cut off');
      const start = at + id.bytes + size.bytes;
      const isOpen = size.value === 2 ** (7 * size.bytes) - 1;
      const end = start + size.value;
      if (!isOpen && end > frame.size) throw new CutOff('an element is cut off');
      const isEntered = id.value === SEGMENT || (id.value === CLUSTER && isOpen);
      if (isOpen && !isEntered) return;
      at = isEntered ? start : end;
    }
  });
}

function variableNumber(
  bytes: Buffer,
  at: number,
  { keepMarker }: { readonly keepMarker: boolean },
): { readonly value: number; readonly bytes: number } | undefined {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || at + length > bytes.length) return undefined;
  let value = keepMarker ? first : first & (0xff >> length);
  for (const byte of bytes.subarray(at + 1, at + length)) value = value * 256 + byte;
  return { value, bytes: length };
}
