import { createHash } from 'node:crypto';
import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  ObjectLockMode,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { DAY_MS } from '@app/domain';
import type { CheckpointBucketConfig, S3Config } from '../../platform/config.js';
import { makeClient } from '../../platform/uploads/files/s3-file-store.js';
import { type CheckpointTarget, fileNameOf, NOTE_ENDING } from './checkpoint-targets.js';
import type { Seal } from './seals.js';

const PREFIX = 'checkpoints/';

/** A bucket of an S3-compatible store. What is there is never written over. */
export class BucketTarget implements CheckpointTarget {
  readonly word = 'the bucket';
  readonly name: string;
  private readonly client;

  constructor(private readonly config: CheckpointBucketConfig) {
    this.name = `bucket ${config.endpoint} ${config.bucket}`;
    this.client = makeClient(config, config.endpoint);
  }

  async put(note: string): Promise<void> {
    const { bucket: Bucket, lockDays } = this.config;
    const Key = `${PREFIX}${fileNameOf(note)}`;
    const there = await this.client.send(new GetObjectCommand({ Bucket, Key })).catch(nothing);
    if (there) {
      if ((await there.Body?.transformToString()) === note) return;
      throw new Error(`there is another checkpoint in ${Bucket}/${Key}`);
    }
    const until = new Date(Date.now() + lockDays * DAY_MS);
    const lock = lockDays > 0 ? { ObjectLockMode: ObjectLockMode.COMPLIANCE, ObjectLockRetainUntilDate: until } : {};
    await this.client.send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: note,
        ContentType: 'text/plain; charset=utf-8',
        // The service demands it of what is locked.
        ContentMD5: createHash('md5').update(note).digest('base64'),
        ...lock,
      }),
    );
  }
}

function nothing(error: unknown): undefined {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
  throw error;
}

/**
 * Every checkpoint in a bucket, in each version: whoever may write there can lay another over one that is locked, or hide it, and
 * the one that was locked stays.
 */
export async function sealsInBucket(config: S3Config, bucket: string): Promise<Seal[]> {
  const client = makeClient(config, config.endpoint);
  const seals: Seal[] = [];
  let from: { readonly KeyMarker?: string | undefined; readonly VersionIdMarker?: string | undefined } | undefined = {};
  while (from) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: PREFIX, ...from }),
    );
    for (const { Key, VersionId } of page.Versions ?? []) {
      if (!Key?.endsWith(NOTE_ENDING)) continue;
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key, VersionId }));
      if (Body) seals.push({ name: Key, bytes: await Body.transformToByteArray() });
    }
    from = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker } : undefined;
  }
  return seals;
}
