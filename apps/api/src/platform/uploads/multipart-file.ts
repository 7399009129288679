import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { errorCode } from '../errors/error-code.js';
import { fileTooLarge } from './upload-limits.js';

export interface MultipartFile {
  readonly bytes: Buffer;
  /** As the client declared it: never trusted. */
  readonly contentType: string;
}

export interface MultipartOptions {
  /** Name of the form's field. */
  readonly field: string;
  readonly maxBytes: number;
}

/**
 * The one file of a form (`multipart/form-data`), read no further than it may be.
 * @throws AppError 400 no such file, or a broken form; 413; 415 not a form
 */
export async function readMultipartFile(request: FastifyRequest, options: MultipartOptions): Promise<MultipartFile> {
  if (!request.isMultipart()) {
    throw new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The file must be sent as a form (multipart/form-data).');
  }
  const limits = { files: 1, fileSize: options.maxBytes, fields: 5, fieldSize: 1000, parts: 6, headerPairs: 20 };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type !== 'file') continue;
      const bytes = await part.toBuffer();
      if (part.fieldname === options.field) return { bytes, contentType: part.mimetype };
    }
  } catch (error) {
    throw refusal(error, options.maxBytes);
  }
  throw new AppError(400, 'FILE_MISSING', `The form has no file in its field "${options.field}".`);
}

function refusal(error: unknown, maxBytes: number): AppError {
  if (error instanceof AppError) return error;
  if (errorCode(error) === 'FST_REQ_FILE_TOO_LARGE') return fileTooLarge(maxBytes);
  return new AppError(400, 'INVALID_FORM', 'The form could not be read.', { cause: error });
}
