import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../errors/app-error.js';
import { mediaUrl, posterUrl } from './media-url.js';

/** What a ticket allows. */
export interface SignedUpload {
  readonly id: string;
  readonly memberId: string;
  /** In bytes; null for as many as the purpose allows. */
  readonly size: number | null;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** Whether an address takes the file itself or a picture of it. */
type SignedWhat = 'PUT' | 'POSTER';

/** The words by which clients recognise an expired ticket (rule uploads-5). */
const requestExpired = (): AppError => new AppError(403, 'UPLOAD_EXPIRED', 'Request has expired');

/** Signs this server's upload addresses with a key of their own, derived from the session secret. */
export class UploadSignatures {
  private readonly key: Buffer;

  constructor(
    sessionSecret: string,
    private readonly publicUrl: string,
  ) {
    this.key = createHmac('sha256', sessionSecret).update('nova upload tickets, version 1').digest();
  }

  address(upload: SignedUpload): string {
    const query = new URLSearchParams({ expires: String(upload.expires), signature: this.sign(upload) });
    return `${this.publicUrl}${mediaUrl(upload.id)}?${query.toString()}`;
  }

  /** The address to which a picture of the ticket's video is PUT. */
  posterAddress(upload: SignedUpload): string {
    const query = new URLSearchParams({ expires: String(upload.expires), signature: this.sign(upload, 'POSTER') });
    return `${this.publicUrl}${posterUrl(upload.id)}?${query.toString()}`;
  }

  sign({ id, memberId, size, expires }: SignedUpload, what: SignedWhat = 'PUT'): string {
    const text = [what, id, memberId, size ?? 'any', expires].join('\n');
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }

  /** @throws AppError 403 if the signature does not match or the ticket has expired */
  verify(upload: SignedUpload, signature: string, now: number, what: SignedWhat = 'PUT'): void {
    const expected = Buffer.from(this.sign(upload, what));
    const given = Buffer.from(signature);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) {
      throw new AppError(403, 'UPLOAD_FORGED', 'This address was not made for this upload.');
    }
    if (now >= upload.expires) throw requestExpired();
  }
}
