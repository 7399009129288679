import sharp from 'sharp';
import { Uploads, type UploadPurpose } from '../../apps/api/src/platform/uploads/uploads.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { clip, phonePhoto } from '../support/media.js';

const jpeg = 'image/jpeg';

describe('uploads (decisions.md, Uploads; S1 §4 Profile)', () => {
  let api: TestApi;
  let ada: TestMember;

  const ticketOf = async (member: TestMember, body: object = {}) => {
    const answer = await member.browser.post('/api/content/upload-url', body);
    if (answer.status !== 200) throw new Error(`no ticket: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as { uploadURL: string; mediaUrl: string; expiresAt: string };
  };
  const put = (url: string, bytes: Uint8Array, type = jpeg) =>
    api.browser().send('PUT', url, { body: bytes, headers: { 'content-type': type } });
  const claim = (member: TestMember, mediaUrl: string, purpose: UploadPurpose = 'content') =>
    api.nova.app.get(Uploads).claim({ memberId: member.id, mediaUrl, purpose });

  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '1000' } });
    ada = await api.member({ displayName: 'Ada' });
  });
  afterAll(() => api?.close());

  it('takes a photo by one signed PUT, and serves it upright and without metadata once it is in use', async () => {
    const photo = await phonePhoto();
    const { uploadURL, mediaUrl, expiresAt } = await ticketOf(ada, { size: photo.length, contentType: jpeg });
    expect(new URL(uploadURL).origin).toBe(api.url);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect((await put(uploadURL, photo)).status).toBe(200);
    expect((await api.browser().get(mediaUrl)).status).toBe(404);
    const file = await claim(ada, mediaUrl);
    expect(file).toMatchObject({ kind: 'image', contentType: jpeg, width: 600, height: 900, url: mediaUrl });
    const served = await fetch(new URL(mediaUrl, api.url));
    expect(served.status).toBe(200);
    const bytes = Buffer.from(await served.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 900 });
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  it('takes a video, with a poster frame', async () => {
    const { uploadURL, mediaUrl } = await ticketOf(ada);
    expect((await put(uploadURL, await clip('mp4'), 'video/mp4')).status).toBe(200);
    const file = await claim(ada, mediaUrl);
    expect(file).toMatchObject({ kind: 'video', contentType: 'video/mp4', width: 320, height: 180 });
  });
});
