import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JournalSigner, originOf, printCheckpoint } from '@app/ledger';
import { S3Server } from '../../../../../test/support/s3-server.js';
import { readSettings } from '../../platform/config.js';
import { BucketTarget } from './checkpoint-bucket.js';
import { fileNameOf, FolderTarget, WebhookTarget } from './checkpoint-targets.js';
import { readSeals } from './seals.js';

const signer = new JournalSigner(generateKeyPairSync('ed25519').privateKey);
const origin = originOf('5b1c0e8f6a7d4c219e3f00112233aabb', '8f14e45fceea167a');
const noteOf = (size: number, root = size): string =>
  printCheckpoint({ origin, size, root: Buffer.alloc(32, root) }, signer);
const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();

describe('where checkpoints go', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'nova-targets-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is a folder that is made, in which nothing is written over', async () => {
    const target = new FolderTarget('the folder', path.join(folder, 'a', 'b'));
    await target.put(noteOf(5));
    await target.put(noteOf(5));
    await target.put(noteOf(1_000));
    const names = ['000000000005-8f14e45fceea167a.txt', '000000001000-8f14e45fceea167a.txt'];
    expect(readdirSync(path.join(folder, 'a', 'b'))).toEqual(names);
    await expect(target.put(noteOf(5, 6))).rejects.toThrow('there is another checkpoint in');
    expect(readdirSync(path.join(folder, 'a', 'b'))).toEqual(names);
    expect(readFileSync(path.join(folder, 'a', 'b', names[0] ?? ''), 'utf8')).toBe(noteOf(5));
    writeFileSync(path.join(folder, 'file'), '');
    await expect(new FolderTarget('the folder', path.join(folder, 'file')).put(noteOf(5))).rejects.toThrow();
  });

  it('is a folder from elsewhere, which is not made: it may be mounted later', async () => {
    await expect(new FolderTarget('the folder', path.join(folder, 'share'), false).put(noteOf(5))).rejects.toThrow(
      'no such file',
    );
    expect(readdirSync(folder)).toEqual([]);
    await new FolderTarget('the folder', folder, false).put(noteOf(5));
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('is an address that is told of each, and says that it has it', async () => {
    const told: (string | undefined)[][] = [];
    let status = 204;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        told.push([request.method, request.headers['content-type'], textOf(Buffer.concat(chunks))]);
        response.writeHead(status, { location: '/elsewhere' }).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const target = new WebhookTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`);
    expect(target.name).not.toContain('secret');
    await target.put(noteOf(5));
    status = 500;
    await expect(target.put(noteOf(5))).rejects.toThrow('it answered 500');
    status = 302;
    await expect(target.put(noteOf(5))).rejects.toThrow();
    expect(told).toEqual(Array.from({ length: 3 }, () => ['POST', 'text/plain; charset=utf-8', noteOf(5)]));
    server.closeAllConnections();
    server.close();
  });

  it('is a bucket, which keeps them for as long as is said, and gives them back', async () => {
    const store = await S3Server.start();
    const settings = (more: Record<string, string>) =>
      readSettings({ ...store.environment, CHECKPOINT_BUCKET: 'nova-test', ...more });
    const { bucket } = settings({ CHECKPOINT_LOCK_DAYS: '400' }).checkpoints;
    const { s3 } = settings({});
    const target = new BucketTarget(bucket!);
    const notes = [noteOf(5), noteOf(6), noteOf(7)];
    for (const note of [...notes, noteOf(5)]) await target.put(note);
    expect([...store.objects.keys()]).toEqual(notes.map((note) => `checkpoints/${fileNameOf(note)}`));
    const [first] = store.objects.values();
    const days = (Date.parse(first?.lockedUntil ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(400);
    await expect(target.put(noteOf(5, 6))).rejects.toThrow('there is another checkpoint in nova-test/checkpoints/');
    expect((await readSeals('s3://nova-test', s3)).map(({ bytes }) => textOf(bytes))).toEqual(notes);
    // What lies over a locked version, or hides it, takes nothing away.
    const hidden = `checkpoints/${fileNameOf(noteOf(6))}`;
    for (const [key, text] of [
      [hidden, noteOf(6, 9)],
      ['checkpoints/', ''],
    ] as const) {
      store.put(key, { bytes: Buffer.from(text), contentType: 'text/plain' });
    }
    store.remove(hidden);
    const found = (await readSeals('s3://nova-test', s3)).map(({ bytes }) => textOf(bytes));
    expect(found.toSorted()).toEqual([...notes, noteOf(6, 9)].toSorted());
    await expect(readSeals('s3://none-such', s3)).rejects.toThrow('Checkpoints cannot be read from s3://none-such');

    store.objects.clear();
    await new BucketTarget(settings({}).checkpoints.bucket!).put(noteOf(5));
    expect([...store.objects.values()].map(({ lockedUntil }) => lockedUntil)).toEqual([undefined]);
    await store.close();
    await expect(target.put(noteOf(8))).rejects.toThrow();
  });
});
