import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Logger } from '@nestjs/common';
import type { S3Config } from '../../config.js';
import { AppError } from '../../errors/app-error.js';
import type { ByteRange } from '../byte-range.js';
import type { SignedUpload, UploadSignatures } from '../upload-signature.js';
import { FileStore, originalKey } from './file-store.js';

/** How long a connection may go without a byte in either direction. A large file may take longer. */
const SILENCE_MS_MAX = 30_000;
const CONNECT_MS_MAX = 5_000;

/**
 * Files in a bucket of an S3-compatible store. Browsers upload to it directly. This server serves the files, and also
 * takes uploads whose size was not named.
 */
export class S3FileStore extends FileStore {
  private readonly client: S3Client;
  /** Signs for the address at which browsers reach the store. */
  private readonly signer: S3Client;
  private readonly bucket: string;
  private readonly logger = new Logger(S3FileStore.name);

  constructor(
    config: S3Config,
    private readonly signatures: UploadSignatures,
    silenceMsMax = SILENCE_MS_MAX,
  ) {
    super();
    this.bucket = config.bucket;
    this.client = makeClient(config, config.endpoint, silenceMsMax);
    this.signer = makeClient(config, config.publicEndpoint, silenceMsMax);
  }

  async uploadUrl(upload: SignedUpload): Promise<string> {
    const { id, size, expires } = upload;
    // The store cannot limit the size of a file.
    if (size === null) return this.signatures.address(upload);
    // A signed length cannot be changed: the store refuses any other.
    const command = new PutObjectCommand({ Bucket: this.bucket, Key: originalKey(id), ContentLength: size });
    return getSignedUrl(this.signer, command, { expiresIn: Math.ceil((expires - Date.now()) / 1000) });
  }

  async put(key: string, localFile: string, contentType: string): Promise<void> {
    const { size } = await stat(localFile);
    const body = createReadStream(localFile);
    // If the file cannot be read, the store receives too little and reports that.
    body.on('error', () => undefined);
    const command = new PutObjectCommand({
      Bucket: this.bucket,
      Key: key,
      Body: body,
      ContentLength: size,
      ContentType: contentType,
    });
    try {
      await this.asked(() => this.client.send(command));
    } finally {
      // The client leaves a body open that it did not send.
      body.destroy();
    }
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const answer = await this.asked(() => this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key })));
    return answer?.ContentLength;
  }

  async localFile(key: string, folder: string): Promise<string> {
    const content = await this.read(key, undefined);
    if (!content) throw new Error(`the file ${key} is gone`);
    const file = path.join(folder, 'original');
    await pipeline(content, createWriteStream(file));
    return file;
  }

  async read(key: string, range: ByteRange | undefined): Promise<Readable | undefined> {
    const part = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
    const command = new GetObjectCommand({ Bucket: this.bucket, Key: key, ...part });
    const answer = await this.asked(() => this.client.send(command));
    if (!answer) return undefined;
    if (answer.Body instanceof Readable) return answer.Body;
    throw new Error('the store answered without a stream');
  }

  async remove(key: string): Promise<void> {
    await this.asked(() => this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key })));
  }

  /** Undefined if there is no such file. @throws AppError 503 if the store does not answer or refuses this server */
  private async asked<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
      this.logger.warn({ err: error }, 'the store for files did not do what it was asked');
      throw new AppError(503, 'FILES_UNAVAILABLE', 'Files cannot be reached at the moment. Please try again.', {
        retryAfterSeconds: 2,
        cause: error,
      });
    }
  }
}

/** Makes the client of a service under one of its addresses. */
export const makeClient = (
  { region, accessKeyId, secretAccessKey, pathStyle }: S3Config,
  endpoint: string,
  silenceMsMax: number = SILENCE_MS_MAX,
): S3Client =>
  new S3Client({
    endpoint,
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Many compatible stores, and browsers, do not know checksums beyond the required ones.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { socketTimeout: silenceMsMax, connectionTimeout: CONNECT_MS_MAX },
  });
