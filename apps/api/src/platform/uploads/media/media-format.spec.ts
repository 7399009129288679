import { isAsDeclared, sniffMedia } from './media-format.js';

const bytes = (text: string): Buffer => Buffer.from(text.padEnd(64, '\0'), 'latin1');
const box = (brand: string): Buffer => bytes(`\0\0\0\x20ftyp${brand}\0\0\0\0`);

const brands = (major: string, ...compatible: readonly string[]): Buffer =>
  bytes(`\0\0\0${String.fromCharCode(16 + compatible.length * 4)}ftyp${major}\0\0\0\0${compatible.join('')}`);

describe('what a file is, by its first bytes', () => {
  it.each([
    ['jpeg', bytes('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['png', bytes('\x89PNG\r\n\x1a\n')],
    ['gif', bytes('GIF87a')],
    ['gif', bytes('GIF89a')],
    ['webp', bytes('RIFF\x10\0\0\0WEBPVP8 ')],
    ['avif', box('avif')],
    ['heic', box('heic')],
    ['heic', brands('mif1', 'mif1', 'heic')],
    ['avif', brands('mif1', 'mif1', 'avif')],
    ['mp4', brands('XAVC', 'XAVC', 'mp42', 'iso2')],
    ['mp4', brands('CAEP', 'CAEP', 'mp42')],
    ['mp4', brands('mp71', 'mp71', 'isom')],
    ['mp4', box('isom')],
    ['mp4', box('mp42')],
    ['mp4', box('qt  ')],
    ['mp4', bytes('\0\0\0\x08wide\0\0\0\0mdat')],
    ['webm', bytes('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm')],
  ])('%s', (format, head) => {
    expect(sniffMedia(head)).toBe(format);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a few bytes', Buffer.from('\xff\xd8\xff', 'latin1')],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['SVG after a declaration', bytes('<?xml version="1.0"?><svg')],
    ['HTML', bytes('<!doctype html><script>')],
    ['PDF', bytes('%PDF-1.7')],
    ['a program', bytes('\x7fELF\x02\x01\x01')],
    ['an archive', bytes('PK\x03\x04')],
    ['a brand that is compatible with nothing', box('abcd')],
    ['Matroska', bytes('\x1aE\xdf\xa3\x9fB\x82\x88matroska')],
    ['sound', bytes('RIFF\x10\0\0\0WAVEfmt ')],
    ['an image behind text', bytes('<!--\xff\xd8\xff\xe0-->')],
    ['a playlist', bytes('#EXTM3U\n#EXT-X-TARGETDURATION:10')],
  ])('%s is none of ours', (_, head) => {
    expect(sniffMedia(head)).toBeUndefined();
  });

  it('is compared with what was declared', () => {
    expect(isAsDeclared('jpeg', 'image/JPG; charset=binary')).toBe(true);
    expect(isAsDeclared('mp4', 'video/quicktime')).toBe(true);
    expect(isAsDeclared('png', undefined)).toBe(true);
    expect(isAsDeclared('png', 'application/octet-stream')).toBe(true);
    expect(isAsDeclared('png', 'image/jpeg')).toBe(false);
    expect(isAsDeclared('png', 'text/html')).toBe(false);
    expect(isAsDeclared('jpeg', 'image/svg+xml')).toBe(false);
  });
});
