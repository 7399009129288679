import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Config } from '../platform/config.js';
import { makeClient } from '../platform/uploads/files/s3-file-store.js';
import type { BackupPlace } from './backup-place.js';

const PREFIX = 'backups/';

/** A bucket of an S3-compatible store, below `backups/`. */
export class BucketPlace implements BackupPlace {
  readonly name: string;
  private readonly client: S3Client;

  constructor(private readonly config: S3Config) {
    this.name = `bucket ${config.bucket}`;
    this.client = makeClient(config, config.endpoint);
  }

  async put(key: string, content: Readable): Promise<void> {
    const params = { Bucket: this.config.bucket, Key: `${PREFIX}${key}`, Body: content };
    await new Upload({ client: this.client, params }).done();
  }

  async read(key: string): Promise<Readable> {
    const found = await this.client.send(new GetObjectCommand({ Bucket: this.config.bucket, Key: `${PREFIX}${key}` }));
    return found.Body as Readable;
  }

  async *list(prefix: string): AsyncIterable<string> {
    const within = { Bucket: this.config.bucket, Prefix: `${PREFIX}${prefix}` };
    for await (const { Contents } of paginateListObjectsV2({ client: this.client }, within)) {
      for (const { Key } of Contents ?? []) if (Key !== undefined) yield Key.slice(PREFIX.length);
    }
  }

  async remove(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: this.config.bucket, Key: `${PREFIX}${key}` }));
  }
}
