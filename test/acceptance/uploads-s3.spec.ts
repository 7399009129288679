import sharp from 'sharp';
import { UploadsHousekeeping } from '../../apps/api/src/platform/uploads/uploads-housekeeping.js';
import { Uploads } from '../../apps/api/src/platform/uploads/uploads.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { clip, phonePhoto } from '../support/media.js';
import { S3Server } from '../support/s3-server.js';

describe('uploads with an S3-compatible store', () => {
  let store: S3Server;
  let api: TestApi;
  let ada: TestMember;

  const ticketOf = async (body: object = {}) =>
    (await ada.browser.post('/api/content/upload-url', body)).body as { uploadURL: string; mediaUrl: string };
  const put = (url: string, bytes: Uint8Array) =>
    fetch(url, { method: 'PUT', body: Buffer.from(bytes), headers: { 'content-type': 'image/jpeg' } });
  const claim = (mediaUrl: string) =>
    api.nova.app.get(Uploads).claim({ memberId: ada.id, mediaUrl, purpose: 'content' });
  const keys = (id: string): string[] => [...store.objects.keys()].filter((key) => key.includes(id)).toSorted();

  beforeAll(async () => {
    store = await S3Server.start();
    api = await startTestApi({ environment: { ...store.environment, RATE_LIMIT_FACTOR: '1000' } });
    ada = await api.member({ displayName: 'Ada' });
  });
  afterAll(async () => {
    await api?.close();
    await store?.close();
  });

  it('has browsers send to the store directly, and serves through this server what was written anew', async () => {
    const photo = await phonePhoto();
    const { uploadURL, mediaUrl } = await ticketOf({ size: photo.length });
    expect(new URL(uploadURL).origin).toBe(store.url);
    expect((await put(uploadURL, photo)).status).toBe(200);
    // Some clients register the address to which they uploaded (rule uploads-4).
    const file = await claim(uploadURL);
    expect(file).toMatchObject({ url: mediaUrl, width: 600, height: 900 });
    expect(keys(file.id)).toEqual([`media/${file.id}/file`, `media/${file.id}/thumbnail`]);
    const served = await fetch(new URL(mediaUrl, api.url));
    expect(served.status).toBe(200);
    expect((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).exif).toBeUndefined();
    expect((await fetch(new URL(`${mediaUrl}/thumbnail`, api.url))).headers.get('content-type')).toBe('image/webp');
  });

  it('passes ranges on', async () => {
    const video = await clip('mp4');
    const { uploadURL, mediaUrl } = await ticketOf({ size: video.length });
    await put(uploadURL, video);
    const { id } = await claim(mediaUrl);
    const whole = store.objects.get(`media/${id}/file`)?.bytes ?? Buffer.alloc(0);
    const part = await fetch(new URL(mediaUrl, api.url), { headers: { range: 'bytes=4-11' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 4-11/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(4, 12));
  });

  it('signs the size, the key and the time', async () => {
    const photo = await phonePhoto();
    const { uploadURL } = await ticketOf({ size: photo.length });
    const longer = await put(uploadURL, Buffer.concat([photo, Buffer.from('x')]));
    expect(longer.status).toBe(403);
    const { uploadURL: another } = await ticketOf({ size: photo.length });
    const mixed = new URL(uploadURL);
    mixed.pathname = new URL(another).pathname;
    expect((await put(mixed.href, photo)).status).toBe(403);
    store.clockAheadSeconds = 16 * 60;
    try {
      const late = await put(uploadURL, photo);
      expect(late.status).toBe(403);
      expect(await late.text()).toContain('Request has expired');
    } finally {
      store.clockAheadSeconds = 0;
    }
    expect((await put(uploadURL, photo)).status).toBe(200);
  });

  it('takes no file into use that is not of the size that was asked for, should the store let it through', async () => {
    const photo = await phonePhoto();
    const { uploadURL, mediaUrl } = await ticketOf({ size: photo.length });
    await put(uploadURL, photo);
    const [original = ''] = keys(mediaUrl.slice(-36));
    store.objects.set(original, { bytes: Buffer.concat([photo, Buffer.from('x')]), contentType: 'image/jpeg' });
    await expect(claim(mediaUrl)).rejects.toMatchObject({ statusCode: 400, code: 'SIZE_DIFFERS' });
    expect((await fetch(new URL(mediaUrl, api.url))).status).toBe(404);
  });

  it('never looks at what is sent after the file was put to use, and removes it', async () => {
    const photo = await phonePhoto();
    const { uploadURL, mediaUrl } = await ticketOf({ size: photo.length });
    await put(uploadURL, photo);
    const { id } = await claim(mediaUrl);
    const before = store.objects.get(`media/${id}/file`)?.bytes;
    await api.nova.app.get(UploadsHousekeeping).sweep();
    expect((await put(uploadURL, Buffer.alloc(photo.length))).status).toBe(200);
    expect((await claim(mediaUrl)).id).toBe(id);
    expect(store.objects.get(`media/${id}/file`)?.bytes).toBe(before);
    await api.database.pool.query(`update uploads set expires_at = now() - interval '2 hours' where id = '${id}'`);
    await api.nova.app.get(UploadsHousekeeping).sweep();
    expect(keys(id)).toEqual([`media/${id}/file`, `media/${id}/thumbnail`]);
  });

  it('has a file of no named size sent through this server, which knows how large it may be', async () => {
    const photo = await phonePhoto();
    const { uploadURL, mediaUrl } = await ticketOf();
    expect(new URL(uploadURL).origin).toBe(api.url);
    expect((await put(uploadURL, Buffer.concat([photo, Buffer.alloc(50 * 1_048_576)]))).status).toBe(413);
    expect(keys(mediaUrl.slice(-36))).toEqual([]);
    expect((await put(uploadURL, photo)).status).toBe(200);
    expect((await put(uploadURL, photo)).status).toBe(409);
    expect(await claim(mediaUrl)).toMatchObject({ url: mediaUrl, kind: 'image' });
  });

  it('says that nothing arrived, and that what arrived is no picture', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const { uploadURL, mediaUrl } = await ticketOf({ size: svg.length });
    await expect(claim(mediaUrl)).rejects.toMatchObject({ statusCode: 409, code: 'NOTHING_UPLOADED' });
    await put(uploadURL, svg);
    await expect(claim(mediaUrl)).rejects.toMatchObject({ statusCode: 415, code: 'UNSUPPORTED_FILE' });
    expect((await fetch(new URL(mediaUrl, api.url))).status).toBe(404);
  });

  it('admits the store where browsers send to, and to nothing else', async () => {
    const policy = (await api.browser().get('/health/live')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`connect-src 'self' ${store.url}`);
    expect(policy.split(';').filter((directive) => directive.includes(store.url))).toHaveLength(1);
  });

  it('takes nothing at a local address that it did not give', async () => {
    const { mediaUrl } = await ticketOf();
    const answer = await put(
      new URL(`${mediaUrl}?expires=99999999999999&signature=x`, api.url).href,
      await phonePhoto(),
    );
    expect(answer.status).toBe(403);
  });

  it('answers 503 while the store is away, and removes nothing', async () => {
    const photo = await phonePhoto();
    const { uploadURL, mediaUrl } = await ticketOf({ size: photo.length });
    await put(uploadURL, photo);
    await claim(mediaUrl);
    await store.close();
    const answer = await api.browser().get(mediaUrl);
    expect(answer.status).toBe(503);
    expect(answer.body.code).toBe('FILES_UNAVAILABLE');
    await expect(api.nova.app.get(Uploads).remove(mediaUrl.slice(-36))).rejects.toMatchObject({ statusCode: 503 });
    store = await S3Server.start();
  });
});
