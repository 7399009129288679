import { Readable } from 'node:stream';
import type { PictureSize } from '@app/domain';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, notFound } from '../errors/app-error.js';
import { isHeldBy } from '../http/unchanged.js';
import { type ByteRange, parseByteRange } from './byte-range.js';
import { fileKey, FileStore, smallKey, thumbnailKey } from './files/file-store.js';
import { THUMBNAIL_TYPE } from './media/prepared-media.js';
import { uploadId } from './media-url.js';
import { SmallPictures } from './small-pictures.js';
import { UploadRows } from './upload-rows.js';

export type Rendition = 'file' | 'thumbnail' | PictureSize;

interface Served {
  readonly key: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly etag: string;
}

/** Serves claimed files: in parts if asked, cacheable by the browser that asked, and never executed. */
@Injectable()
export class ServeFile {
  constructor(
    private readonly rows: UploadRows,
    private readonly files: FileStore,
    private readonly pictures: SmallPictures,
  ) {}

  /** @throws AppError 404, 416, 503 */
  async answer(request: FastifyRequest, reply: FastifyReply, idText: string, rendition: Rendition): Promise<unknown> {
    const served = await this.find(idText, rendition, request.ip);
    void reply.headers({
      'accept-ranges': 'bytes',
      // Only the browser that asked may cache it, not a proxy: an erased file must be gone.
      'cache-control': 'private, max-age=31536000, immutable',
      'content-disposition': 'inline',
      'content-security-policy': "sandbox; default-src 'none'",
      etag: served.etag,
      'x-content-type-options': 'nosniff',
    });
    if (isHeldBy(request, served.etag)) return reply.code(304).send();
    const range = rangeOf(request, served);
    if (range === 'unsatisfiable') {
      void reply.header('content-range', `bytes */${served.bytes}`);
      throw new AppError(416, 'RANGE_NOT_SATISFIABLE', 'The file does not have this part.');
    }
    if (range) {
      void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${served.bytes}`);
    }
    void reply.header('content-length', range ? range.end - range.start + 1 : served.bytes);
    void reply.header('content-type', served.contentType);
    // With a stream, the announced length stays although nothing is sent.
    return reply.send(request.method === 'HEAD' ? Readable.from([]) : await this.open(served, range));
  }

  private async find(idText: string, rendition: Rendition, askedFrom: string): Promise<Served> {
    const id = uploadId(idText);
    const row = id === undefined ? undefined : await this.rows.find(id);
    if (id === undefined || !row?.file) throw notFound('This file');
    if (rendition === 'file') {
      const { contentType, bytes } = row.file;
      return { key: fileKey(id), contentType, bytes, etag: `"${id}"` };
    }
    if (row.thumbnailBytes === null) throw notFound('This file');
    if (rendition === 'thumbnail') {
      return { key: thumbnailKey(id), contentType: THUMBNAIL_TYPE, bytes: row.thumbnailBytes, etag: `"${id}-t"` };
    }
    if (rendition === 'large' && !row.file.contentType.startsWith('image/')) throw notFound('This file');
    const bytes = await this.pictures.bytesOf(id, rendition, askedFrom);
    return { key: smallKey(id, rendition), contentType: THUMBNAIL_TYPE, bytes, etag: `"${id}-${rendition}"` };
  }

  private async open({ key }: Served, range: ByteRange | undefined): Promise<Readable> {
    const content = await this.files.read(key, range);
    if (content) return content;
    throw notFound('This file');
  }
}

/** `If-Range` with another tag, or with a date, which these files do not have, asks for the whole file. */
function rangeOf(request: FastifyRequest, { bytes, etag }: Served): ByteRange | 'unsatisfiable' | undefined {
  const { range, 'if-range': ifRange } = request.headers;
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  return parseByteRange(range, bytes);
}
