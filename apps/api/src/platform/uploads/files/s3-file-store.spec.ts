import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../../../../../../test/support/eventually.js';
import type { UploadSignatures } from '../upload-signature.js';
import { S3FileStore } from './s3-file-store.js';

const UNAVAILABLE = { code: 'FILES_UNAVAILABLE' };

function storeAt(endpoint: string, silenceMsMax: number): S3FileStore {
  const config = {
    endpoint,
    publicEndpoint: endpoint,
    bucket: 'nova',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    pathStyle: true,
  };
  const store = new S3FileStore(config, {} as UploadSignatures, silenceMsMax);
  jest.spyOn(store['logger'], 'warn').mockImplementation(() => undefined);
  return store;
}

/** The files of a folder that this process holds open, deleted ones included. */
function openIn(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)].filter((file) => file.startsWith(folder));
    } catch {
      return [];
    }
  });
}

describe('a store for files that does not do what it is asked', () => {
  let folder: string;
  let server: Server;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'nova-s3-'));
    server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('is given up when it says nothing', async () => {
    const store = storeAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 200);
    await expect(store.sizeOf('a file')).rejects.toMatchObject(UNAVAILABLE);
  });

  it('leaves no file open that it did not take', async () => {
    // The client logs each one to the console.
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const file = path.join(folder, 'picture');
    writeFileSync(file, Buffer.alloc(1_000_000));
    const store = storeAt('http://127.0.0.1:9', 200);
    for (let n = 0; n < 3; n += 1)
      await expect(store.put('a file', file, 'image/png')).rejects.toMatchObject(UNAVAILABLE);
    rmSync(file);
    expect(
      await eventually(
        () => Promise.resolve(openIn(folder)),
        (open) => open.length === 0,
      ),
    ).toEqual([]);
  });
});
