import { cleanStream, DamagedStream } from './picture-stream.js';

const bytes = (...parts: readonly (number | string)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));
const SECRET = 'where I live';
/** A unit after its length of four bytes. */
const unit = (...header: readonly number[]): Uint8Array =>
  Buffer.concat([bytes(0, 0, 0, header.length + SECRET.length), bytes(...header, SECRET)]);
const says = (data: Uint8Array | undefined): boolean => Buffer.from(data ?? []).includes(SECRET);

/** `avcC` with one parameter set of each kind. */
const AVCC = bytes(1, 66, 0, 30, 0xff, 0xe1, 0, 2, 0x67, 1, 1, 0, 2, 0x68, 1);
const hvcc = (...arrays: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([Buffer.alloc(21, 1), bytes(0x0f, arrays.length), ...arrays]);
const hvccArray = (type: number, text: string): Uint8Array => bytes(type, 0, 1, 0, text.length, text);

describe('the stream of a picture', () => {
  it('of H.264 keeps its slices and parameter sets alone', () => {
    const { clean, description } = cleanStream('avc', AVCC);
    expect(Buffer.from(description ?? [])).toEqual(Buffer.from(AVCC));
    const slice = Buffer.concat([bytes(0, 0, 0, 3, 0x65, 1, 2)]);
    // SEI, a delimiter, filler, and types without a meaning.
    for (const type of [6, 9, 12, 0, 16, 24, 31]) {
      expect(Buffer.from(clean(Buffer.concat([unit(type), slice, unit(type)])))).toEqual(slice);
    }
  });

  it('of H.264 hides nothing in its configuration', () => {
    const hidden = bytes(
      1,
      66,
      0,
      30,
      0xff,
      0xe2,
      0,
      2,
      0x67,
      1,
      0,
      SECRET.length + 1,
      6,
      SECRET,
      1,
      0,
      2,
      0x68,
      1,
      SECRET,
    );
    const { description } = cleanStream('avc', hidden);
    expect(says(hidden)).toBe(true);
    expect(Buffer.from(description ?? [])).toEqual(Buffer.from(AVCC));
  });

  it('of HEVC keeps its slices and parameter sets alone, in the configuration as well', () => {
    const sets = [32, 33, 34].map((type) => hvccArray(type, 'set'));
    const { clean, description } = cleanStream('hevc', hvcc(...sets, hvccArray(39, SECRET), hvccArray(40, SECRET)));
    expect(Buffer.from(description ?? [])).toEqual(Buffer.from(hvcc(...sets)));
    const slice = bytes(0, 0, 0, 3, 19 << 1, 1, 2);
    for (const type of [35, 38, 39, 40, 41, 48, 63]) {
      expect(Buffer.from(clean(Buffer.concat([unit(type << 1, 1), slice])))).toEqual(slice);
    }
  });

  it('of AV1 keeps no metadata, in the configuration as well', () => {
    const obu = (type: number, text: string): Uint8Array => bytes((type << 3) | 2, text.length, text);
    const { clean, description } = cleanStream(
      'av1',
      Buffer.concat([bytes(0x81, 0, 0, 0), obu(1, 'seq'), obu(5, SECRET)]),
    );
    expect(Buffer.from(description ?? [])).toEqual(Buffer.concat([bytes(0x81, 0, 0, 0), obu(1, 'seq')]));
    const last = bytes(6 << 3, 'frame without a size');
    for (const type of [0, 5, 8, 9, 15]) {
      expect(Buffer.from(clean(Buffer.concat([obu(type, SECRET), obu(6, 'frame'), last])))).toEqual(
        Buffer.concat([obu(6, 'frame'), last]),
      );
    }
  });

  it.each([
    ['avc', AVCC, bytes(0, 0, 0, 9, 0x65)],
    ['avc', AVCC, bytes(0, 0)],
    ['av1', undefined, bytes((6 << 3) | 2, 200, 'short')],
    ['av1', undefined, bytes((6 << 3) | 2, 255, 255, 255, 255, 255, 255, 255, 255, 255)],
  ])('of %s that leads out of itself is damaged', (codec, config, data) => {
    expect(() => cleanStream(codec, config).clean(data)).toThrow(DamagedStream);
  });

  it.each([
    ['avc', undefined],
    ['avc', bytes(1, 2, 3)],
    ['avc', bytes(1, 66, 0, 30, 0xff, 0xe1, 0xff, 0xff, 0x67)],
    ['hevc', Buffer.alloc(22)],
    ['hevc', hvcc(bytes(32, 0, 9, 0, 1, 1))],
  ])('of %s with a broken configuration is damaged', (codec, config) => {
    expect(() => cleanStream(codec, config)).toThrow(DamagedStream);
  });
});
