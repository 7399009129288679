import type { FileKind } from '../stored-file.js';

/** How a file is built, which its first bytes say. */
export type MediaFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic' | 'mp4' | 'webm';

/** So many bytes tell every format that is known here. */
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
 * What a file is, by its first bytes alone. Names and declared types are not asked. SVG, HTML and anything else that a
 * browser might run has no place here.
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

/** The major brand decides where it is known; cameras have brands of their own, and say what these are compatible with. */
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

/** Whoever says this says nothing. */
const UNDECLARED = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/** Whether a declared content type can be what the bytes are. Only exact lies are caught here: decoding decides. */
export function isAsDeclared(format: MediaFormat, contentType: string | undefined): boolean {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return UNDECLARED.has(type) || DECLARED[type] === format;
}

/** The format that a content type names, or undefined for one that is never taken. */
export const declaredFormat = (contentType: string): MediaFormat | undefined =>
  DECLARED[contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''];
