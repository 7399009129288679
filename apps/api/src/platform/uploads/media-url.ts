import { AppError } from '../errors/app-error.js';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const MEDIA_PATH = new RegExp(`/objects/uploads/(${UUID})$`, 'i');
const ONLY_ID = new RegExp(`^${UUID}$`, 'i');

export const mediaUrl = (id: string): string => `/objects/uploads/${id}`;
export const thumbnailUrl = (id: string): string => `${mediaUrl(id)}/thumbnail`;

/** Takes the picture of a video. */
export const posterUrl = (id: string): string => `${mediaUrl(id)}/poster`;

/** A path parameter that is one of our ids, in the form that they are kept in; anything else names nothing. */
export const uploadId = (text: string): string | undefined => (ONLY_ID.test(text) ? text.toLowerCase() : undefined);

/**
 * Which upload an address names: `/objects/uploads/{id}`, or its absolute form, or the signed address that the file was
 * sent to (rule uploads-4). Only the id counts: whose it is, is for the claim to say.
 * @throws AppError 400 `INVALID_MEDIA_URL`
 */
export function parseMediaUrl(text: string): string {
  const isAbsolute = /^https?:\/\//i.test(text);
  if ((isAbsolute || /^\/(?!\/)/.test(text)) && !text.includes('\\')) {
    const base = 'http://nova.invalid';
    const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
    const [whole, id] = url ? (MEDIA_PATH.exec(url.pathname) ?? []) : [];
    // The path of one's own address is the whole of it; a bucket's name may stand before it in another's.
    if (id !== undefined && (isAbsolute || whole === url?.pathname)) return id.toLowerCase();
  }
  throw new AppError(400, 'INVALID_MEDIA_URL', 'The address of the file must be one that its upload gave.');
}
