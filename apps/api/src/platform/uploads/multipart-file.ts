import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { errorCode } from '../errors/error-code.js';
import { FairTurns } from '../fair-turns.js';
import { fileTooLarge } from './upload-limits.js';

export interface MultipartFile {
  readonly bytes: Buffer;
  /** As the client declared it: never trusted. */
  readonly contentType: string;
}

interface MultipartOptions {
  /** Name of the form's field. */
  readonly field: string;
  readonly maxBytes: number;
}

export interface MemberForm extends MultipartOptions {
  readonly memberId: string;
  readonly request: FastifyRequest;
}

/** How many forms have their files in memory at once, and how many may wait: of one member, and of all members. */
const AT_ONCE_MAX = 12;
const WAITING_OF_MEMBER_MAX = 3;
const WAITING_MAX = 100;

/**
 * Reads files that come in forms into memory: one at a time for each member, and few in all. A form that waits for its
 * turn is not read; one that does not arrive in time is ended like any other body (`acceptBodies`).
 */
@Injectable()
export class FormFiles {
  private readonly turns = new FairTurns({
    atOnceMax: AT_ONCE_MAX,
    atOnceOfOneMax: 1,
    waitingOfOneMax: WAITING_OF_MEMBER_MAX,
    waitingMax: WAITING_MAX,
    busy,
    tooManyOfOne: tooManyOfMember,
  });

  /**
   * Does the work with the one file of a form (`multipart/form-data`). Reads the form no further than its limit.
   * @throws AppError 400 no such file, or a broken form; 413; 415 not a form; 429 the member sends others, 503 too many
   * do
   */
  take<T>({ memberId, request, ...options }: MemberForm, work: (file: MultipartFile) => Promise<T>): Promise<T> {
    return this.turns.take([memberId], async () => work(await readMultipartFile(request, options)));
  }
}

async function readMultipartFile(request: FastifyRequest, options: MultipartOptions): Promise<MultipartFile> {
  if (!request.isMultipart()) {
    throw new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The file must be sent as a form (multipart/form-data).');
  }
  // The request ended while it waited for its turn: no event would report that any more.
  if (request.raw.destroyed) throw refusal(new Error('the connection has ended'), options.maxBytes);
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

const busy = (): AppError =>
  new AppError(503, 'UPLOADS_BUSY', 'Many files are arriving right now. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });

const tooManyOfMember = (): AppError =>
  new AppError(429, 'TOO_MANY_UPLOADS', 'Your other files are still on their way. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });

function refusal(error: unknown, maxBytes: number): AppError {
  if (error instanceof AppError) return error;
  if (errorCode(error) === 'FST_REQ_FILE_TOO_LARGE') return fileTooLarge(maxBytes);
  return new AppError(400, 'INVALID_FORM', 'The form could not be read.', { cause: error });
}
