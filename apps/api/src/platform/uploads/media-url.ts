import { AppError } from '../errors/app-error.js';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const MEDIA_PATH = new RegExp(`/objects/uploads/(${UUID})$`, 'i');
const ONLY_ID = new RegExp(`^${UUID}$`, 'i');

export const mediaUrl = (id: string): string => `/objects/uploads/${id}`;
export const thumbnailUrl = (id: string): string => `${mediaUrl(id)}/thumbnail`;

/** The address to which the picture of a video is PUT. */
export const posterUrl = (id: string): string => `${mediaUrl(id)}/poster`;

/** A path parameter as one of our ids, in its stored form; undefined for anything else. */
export const uploadId = (text: string): string | undefined => (ONLY_ID.test(text) ? text.toLowerCase() : undefined);

/**
 * The upload that an address names: `/objects/uploads/{id}`, its absolute form, or the signed address to which the file
 * was sent (rule uploads-4). Only the id counts: the claim checks whose upload it is.
 * @throws AppError 400 `INVALID_MEDIA_URL`
 */
export function parseMediaUrl(text: string): string {
  const isAbsolute = /^https?:\/\//i.test(text);
  if ((isAbsolute || /^\/(?!\/)/.test(text)) && !text.includes('\\')) {
    const base = 'http://nova.invalid';
    const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
    const [whole, id] = url ? (MEDIA_PATH.exec(url.pathname) ?? []) : [];
    // At our own address the path must match as a whole; at another address a bucket's name may come before it.
    if (id !== undefined && (isAbsolute || whole === url?.pathname)) return id.toLowerCase();
  }
  throw new AppError(400, 'INVALID_MEDIA_URL', 'The address of the file must be one that its upload gave.');
}
