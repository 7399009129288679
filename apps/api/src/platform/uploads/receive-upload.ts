import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { type Config, InjectConfig } from '../config.js';
import { AppError } from '../errors/app-error.js';
import { FileStore, originalKey, posterKey } from './files/file-store.js';
import { FreeSpace } from './free-space.js';
import { Scratch } from './files/scratch.js';
import { isAsDeclared, kindOf, SNIFF_BYTES, sniffMedia } from './media/media-format.js';
import {
  checkQuota,
  fileTooLarge,
  POSTER_BYTES_MAX,
  PURPOSE_LIMITS,
  sizeDiffers,
  TRANSFER_MS_MAX,
  unsupportedFile,
  uploadNotFound,
} from './upload-limits.js';
import { type UploadRow, UploadRows } from './upload-rows.js';
import { UploadSignatures } from './upload-signature.js';

/** How often the free space is checked while a file arrives. */
const LOOK_EVERY_BYTES = 4 * 1_048_576;

export interface IncomingFile {
  readonly id: string;
  readonly expires: string;
  readonly signature: string;
  /** The sender, if a session names one. */
  readonly senderId: string | undefined;
  readonly contentType: string | undefined;
  readonly contentLength: number | undefined;
  readonly body: Readable | undefined;
}

/** Takes the PUT of a ticket at this server's own address. The file goes to disk as it arrives, up to its limit. */
@Injectable()
export class ReceiveUpload {
  constructor(
    private readonly rows: UploadRows,
    private readonly signatures: UploadSignatures,
    private readonly files: FileStore,
    private readonly scratch: Scratch,
    private readonly space: FreeSpace,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** @throws AppError 403 expired, forged or another member's, 404, 409 used, 413, 415, 503 the disk is short of space */
  async receive(incoming: IncomingFile): Promise<void> {
    const row = await this.allowed(incoming);
    const { body } = incoming;
    if (!body) throw unsupportedFile(PURPOSE_LIMITS[row.purpose].kinds);
    await this.scratch.use((folder) =>
      this.holding(row.id, async () => {
        const file = path.join(folder, 'original');
        const { contentType } = incoming;
        const { bytesMax } = PURPOSE_LIMITS[row.purpose];
        await writeChecked(body, file, { row, bytesMax, contentType, space: this.space });
        await this.checkQuota(row, (await stat(file)).size);
        await this.keep(row.id, file);
      }),
    );
  }

  /**
   * Takes a picture of the video that a ticket is for. The picture is checked when the video is used, and cleaned like
   * any other.
   * @throws AppError 403 expired, forged or another member's, 404, 409 the file is in use, 413, 415 no picture
   */
  async receivePoster(incoming: IncomingFile): Promise<void> {
    const row = await this.ticketOf(incoming, 'POSTER');
    if (row.file) throw alreadyUsed();
    if (!incoming.body) throw unsupportedFile(['image']);
    const poster: UploadRow = { ...row, purpose: 'thumbnail', bytesExpected: null };
    if ((incoming.contentLength ?? 0) > POSTER_BYTES_MAX) throw fileTooLarge(POSTER_BYTES_MAX);
    const { body, contentType } = incoming;
    await this.space.need(POSTER_BYTES_MAX);
    await this.scratch.use(async (folder) => {
      const file = path.join(folder, 'poster');
      await writeChecked(body, file, { row: poster, bytesMax: POSTER_BYTES_MAX, contentType, space: this.space });
      await this.files.put(posterKey(row.id), file, 'application/octet-stream');
      if (await this.rows.find(row.id)) return;
      await this.files.remove(posterKey(row.id));
      throw uploadNotFound();
    });
  }

  /** The upload that an address was signed for. */
  private async ticketOf(
    { id, expires, signature, senderId }: IncomingFile,
    what: 'PUT' | 'POSTER',
  ): Promise<UploadRow> {
    const row = await this.rows.find(id);
    if (!row) throw uploadNotFound();
    const { memberId, bytesExpected } = row;
    const ticket = { id, memberId, size: bytesExpected, expires: /^\d{1,15}$/.test(expires) ? Number(expires) : 0 };
    this.signatures.verify(ticket, signature, Date.now(), what);
    if (senderId === undefined || senderId === memberId) return row;
    throw new AppError(403, 'UPLOAD_OF_ANOTHER', 'This address was made for another member.');
  }

  private async allowed(incoming: IncomingFile): Promise<UploadRow> {
    const row = await this.ticketOf(incoming, 'PUT');
    const { contentLength } = incoming;
    const { bytesExpected } = row;
    if (row.receivedAt || row.file) throw alreadyUsed();
    if (contentLength !== undefined) checkLength(contentLength, row);
    const size = contentLength ?? bytesExpected ?? 0;
    await this.checkQuota(row, size);
    await this.space.need(size);
    return row;
  }

  private async checkQuota({ id, memberId, purpose }: UploadRow, size: number): Promise<void> {
    if (purpose !== 'admin-content') checkQuota(await this.rows.usageBeside(memberId, id), size, this.config.uploads);
  }

  /** The first request takes the ticket, and gives it back if the file does not arrive. */
  private async holding(id: string, work: () => Promise<void>): Promise<void> {
    if (!(await this.rows.takeTicket(id))) throw alreadyUsed();
    try {
      await work();
    } catch (error) {
      await this.rows.freeTicket(id);
      throw error;
    }
  }

  /** A file whose ticket was removed while it arrived would be kept for ever, because nothing refers to it. */
  private async keep(id: string, file: string): Promise<void> {
    const key = originalKey(id);
    await this.rows.markReceived(id, (await stat(file)).size);
    await this.files.put(key, file, 'application/octet-stream');
    if (await this.rows.find(id)) return;
    await this.files.remove(key);
    throw uploadNotFound();
  }
}

interface Expected {
  readonly row: UploadRow;
  readonly bytesMax: number;
  readonly space: FreeSpace;
  readonly contentType: string | undefined;
}

async function writeChecked(body: Readable, file: string, expected: Expected): Promise<void> {
  const signal = AbortSignal.timeout(TRANSFER_MS_MAX);
  try {
    // A refusal must not break the connection: the client has to read it.
    const bytes = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    await pipeline(checked(bytes, expected), createWriteStream(file), { signal });
  } catch (error) {
    if (error instanceof AppError || !isBroken(error, signal)) throw error;
    throw new AppError(400, 'UPLOAD_BROKEN', 'The file did not arrive completely. Please try again.', { cause: error });
  }
}

const isBroken = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || (error instanceof Error && /aborted|premature close|ECONNRESET/i.test(error.message));

/** Passes the bytes on, and refuses the file as soon as it is certain to be too large or of the wrong type. */
async function* checked(bytes: AsyncIterable<Buffer>, expected: Expected): AsyncGenerator<Buffer> {
  let nextLook = LOOK_EVERY_BYTES;
  let head = Buffer.alloc(0);
  let isKnown = false;
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    if (count > expected.bytesMax) throw fileTooLarge(expected.bytesMax);
    if (count > (expected.row.bytesExpected ?? expected.bytesMax)) checkLength(count, expected.row);
    if (count > nextLook) {
      // Others upload at the same time, and not all of them name a size.
      await expected.space.need(0);
      nextLook += LOOK_EVERY_BYTES;
    }
    if (isKnown) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < SNIFF_BYTES) continue;
    checkHead(head, expected);
    isKnown = true;
    yield head;
  }
  if (!isKnown) {
    checkHead(head, expected);
    yield head;
  }
  checkLength(count, expected.row);
}

function checkHead(head: Buffer, { row, contentType }: Expected): void {
  const { kinds } = PURPOSE_LIMITS[row.purpose];
  const format = sniffMedia(head);
  if (format === undefined || !kinds.includes(kindOf(format))) throw unsupportedFile(kinds);
  if (isAsDeclared(format, contentType)) return;
  throw new AppError(415, 'NOT_AS_DECLARED', 'The content of this file is not what its type says.');
}

function checkLength(length: number, row: UploadRow): void {
  const { bytesMax } = PURPOSE_LIMITS[row.purpose];
  if (length > bytesMax) throw fileTooLarge(bytesMax);
  if (row.bytesExpected === null || length === row.bytesExpected) return;
  throw sizeDiffers(length > row.bytesExpected ? 413 : 400);
}

const alreadyUsed = (): AppError =>
  new AppError(409, 'UPLOAD_USED', 'A file was already sent to this address. Ask for a new one.');
