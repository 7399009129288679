import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { CONFIG, type Config } from '../../apps/api/src/platform/config.js';
import { UploadRows } from '../../apps/api/src/platform/uploads/upload-rows.js';
import { UploadsHousekeeping } from '../../apps/api/src/platform/uploads/uploads-housekeeping.js';
import { UploadSignatures } from '../../apps/api/src/platform/uploads/upload-signature.js';
import { Uploads, type UploadPurpose } from '../../apps/api/src/platform/uploads/uploads.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { clip, FFMPEG, movingGif, phonePhoto, picture, repeatedFrame, sample } from '../support/media.js';

const MB = 1_048_576;
const JPEG = 'image/jpeg';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

interface Ticket {
  readonly uploadURL: string;
  readonly mediaUrl: string;
  readonly expiresAt: string;
}

describe('uploads', () => {
  let api: TestApi;
  let ada: TestMember;
  let bob: TestMember;
  let uploads: Uploads;
  let photo: Buffer;

  const ticketOf = async (member: TestMember, body: object = {}): Promise<Ticket> => {
    const answer = await member.browser.post('/api/content/upload-url', body);
    if (answer.status !== 200) throw new Error(`no ticket: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Ticket;
  };
  const put = (url: string, bytes: Uint8Array, type = JPEG) =>
    api.browser().send('PUT', url, { body: bytes, headers: { 'content-type': type } });
  const claim = (member: TestMember, mediaUrl: string, purpose: UploadPurpose = 'content') =>
    uploads.claim({ memberId: member.id, mediaUrl, purpose });
  /** Sent and in use. */
  const uploaded = async (bytes: Uint8Array, type = JPEG) => {
    const { uploadURL, mediaUrl } = await ticketOf(ada);
    const answer = await put(uploadURL, bytes, type);
    if (answer.status !== 200) throw new Error(`not taken: ${answer.status} ${JSON.stringify(answer.body)}`);
    return claim(ada, mediaUrl);
  };
  const get = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(new URL(target, api.url), { headers, method });
  const bytesOf = async (target: string): Promise<Buffer> => Buffer.from(await (await get(target)).arrayBuffer());
  /** Every file that the store holds. */
  const onDisk = (): string[] => {
    const folder = path.join(api.nova.app.get<Config>(CONFIG).dataDir, 'uploads');
    const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
    return entries.filter((each) => each.isFile()).map(({ name }) => name);
  };
  const idOf = (mediaUrl: string): string => mediaUrl.slice(-36);

  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '1000', FFMPEG_PATH: FFMPEG ?? '' } });
    ada = await api.member({ displayName: 'Ada' });
    bob = await api.member({ displayName: 'Bob' });
    uploads = api.nova.app.get(Uploads);
    photo = await phonePhoto();
  });
  afterAll(() => api?.close());

  describe('a picture', () => {
    it('is sent by one signed PUT, and is there for others once it is in use', async () => {
      const { uploadURL, mediaUrl, expiresAt } = await ticketOf(ada, { size: photo.length, contentType: JPEG });
      expect(mediaUrl).toMatch(/^\/objects\/uploads\/[0-9a-f-]{36}$/);
      expect(new URL(uploadURL).origin).toBe(api.url);
      expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 14 * 60_000);
      expect((await put(uploadURL, photo)).status).toBe(200);
      expect((await get(mediaUrl)).status).toBe(404);
      expect(await claim(ada, mediaUrl)).toEqual({
        id: idOf(mediaUrl),
        kind: 'image',
        contentType: JPEG,
        width: 600,
        height: 900,
        bytes: (await bytesOf(mediaUrl)).length,
        url: mediaUrl,
        thumbnailUrl: `${mediaUrl}/thumbnail`,
      });
      expect(onDisk().filter((name) => name.includes(idOf(mediaUrl)))).toHaveLength(2);
    });

    it('stands upright, and says neither where it was taken nor with what', async () => {
      expect((await sharp(photo).metadata()).orientation).toBe(6);
      expect(photo.includes('SecretCamera')).toBe(true);
      const { url, thumbnailUrl } = await uploaded(photo);
      for (const target of [url, thumbnailUrl ?? '']) {
        const served = await bytesOf(target);
        const metadata = await sharp(served).metadata();
        expect(metadata.exif ?? metadata.xmp ?? metadata.iptc).toBeUndefined();
        expect(metadata.orientation ?? 1).toBe(1);
        expect(metadata.height).toBeGreaterThan(metadata.width);
        expect(served.includes('SecretCamera')).toBe(false);
      }
    });

    it('has a thumbnail of 640 pixels at most, and a small one is not blown up', async () => {
      const large = await uploaded(await picture(1600, 400).jpeg().toBuffer());
      expect(await sharp(await bytesOf(large.thumbnailUrl ?? '')).metadata()).toMatchObject({
        format: 'webp',
        width: 640,
        height: 160,
      });
      const small = await uploaded(await picture(20, 10).png().toBuffer(), 'image/png');
      expect(await sharp(await bytesOf(small.thumbnailUrl ?? '')).metadata()).toMatchObject({ width: 20, height: 10 });
    });

    it('is there in the sizes of avatars and cards, made once when somebody looks, and gone with it', async () => {
      const { id, url } = await uploaded(photo);
      const [one, other] = await Promise.all([bytesOf(`${url}/small`), bytesOf(`${url}/small`)]);
      expect(one).toEqual(other);
      expect(await sharp(one).metadata()).toMatchObject({ format: 'webp', width: 192, height: 288 });
      expect(await sharp(await bytesOf(`${url}/medium`)).metadata()).toMatchObject({ width: 320, height: 480 });
      const answer = await get(`${url}/medium`);
      expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
      const tag = { 'if-none-match': answer.headers.get('etag') ?? '' };
      expect((await get(`${url}/medium`, tag)).status).toBe(304);
      expect((await get(`${url}/small`, tag)).status).toBe(200);
      expect(onDisk().filter((name) => name.includes(id))).toHaveLength(4);
      await uploads.remove(id);
      expect((await get(`${url}/small`)).status).toBe(404);
      expect(onDisk().filter((name) => name.includes(id))).toEqual([]);
    });

    it('is there whole in the size of a post, never blown up, and goes on moving', async () => {
      const wide = await uploaded(await picture(3200, 800).jpeg().toBuffer());
      const large = await bytesOf(`${wide.url}/large`);
      expect(await sharp(large).metadata()).toMatchObject({ format: 'webp', width: 1280, height: 320 });
      expect(large.length).toBeLessThan((await bytesOf(wide.url)).length / 2);
      const small = await uploaded(photo);
      expect(await sharp(await bytesOf(`${small.url}/large`)).metadata()).toMatchObject({ width: 600, height: 900 });
      const moving = await uploaded(await movingGif(), 'image/gif');
      const served = await sharp(await bytesOf(`${moving.url}/large`), { animated: true }).metadata();
      expect(served).toMatchObject({ format: 'webp', pages: 2 });
      const clipOf = await uploaded(await clip('mp4'), 'video/mp4');
      expect((await get(`${clipOf.url}/large`)).status).toBe(404);
      await uploads.remove(wide.id);
      expect(onDisk().filter((name) => name.includes(wide.id))).toEqual([]);
    });

    it.each([
      ['png', 'image/png', 'image/png', 'png'],
      ['webp', 'image/webp', 'image/webp', 'webp'],
      ['avif', 'image/avif', 'image/webp', 'webp'],
    ] as const)('may be %s', async (format, declared, served, readAs) => {
      const file = await uploaded(await picture(64, 48).toFormat(format).toBuffer(), declared);
      expect(file).toMatchObject({ kind: 'image', contentType: served, width: 64, height: 48 });
      expect((await get(file.url)).headers.get('content-type')).toBe(served);
      expect((await sharp(await bytesOf(file.url)).metadata()).format).toBe(readAs);
    });

    it('keeps moving', async () => {
      const file = await uploaded(await movingGif(), 'image/gif');
      expect(file).toMatchObject({ contentType: 'image/gif', width: 40, height: 30 });
      expect(await sharp(await bytesOf(file.url), { animated: true }).metadata()).toMatchObject({ pages: 2 });
      expect(await sharp(await bytesOf(file.thumbnailUrl ?? '')).metadata()).toMatchObject({ width: 40, height: 30 });
    });

    it('loses what was hidden behind it', async () => {
      const file = await uploaded(Buffer.concat([photo, Buffer.from('<script>alert(1)</script>')]));
      expect((await bytesOf(file.url)).includes('<script>')).toBe(false);
    });

    it('may come with the request itself', async () => {
      const bytes = await picture(300, 300).jpeg().toBuffer();
      const file = await uploads.storeImage({ memberId: ada.id, bytes, purpose: 'thumbnail' });
      expect(file).toMatchObject({ kind: 'image', width: 300 });
      expect((await get(file.url)).status).toBe(200);
      const video = { memberId: ada.id, bytes: await clip('mp4'), purpose: 'content' } as const;
      await expect(uploads.storeImage(video)).rejects.toMatchObject({ statusCode: 415 });
      expect(await uploads.store(video)).toMatchObject({ kind: 'video' });
      const large = { memberId: ada.id, bytes: Buffer.alloc(10 * MB + 1), purpose: 'thumbnail' } as const;
      await expect(uploads.storeImage(large)).rejects.toMatchObject({ statusCode: 413 });
    });
  });

  describe('a video', () => {
    it.each([
      ['mp4', 'video/mp4', 'video/mp4'],
      ['mov', 'video/quicktime', 'video/mp4'],
      ['webm', 'video/webm', 'video/webm'],
    ] as const)('may be %s; it has a poster frame, and no metadata', async (format, declared, contentType) => {
      const sent = await clip(format);
      expect(sent.includes('SecretCamera')).toBe(true);
      const file = await uploaded(sent, declared);
      expect(file).toMatchObject({ kind: 'video', contentType, width: 320, height: 180 });
      const served = await bytesOf(file.url);
      for (const secret of ['SecretCamera', '48.8577']) expect(served.includes(secret)).toBe(false);
      if (contentType === 'video/mp4') expect(served.indexOf('moov')).toBeLessThan(served.indexOf('mdat'));
      expect(await sharp(await bytesOf(file.thumbnailUrl ?? '')).metadata()).toMatchObject({
        format: 'webp',
        width: 320,
        height: 180,
      });
      const poster = await sharp(await bytesOf(file.thumbnailUrl ?? '')).stats();
      expect(Math.max(...poster.channels.map(({ max }) => max))).toBeGreaterThan(200);
    });

    it('of sound alone, or one that is cut off or damaged, is refused', async () => {
      const whole = await clip('mp4');
      const damaged = Buffer.concat([whole.subarray(0, 40), Buffer.alloc(2_000, 7)]);
      for (const bytes of [await sample('sound.mp4'), whole.subarray(0, 600), damaged]) {
        const { uploadURL, mediaUrl } = await ticketOf(ada);
        expect((await put(uploadURL, bytes, 'video/mp4')).status).toBe(200);
        await expect(claim(ada, mediaUrl)).rejects.toMatchObject({ statusCode: 415, code: 'UNSUPPORTED_FILE' });
        expect((await get(mediaUrl)).status).toBe(404);
      }
    });

    it('of a picture that browsers do not play is refused in words that say so', async () => {
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      await put(uploadURL, await sample('old.mp4'), 'video/mp4');
      await expect(claim(ada, mediaUrl)).rejects.toMatchObject({
        statusCode: 415,
        message: 'The picture of this video is in a format that browsers do not play: use H.264, VP9 or AV1.',
      });
    });

    it('whose index would fill the memory is refused', async () => {
      const times = 30_000_000;
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      await put(uploadURL, await repeatedFrame(times, { perChunk: times }), 'video/mp4');
      await expect(claim(ada, mediaUrl)).rejects.toMatchObject({ statusCode: 413, code: 'VIDEO_TOO_LONG' });
    });

    it('that would become larger than its place takes is refused, and nothing of it is kept', async () => {
      const small = await repeatedFrame(400);
      expect(small.length).toBeLessThan(MB);
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      expect((await put(uploadURL, small, 'video/mp4')).status).toBe(200);
      await expect(claim(ada, mediaUrl)).rejects.toMatchObject({ statusCode: 413, code: 'FILE_TOO_LARGE' });
      expect(onDisk().filter((name) => name.includes(idOf(mediaUrl)))).toEqual([`objects_uploads_${idOf(mediaUrl)}`]);
      expect((await get(mediaUrl)).status).toBe(404);
    });
  });

  describe('an address', () => {
    it.each([
      ['a file over 50 MB', '/api/content/upload-url', { size: 50 * MB + 1 }, 413, 'FILE_TOO_LARGE'],
      ['a portrait over 10 MB', '/api/profile/image-upload-url', { size: 10 * MB + 1 }, 413, 'FILE_TOO_LARGE'],
      ['SVG', '/api/content/upload-url', { contentType: 'image/svg+xml' }, 415, 'UNSUPPORTED_FILE'],
      ['HTML', '/api/content/upload-url', { contentType: 'text/html' }, 415, 'UNSUPPORTED_FILE'],
      ['a video as a portrait', '/api/profile/image-upload-url', { contentType: 'video/mp4' }, 415, 'UNSUPPORTED_FILE'],
      ['nothing', '/api/content/upload-url', { size: 0 }, 400, 'VALIDATION_FAILED'],
      ['less than nothing', '/api/content/upload-url', { size: -1 }, 400, 'VALIDATION_FAILED'],
      ['half a byte', '/api/content/upload-url', { size: 1.5 }, 400, 'VALIDATION_FAILED'],
      ['words', '/api/content/upload-url', { size: 'abc' }, 400, 'VALIDATION_FAILED'],
      ['a list', '/api/content/upload-url', { contentType: ['image/png'] }, 400, 'VALIDATION_FAILED'],
      ['a name with a path', '/api/content/upload-url', { name: '../../x.jpg' }, 400, 'UNKNOWN_FIELD'],
    ])('is not given for %s', async (_, target, body, status, code) => {
      const answer = await ada.browser.post(target, body);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.body.message).toMatch(/^[A-Z].*\.$/);
    });

    it('is given to members only, with or without a body', async () => {
      expect((await api.browser().post('/api/content/upload-url', {})).status).toBe(401);
      expect((await ada.browser.post('/api/content/upload-url')).status).toBe(200);
      expect((await ada.browser.post('/api/profile/image-upload-url', { size: 10 * MB })).status).toBe(200);
    });

    it('that is expired, forged, or made for another upload takes nothing', async () => {
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      const changed = (change: (url: URL) => void): string => {
        const url = new URL(uploadURL);
        change(url);
        return url.href;
      };
      const another = await ticketOf(ada);
      const forged = [
        changed((url) => url.searchParams.set('signature', 'x'.repeat(43))),
        changed((url) => url.searchParams.set('expires', '99999999999999')),
        changed((url) => url.searchParams.delete('signature')),
        changed((url) => url.searchParams.append('signature', 'x')),
        changed((url) => (url.search = '')),
        changed((url) => (url.pathname = another.mediaUrl)),
      ];
      for (const url of forged) {
        const answer = await put(url, photo);
        expect([answer.status, answer.body.code]).toEqual([403, 'UPLOAD_FORGED']);
      }
      const ticket = { id: idOf(mediaUrl), memberId: ada.id, size: null, expires: Date.now() - 1 };
      const signature = api.nova.app.get(UploadSignatures).sign(ticket);
      const late = await put(`${mediaUrl}?expires=${ticket.expires}&signature=${signature}`, photo);
      expect([late.status, late.body.message]).toEqual([403, 'Request has expired']);
      expect((await put(uploadURL, photo)).status).toBe(200);
    });

    it('of another member is no use, and neither is their file', async () => {
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      const headers = { 'content-type': JPEG };
      const answer = await bob.browser.send('PUT', uploadURL, { body: photo, headers });
      expect([answer.status, answer.body.code]).toEqual([403, 'UPLOAD_OF_ANOTHER']);
      expect((await ada.browser.send('PUT', uploadURL, { body: photo, headers })).status).toBe(200);
      await expect(claim(bob, mediaUrl)).rejects.toMatchObject({ statusCode: 404, code: 'UPLOAD_NOT_FOUND' });
      await claim(ada, mediaUrl);
      await expect(claim(bob, mediaUrl)).rejects.toMatchObject({ statusCode: 404, code: 'UPLOAD_NOT_FOUND' });
    });

    it('takes one file, however many are sent at once', async () => {
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      const answers = await Promise.all([1, 2, 3].map(() => put(uploadURL, photo)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
      const again = await put(uploadURL, photo);
      expect([again.status, again.body.code]).toEqual([409, 'UPLOAD_USED']);
      await claim(ada, mediaUrl);
      expect((await put(uploadURL, photo)).status).toBe(409);
    });

    /** A transfer of which the first bytes have arrived. */
    const beginSending = async (uploadURL: string) => {
      let sendRest = (): void => undefined;
      const leave = new AbortController();
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(photo.subarray(0, 200));
          sendRest = () => {
            controller.enqueue(photo.subarray(200));
            controller.close();
          };
        },
      });
      const init = { method: 'PUT', body, duplex: 'half', headers: { 'content-type': JPEG }, signal: leave.signal };
      const status = fetch(uploadURL, init).then((answer) => answer.status, String);
      await eventually(() => onDisk().includes('original'));
      return { status, leave, sendRest };
    };

    it('takes one file at a time: who comes second is told at once, and one that breaks off makes room', async () => {
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      const broken = await beginSending(uploadURL);
      broken.leave.abort();
      expect(await broken.status).toMatch(/AbortError/);
      await eventually(() => !onDisk().includes('original'));
      const first = await beginSending(uploadURL);
      const second = await put(uploadURL, photo);
      first.sendRest();
      expect([await first.status, second.status, second.body.code]).toEqual([200, 409, 'UPLOAD_USED']);
      expect(await claim(ada, mediaUrl)).toMatchObject({ kind: 'image' });
    });

    it('keeps nothing of a file whose upload was removed while it arrived', async () => {
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      const sending = await beginSending(uploadURL);
      await uploads.remove(idOf(mediaUrl));
      sending.sendRest();
      expect(await sending.status).toBe(404);
      expect(onDisk().filter((name) => name.includes(idOf(mediaUrl)))).toEqual([]);
    });

    it('is refused to pages of other sites', async () => {
      const { uploadURL } = await ticketOf(ada);
      const headers = { 'content-type': JPEG, origin: 'https://evil.example' };
      const answer = await ada.browser.send('PUT', uploadURL, { body: photo, headers });
      expect([answer.status, answer.body.code]).toEqual([403, 'FOREIGN_ORIGIN']);
    });

    it('gives way to newer ones: twenty of a member wait for a file', async () => {
      const [carl, dora] = [await api.member({ displayName: 'Carl' }), await api.member({ displayName: 'Dora' })];
      const hers = await ticketOf(dora);
      const tickets: Ticket[] = [];
      for (let count = 0; count < 21; count++) tickets.push(await ticketOf(carl));
      const [oldest, second] = tickets;
      expect((await put(oldest!.uploadURL, photo)).status).toBe(404);
      expect((await put(second!.uploadURL, photo)).status).toBe(200);
      expect((await put(hers.uploadURL, photo)).status).toBe(200);
    });
  });

  describe('a file is refused', () => {
    const cases: [string, () => Promise<Buffer> | Buffer, string, string][] = [
      ['SVG with a script', () => Buffer.from(SVG), 'image/svg+xml', 'UNSUPPORTED_FILE'],
      ['SVG that says it is JPEG', () => Buffer.from(SVG), JPEG, 'UNSUPPORTED_FILE'],
      ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>'), JPEG, 'UNSUPPORTED_FILE'],
      ['words', () => Buffer.from('hello, I am a photo of a cat, honestly, look closer'), JPEG, 'UNSUPPORTED_FILE'],
      ['nothing', () => Buffer.alloc(0), JPEG, 'UNSUPPORTED_FILE'],
      ['PNG that says it is JPEG', () => picture(10, 10).png().toBuffer(), JPEG, 'NOT_AS_DECLARED'],
      ['a picture that says it is a video', () => photo, 'video/mp4', 'NOT_AS_DECLARED'],
      ['a picture that says it is a page', () => photo, 'text/html', 'NOT_AS_DECLARED'],
      ['JSON', () => Buffer.from('{"a":1}'), 'application/json', 'UNSUPPORTED_FILE'],
      ['a form', () => Buffer.from('--x\r\n\r\n--x--'), 'multipart/form-data; boundary=x', 'UNSUPPORTED_FILE'],
    ];
    it.each(cases)('at once: %s', async (_, make, type, code) => {
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      const answer = await put(uploadURL, await make(), type);
      expect([answer.status, answer.body.code]).toEqual([415, code]);
      expect(answer.body.message).toMatch(/^This file|^The content/);
      await expect(claim(ada, mediaUrl)).rejects.toMatchObject({ statusCode: 409, code: 'NOTHING_UPLOADED' });
      // The address is still valid.
      expect((await put(uploadURL, photo)).status).toBe(200);
    });

    it('when it is larger than its address allows, as soon as that is known', async () => {
      const { uploadURL } = await ticketOf(ada);
      const announced = await put(uploadURL, Buffer.concat([photo, Buffer.alloc(50 * MB)]));
      expect([announced.status, announced.body.code]).toEqual([413, 'FILE_TOO_LARGE']);
      const bound = await ticketOf(ada, { size: photo.length });
      const longer = await put(bound.uploadURL, Buffer.concat([photo, Buffer.from('x')]));
      expect([longer.status, longer.body.code]).toEqual([413, 'SIZE_DIFFERS']);
      const shorter = await put(bound.uploadURL, photo.subarray(0, -1));
      expect([shorter.status, shorter.body.code]).toEqual([400, 'SIZE_DIFFERS']);
      expect((await put(bound.uploadURL, photo)).status).toBe(200);
    });

    it('when it turns out too large on the way, and leaves nothing behind', async () => {
      const { uploadURL } = await ticketOf(ada, { size: photo.length });
      const before = onDisk();
      let sent = 0;
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(sent === 0 ? photo : new Uint8Array(65_536));
          sent += 65_536;
          if (sent > 8 * MB) controller.close();
        },
      });
      const init = { method: 'PUT', body: endless, duplex: 'half', headers: { 'content-type': JPEG } };
      const answer = await fetch(uploadURL, init);
      expect(answer.status).toBe(413);
      expect(onDisk()).toEqual(before);
    });

    it('when it is put to use: damaged, not what it began as, or a portrait that moves', async () => {
      const png = await picture(50, 50).png().toBuffer();
      const cut = photo.subarray(0, photo.length / 2);
      const mixed = Buffer.concat([photo.subarray(0, 3), png]);
      for (const bytes of [cut, mixed]) {
        const { uploadURL, mediaUrl } = await ticketOf(ada);
        expect((await put(uploadURL, bytes)).status).toBe(200);
        await expect(claim(ada, mediaUrl)).rejects.toMatchObject({ statusCode: 415, code: 'UNSUPPORTED_FILE' });
        expect((await get(mediaUrl)).status).toBe(404);
      }
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      await put(uploadURL, await clip('mp4'), 'video/mp4');
      await expect(claim(ada, mediaUrl, 'profile-image')).rejects.toMatchObject({ statusCode: 415 });
    });

    it('when it has more pixels than may be decoded', async () => {
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      await put(uploadURL, await picture(16_000, 8_001).png().toBuffer(), 'image/png');
      await expect(claim(ada, mediaUrl)).rejects.toMatchObject({
        statusCode: 413,
        code: 'IMAGE_TOO_LARGE',
        message: 'This image has 16,000 × 8,001 pixels. At most 128 million are allowed.',
      });
    });
  });

  describe('putting to use', () => {
    it('needs a file that was sent, and an address that an upload gave', async () => {
      const { mediaUrl } = await ticketOf(ada);
      await expect(claim(ada, mediaUrl)).rejects.toMatchObject({ statusCode: 409, code: 'NOTHING_UPLOADED' });
      const unknown = '/objects/uploads/0197a0b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b';
      await expect(claim(ada, unknown)).rejects.toMatchObject({ statusCode: 404, code: 'UPLOAD_NOT_FOUND' });
      for (const text of ['', '/objects/uploads/../../secrets/session', 'https://evil.example/x.jpg', SVG]) {
        await expect(claim(ada, text)).rejects.toMatchObject({ statusCode: 400, code: 'INVALID_MEDIA_URL' });
      }
    });

    it('needs a file that its place takes, whatever it was sent for or is used for already', async () => {
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      expect((await put(uploadURL, Buffer.concat([photo, Buffer.alloc(10 * MB)]))).status).toBe(200);
      await expect(claim(ada, mediaUrl, 'profile-image')).rejects.toMatchObject({
        statusCode: 413,
        message: 'This file is too large. At most 10 MB are allowed.',
      });
      const video = await uploaded(await clip('mp4'), 'video/mp4');
      await expect(claim(ada, video.url, 'profile-image')).rejects.toMatchObject({
        statusCode: 415,
        message: 'This must be an image, not a video.',
      });
    });

    it('twice, and at once, is once', async () => {
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      await put(uploadURL, photo);
      const files = await Promise.all([mediaUrl, uploadURL, `${mediaUrl}?x=1`].map((each) => claim(ada, each)));
      for (const file of [...files, await claim(ada, mediaUrl)]) expect(file).toEqual(files[0]);
      await expect(claim(ada, mediaUrl, 'profile-image')).resolves.toEqual(files[0]);
    });

    it('leaves nothing of a file that was removed meanwhile', async () => {
      const before = onDisk();
      const { uploadURL, mediaUrl } = await ticketOf(ada);
      await put(uploadURL, photo);
      const rows = api.nova.app.get(UploadRows);
      const mark = rows.markClaimed.bind(rows);
      jest.spyOn(rows, 'markClaimed').mockImplementationOnce(async (id, media) => {
        await rows.remove(id);
        return mark(id, media);
      });
      await expect(claim(ada, mediaUrl)).rejects.toMatchObject({ statusCode: 404, code: 'UPLOAD_NOT_FOUND' });
      expect(onDisk()).toEqual(before);
    });

    it('ends with removal: file, thumbnail and upload are gone', async () => {
      const file = await uploaded(photo);
      await uploads.remove(file.id);
      await uploads.remove(file.id);
      for (const target of [file.url, file.thumbnailUrl ?? '']) expect((await get(target)).status).toBe(404);
      expect(onDisk().filter((name) => name.includes(file.id))).toEqual([]);
      await expect(claim(ada, file.url)).rejects.toMatchObject({ statusCode: 404 });
    });

    it('spares a file from the sweep, which takes what nothing refers to after a day, and what members leave', async () => {
      const kept = await uploaded(photo);
      const [unused, fresh] = [await ticketOf(ada), await ticketOf(ada)];
      for (const { uploadURL } of [unused, fresh]) await put(uploadURL, photo);
      const dora = await api.member({ displayName: 'Dora' });
      const bytes = await picture(10, 10).jpeg().toBuffer();
      const left = await uploads.storeImage({ memberId: dora.id, bytes, purpose: 'content' });
      const ids = [kept.id, idOf(unused.mediaUrl)];
      await api.database.pool.query(`update uploads set issued_at = now() - interval '25 hours' where id = any($1)`, [
        ids,
      ]);
      await api.database.pool.query(`delete from accounts where id = $1`, [dora.id]);
      await api.nova.app.get(UploadsHousekeeping).sweep();
      expect((await get(kept.url)).status).toBe(200);
      expect((await get(left.url)).status).toBe(404);
      for (const id of [idOf(unused.mediaUrl), left.id])
        expect(onDisk().filter((name) => name.includes(id))).toEqual([]);
      await expect(claim(ada, unused.mediaUrl)).rejects.toMatchObject({ statusCode: 404 });
      expect(await claim(ada, fresh.mediaUrl)).toMatchObject({ kind: 'image' });
    });
  });

  describe('serving', () => {
    let url: string;
    let whole: Buffer;
    beforeAll(async () => {
      ({ url } = await uploaded(await clip('mp4'), 'video/mp4'));
      whole = await bytesOf(url);
    });

    it('lets browsers keep files for ever, and run none of them', async () => {
      const answer = await get(url);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'accept-ranges': 'bytes',
        'cache-control': 'private, max-age=31536000, immutable',
        'content-disposition': 'inline',
        'content-length': String(whole.length),
        'content-security-policy': "sandbox; default-src 'none'",
        'content-type': 'video/mp4',
        'x-content-type-options': 'nosniff',
      });
      const etag = answer.headers.get('etag') ?? '';
      expect((await get(url, { 'if-none-match': `"x", W/${etag}` })).status).toBe(304);
      const head = await get(url, {}, 'HEAD');
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)]);
      expect((await head.arrayBuffer()).byteLength).toBe(0);
    });

    it.each([
      ['bytes=0-99', 0, 100],
      ['bytes=100-', 100, undefined],
      ['bytes=-50', -50, undefined],
      ['bytes=10-10', 10, 11],
    ])('answers %s with that part', async (range, start, end) => {
      const answer = await get(url, { range });
      const part = whole.subarray(start, end);
      const first = start < 0 ? whole.length + start : start;
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${first + part.length - 1}/${whole.length}`);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(part);
    });

    it('says where a file ends, and answers ranges of an older file with the whole', async () => {
      const beyond = await get(url, { range: `bytes=${whole.length}-` });
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`]);
      expect(beyond.headers.get('cache-control')).toBe('no-store');
      const etag = (await get(url, {}, 'HEAD')).headers.get('etag') ?? '';
      expect((await get(url, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
      expect((await get(url, { range: 'bytes=0-1', 'if-range': '"old"' })).status).toBe(200);
      expect((await get(url, { range: 'bytes=0-1,5-6' })).status).toBe(200);
      expect((await get(`${url}/thumbnail`, { range: 'bytes=0-3' })).status).toBe(206);
    });

    it.each([
      '/objects/uploads/',
      '/objects/uploads/x',
      '/objects/uploads/..',
      '/objects/uploads/%2e%2e%2f%2e%2e%2fsecrets%2fsession',
      '/objects/uploads/..%2f..%2fsecrets/session',
      '/objects/uploads/%00',
      '/objects/uploads/0197a0b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b',
      '/objects/uploads/0197a0b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b/thumbnail',
      '/objects/uploads/0197a0b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b/original',
      '/objects',
    ])('has nothing at %s', async (target) => {
      const answer = await fetch(`${api.url}${target}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/json');
    });
  });
});
