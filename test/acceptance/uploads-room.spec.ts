import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { Uploads } from '../../apps/api/src/platform/uploads/uploads.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { picture } from '../support/media.js';

const MB = 1_048_576;

/** A picture that cannot be compressed: at least this many bytes for each pixel. */
const noise = (side: number): Promise<Buffer> =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();

describe('room for members’ files', () => {
  let api: TestApi;
  afterEach(() => api?.close());

  const start = async (environment: Record<string, string>): Promise<TestMember> => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '1000', ...environment } });
    return api.member({ displayName: 'Ada' });
  };
  const ticket = (member: TestMember, body: object = {}) => member.browser.post('/api/content/upload-url', body);
  const put = (url: string, bytes: Uint8Array) =>
    api.browser().send('PUT', url, { body: bytes, headers: { 'content-type': 'image/png' } });
  const publish = async (member: TestMember, bytes: Uint8Array) => {
    const { uploadURL, mediaUrl } = (await ticket(member)).body as { uploadURL: string; mediaUrl: string };
    const sent = await put(uploadURL, bytes);
    return sent.status === 200 ? member.browser.post('/api/content/discovery', { mediaUrl }) : sent;
  };
  const small = (): Promise<Buffer> => picture(20, 20).png().toBuffer();

  it('is counted in files for each member; what is removed makes room, and admins see what is taken', async () => {
    const ada = await start({ UPLOAD_QUOTA_FILES: '2', ADMIN_EMAIL: 'root@example.com' });
    const first = await publish(ada, await small());
    expect([first.status, (await publish(ada, await small())).status]).toEqual([201, 201]);
    const refused = await ticket(ada);
    expect([refused.status, refused.body.code]).toEqual([413, 'QUOTA_EXCEEDED']);
    expect(refused.body.message).toBe('You have 2 files here, the maximum. Delete some to make room.');
    const ben = await api.member({ displayName: 'Ben' });
    expect((await publish(ben, await small())).status).toBe(201);

    const admin = await api.member({ email: 'root@example.com' });
    const seen = async () => (await admin.browser.get(`/api/admin/users?search=${ada.email}`)).body.users[0];
    expect(await seen()).toMatchObject({ fileCount: 2, fileBytes: expect.any(Number) });
    expect((await ada.browser.send('DELETE', `/api/content/${first.body.id}`)).status).toBe(200);
    expect(await seen()).toMatchObject({ fileCount: 1 });
    expect((await publish(ada, await small())).status).toBe(201);
  });

  it('is counted in bytes for each member, of what waits to be used as well, and however a file comes', async () => {
    const ada = await start({ UPLOAD_QUOTA_MB: '1' });
    const large = await noise(500);
    expect(large.length).toBeGreaterThan(MB / 2);
    const [one, other] = [await ticket(ada), await ticket(ada)];
    expect((await put(one.body.uploadURL, large)).status).toBe(200);
    for (const answer of [await put(other.body.uploadURL, large), await ticket(ada, { size: large.length })]) {
      expect([answer.status, answer.body.code]).toEqual([413, 'QUOTA_EXCEEDED']);
      expect(answer.body.message).toBe('This file does not fit into your 1 MB of space. Delete others to make room.');
    }
    const uploads = api.nova.app.get(Uploads);
    for (const purpose of ['thumbnail', 'profile-image'] as const) {
      const stored = uploads.storeImage({ memberId: ada.id, bytes: large, purpose });
      await expect(stored).rejects.toMatchObject({ statusCode: 413, code: 'QUOTA_EXCEEDED' });
    }
    // Files that admins upload for others have no quota.
    await expect(
      uploads.storeImage({ memberId: ada.id, bytes: large, purpose: 'admin-content' }),
    ).resolves.toBeTruthy();
  });

  it('is counted once for two servers, on which files of one member are prepared one at a time', async () => {
    const ada = await start({ UPLOAD_QUOTA_FILES: '1' });
    const other = await startTestApi({ database: api.database, environment: { UPLOAD_QUOTA_FILES: '1' } });
    try {
      const bytes = await small();
      const store = (server: TestApi) =>
        server.nova.app.get(Uploads).storeImage({ memberId: ada.id, bytes, purpose: 'content' });
      const ends = await Promise.allSettled([api, other, api, other].map(store));
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const end of ends) {
        if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'QUOTA_EXCEEDED' });
      }
    } finally {
      await other.close();
    }
  });

  it('is refused with a sentence while the disk is short of space, before anything is written', async () => {
    const ada = await start({ DISK_FREE_MB_MIN: '900000000' });
    const bytes = await small();
    const uploads = api.nova.app.get(Uploads);
    const asked = await ticket(ada);
    expect([asked.status, asked.body.code]).toEqual([503, 'STORAGE_FULL']);
    expect(asked.body.message).toBe(
      'Nova is short of disk space and accepts no files at the moment. Please try again later.',
    );
    expect(asked.headers.get('retry-after')).toBe('600');
    await expect(uploads.storeImage({ memberId: ada.id, bytes, purpose: 'thumbnail' })).rejects.toMatchObject({
      statusCode: 503,
    });
    const { rows } = await api.database.pool.query('select from uploads');
    expect(rows).toEqual([]);
    // Everything else still works.
    expect((await ada.browser.get('/api/auth/user')).status).toBe(200);
  });
});
