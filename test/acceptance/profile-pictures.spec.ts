import sharp from 'sharp';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { clip, phonePhoto, picture } from '../support/media.js';

const crop = (): Promise<Buffer> => picture(200, 200).jpeg().toBuffer();
const profileOf = async (member: TestMember) => (await member.browser.get('/api/profile')).body;

describe('profile pictures', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '1000' } });
  });
  afterAll(() => api?.close());

  const ticket = async (member: TestMember, call = '/api/profile/image-upload-url') =>
    (await member.browser.post(call)).body as { uploadURL: string; mediaUrl: string };
  const put = (url: string, bytes: Uint8Array, type: string) =>
    api.browser().send('PUT', url, { body: bytes, headers: { 'content-type': type } });
  const setImage = (member: TestMember, imageUrl: unknown) => member.browser.post('/api/profile/image', { imageUrl });

  const uploaded = async (member: TestMember, bytes: Buffer, type = 'image/jpeg'): Promise<string> => {
    const { uploadURL, mediaUrl } = await ticket(member);
    const answer = await put(uploadURL, bytes, type);
    if (answer.status !== 200) throw new Error(`not taken: ${answer.status} ${JSON.stringify(answer.body)}`);
    return mediaUrl;
  };

  const setThumbnail = async (
    member: TestMember,
    bytes: Uint8Array,
    { field = 'thumbnail', type = 'image/jpeg' } = {},
  ): Promise<TestAnswer> => {
    const form = new FormData();
    form.append(field, new Blob([new Uint8Array(bytes)], { type }), 'thumbnail.jpg');
    const wrapped = new Response(form);
    return member.browser.send('POST', '/api/profile/thumbnail', {
      body: Buffer.from(await wrapped.arrayBuffer()),
      headers: { 'content-type': wrapped.headers.get('content-type') ?? '' },
    });
  };
  const statusOf = async (url: string): Promise<number> => (await fetch(new URL(url, api.url))).status;

  it('makes an uploaded image the picture, upright and without its position', async () => {
    const member = await api.member();
    const mediaUrl = await uploaded(member, await phonePhoto());
    const answer = await setImage(member, `${api.url}${mediaUrl}?x=1`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Your profile picture was changed.', profileImageUrl: mediaUrl, profileCardThumbnailUrl: null },
    ]);
    expect(await profileOf(member)).toMatchObject({ profileImageUrl: mediaUrl, profileCardThumbnailUrl: null });
    expect((await member.browser.get('/api/auth/user')).body.user.profileImageUrl).toBe(mediaUrl);
    const shown = Buffer.from(await (await fetch(new URL(mediaUrl, api.url))).arrayBuffer());
    const { width, height, exif } = await sharp(shown).metadata();
    expect([width, height, exif]).toEqual([600, 900, undefined]);
    expect((await setImage(member, mediaUrl)).status).toBe(200);
    expect(await statusOf(mediaUrl)).toBe(200);
  });

  it('makes a cropped area the picture throughout the app, and removes what nothing shows any more', async () => {
    const [member, other] = [await api.member({ displayName: 'Cropped One' }), await api.member()];
    const whole = await uploaded(member, await phonePhoto());
    await setImage(member, whole);
    await other.browser.get('/api/users/search?query=cropped');
    const answer = await setThumbnail(member, await crop());
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: 'Your thumbnail was saved.',
        profileImageUrl: expect.stringMatching(/^\/objects\/uploads\/[0-9a-f-]{36}$/),
        profileCardThumbnailUrl: answer.body.profileImageUrl,
      },
    ]);
    const first: string = answer.body.profileImageUrl;
    expect(await profileOf(member)).toMatchObject({ profileImageUrl: first, profileCardThumbnailUrl: first });
    const found = (await other.browser.get('/api/users/search?query=cropped')).body.users;
    expect(found).toEqual([expect.objectContaining({ profileImageUrl: first })]);
    expect([await statusOf(whole), await statusOf(first)]).toEqual([404, 200]);

    const second: string = (await setThumbnail(member, await crop())).body.profileImageUrl;
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
    const third = await uploaded(member, await phonePhoto());
    await setImage(member, third);
    expect(await profileOf(member)).toMatchObject({ profileImageUrl: third, profileCardThumbnailUrl: second });
    expect([await statusOf(second), await statusOf(third)]).toEqual([200, 200]);
  });

  it('keeps a file that is among one’s content', async () => {
    const member = await api.member();
    const { uploadURL, mediaUrl } = await ticket(member, '/api/content/upload-url');
    await put(uploadURL, await crop(), 'image/jpeg');
    const item = await member.browser.post('/api/content/discovery', { contentType: 'image', mediaUrl });
    expect(item.status).toBe(201);
    expect((await setImage(member, mediaUrl)).status).toBe(200);
    expect((await setThumbnail(member, await crop())).status).toBe(200);
    expect(await statusOf(mediaUrl)).toBe(200);
  });

  it.each([
    ['nothing', undefined, 400],
    ['a number', 7, 400],
    ['another site', 'https://evil.example/x.png', 400],
    ['a script', 'javascript:alert(1)', 400],
    ['a path that climbs', '/objects/uploads/../../etc/passwd', 400],
    ['an unknown upload', '/objects/uploads/018f0000-0000-7000-8000-000000000000', 404],
    ['a text beyond any address', `/objects/uploads/${'x'.repeat(3_000)}`, 400],
  ])('refuses %s as an image', async (_, imageUrl, status) => {
    const member = await api.member();
    const answer = await setImage(member, imageUrl);
    expect([answer.status, typeof answer.body.code]).toEqual([status, 'string']);
    expect(answer.body.message).toMatch(/\.$/);
    expect((await profileOf(member)).profileImageUrl).toBeNull();
  });

  it('refuses another’s upload, one that never came, and a video', async () => {
    const [member, other] = [await api.member(), await api.member()];
    expect((await setImage(member, await uploaded(other, await crop()))).status).toBe(404);
    expect((await setImage(member, (await ticket(member)).mediaUrl)).status).toBe(409);
    const { uploadURL, mediaUrl } = await ticket(member, '/api/content/upload-url');
    await put(uploadURL, await clip('mp4'), 'video/mp4');
    const video = await setImage(member, mediaUrl);
    expect([video.status, video.body.code]).toEqual([415, 'UNSUPPORTED_FILE']);
    expect((await profileOf(member)).profileImageUrl).toBeNull();
  });

  it.each([
    ['a PNG', () => picture(20, 20).png().toBuffer(), 415, 'UNSUPPORTED_FILE'],
    ['an SVG', () => Promise.resolve(Buffer.from('<svg onload="alert(1)"/>')), 415, 'UNSUPPORTED_FILE'],
    ['nothing', () => Promise.resolve(Buffer.alloc(0)), 415, 'UNSUPPORTED_FILE'],
    ['a torn JPEG', async () => (await crop()).subarray(0, 40), 415, 'UNSUPPORTED_FILE'],
    ['11 MB', async () => Buffer.concat([await crop(), Buffer.alloc(11 * 1_048_576)]), 413, 'FILE_TOO_LARGE'],
  ])('refuses %s as a thumbnail', async (_, bytes, status, code) => {
    const member = await api.member();
    const answer = await setThumbnail(member, await bytes());
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.message).toMatch(/\.$/);
    expect(await profileOf(member)).toMatchObject({ profileImageUrl: null, profileCardThumbnailUrl: null });
  });

  it('refuses a form without the field, and what is no form', async () => {
    const member = await api.member();
    const wrongField = await setThumbnail(member, await crop(), { field: 'file' });
    expect([wrongField.status, wrongField.body.code]).toEqual([400, 'FILE_MISSING']);
    const noForm = await member.browser.post('/api/profile/thumbnail', { thumbnail: 'x' });
    expect([noForm.status, noForm.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const stranger = await api.browser().post('/api/profile/image', { imageUrl: '/objects/uploads/x' });
    expect(stranger.status).toBe(401);
  });
});
