import type { FileKind } from '../stored-file.js';

/** The format of a file, as its first bytes tell. */
export type MediaFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic' | 'mp4' | 'webm';

/** The first bytes that are enough to recognise every format here. */
export const SNIFF_BYTES = 64;

const latin = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

const PNG = '\x89PNG\r\n\x1a\n';
const EBML = '\x1aE\xdf\xa3';
const AVIF_BRANDS = /^avi[fs]$/;
const HEIC_BRANDS = /^(?:hei[cmsx]|hev[cmsx])$/;
/** MP4 and QuickTime alike: they are read the same way. */
const VIDEO_BRANDS =
  /^(?:isom|iso[2-9]|mp4[12v]|M4V |M4VH|M4VP|qt {2}|avc1|dash|3g[gp2].|mmp4|MSNV|F4V |hvc1|hev1|av01)$/;

/**
 * The format of a file, by its first bytes alone: names and declared types do not count. SVG, HTML and anything else
 * that a browser might run have no format here.
 */
export function sniffMedia(bytes: Buffer): MediaFormat | undefined {
  if (bytes.length < 12) return undefined;
  if (latin(bytes, 0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (latin(bytes, 0, 8) === PNG) return 'png';
  if (/^GIF8[79]a$/.test(latin(bytes, 0, 6))) return 'gif';
  if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return 'webp';
  if (latin(bytes, 4, 8) === 'ftyp') return sniffBrands(bytes);
  // Files of old cameras begin with their content.
  if (/^(?:moov|wide|mdat)$/.test(latin(bytes, 4, 8)) && bytes.readUInt32BE(0) >= 8) return 'mp4';
  if (latin(bytes, 0, 4) === EBML && latin(bytes, 4, SNIFF_BYTES).includes('webm')) return 'webm';
  return undefined;
}

/**
 * A known major brand decides. Cameras have brands of their own, and list the brands that these are compatible with.
 */
function sniffBrands(bytes: Buffer): MediaFormat | undefined {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, SNIFF_BYTES);
  const brands = [latin(bytes, 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(latin(bytes, at, at + 4));
  const formats = brands.map((brand): MediaFormat | undefined => {
    if (AVIF_BRANDS.test(brand)) return 'avif';
    if (HEIC_BRANDS.test(brand)) return 'heic';
    return VIDEO_BRANDS.test(brand) ? 'mp4' : undefined;
  });
  return formats.find((format) => format !== undefined);
}

export const kindOf = (format: MediaFormat): FileKind => (format === 'mp4' || format === 'webm' ? 'video' : 'image');

const DECLARED: Readonly<Record<string, MediaFormat>> = {
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/pjpeg': 'jpeg',
  'image/png': 'png',
  'image/x-png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/heif': 'heic',
  'video/mp4': 'mp4',
  'video/x-m4v': 'mp4',
  'video/quicktime': 'mp4',
  'video/3gpp': 'mp4',
  'video/webm': 'webm',
};

/** Content types that declare nothing. */
const UNDECLARED = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/** Whether the bytes can be of the declared content type. This catches only plain mismatches; decoding decides. */
export function isAsDeclared(format: MediaFormat, contentType: string | undefined): boolean {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return UNDECLARED.has(type) || DECLARED[type] === format;
}

/** The format that a content type names; undefined for a type that is never taken. */
export const declaredFormat = (contentType: string): MediaFormat | undefined =>
  DECLARED[contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''];
