import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { FFMPEG, picture, repeatedFrame, sample, type Sample } from '../../../../../../test/support/media.js';
import { MediaWorkshop } from './media-workshop.js';

// Each file starts a process.
jest.setTimeout(120_000);

const withFfmpeg = FFMPEG === undefined ? it.skip : it;

let folder: string;
let workshop: MediaWorkshop;

const start = (ffmpeg: string | undefined) => async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nova-media-'));
  workshop = new MediaWorkshop(ffmpeg);
};
const end = (): Promise<void> => rm(folder, { recursive: true, force: true });
const prepare = async (bytes: Buffer, { purpose = 'content', poster = null as Buffer | null } = {}) => {
  const own = await mkdtemp(path.join(folder, 'w-'));
  const [original, sent] = [path.join(own, 'original'), path.join(own, 'sent-poster')];
  await writeFile(original, bytes);
  if (poster) await writeFile(sent, poster);
  return workshop.prepare({
    original,
    folder: own,
    kinds: purpose === 'content' ? ['image', 'video'] : ['image'],
    bytesMax: 50 * 1_048_576,
    poster: poster && sent,
  });
};
const prepared = async (name: Sample) => {
  const file = await prepare(await sample(name));
  return { file, bytes: await readFile(file.file) };
};
const refused = { statusCode: 415, code: 'UNSUPPORTED_FILE' };

/** The number of pictures, from the sample boxes of a track in an MP4. */
const picturesIn = (mp4: Buffer): number => mp4.readUInt32BE(mp4.indexOf('stsz') + 12);

describe('the version of ffmpeg', () => {
  const program = async (lines: string): Promise<string> => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'nova-ffmpeg-')), 'ffmpeg');
    await writeFile(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    return file;
  };

  it('is not waited for by a start when it comes late', async () => {
    await expect(new MediaWorkshop(await program('exec sleep 60'), 200).onModuleInit()).resolves.toBeUndefined();
  });

  it.each([
    ['says that it is another program', 'echo bash version 5'],
    ['fails', 'exit 1'],
  ])('refuses a start when the program %s', async (_, lines) => {
    await expect(new MediaWorkshop(await program(lines)).onModuleInit()).rejects.toThrow();
  });
});

describe('files without ffmpeg', () => {
  beforeAll(start(undefined));
  afterAll(end);

  it('a video is written anew without what is hidden in the stream of its picture', async () => {
    expect((await sample('user-data.mp4')).includes('SecretWords')).toBe(true);
    const { file, bytes } = await prepared('user-data.mp4');
    expect(file).toMatchObject({ kind: 'video', contentType: 'video/mp4', width: 320, height: 180 });
    // The encoder's own words sit in the same place.
    for (const words of ['SecretWords', 'SecretCamera', 'x264']) expect(bytes.includes(words)).toBe(false);
  });

  it('a cut video begins at its next key frame, without what was cut off', async () => {
    const { file, bytes } = await prepared('hidden-start.mp4');
    expect(file).toMatchObject({ kind: 'video' });
    // Three seconds of ten pictures each, of which the second and the third remain.
    expect(picturesIn(await sample('hidden-start.mp4'))).toBe(30);
    expect(picturesIn(bytes)).toBe(20);
  });

  it('HEVC is kept, tagged as players know it, without the words of its encoder', async () => {
    expect((await sample('hevc.mp4')).includes('x265')).toBe(true);
    const { bytes, file } = await prepared('hevc.mp4');
    expect(file.contentType).toBe('video/mp4; codecs="hvc1"');
    expect([bytes.includes('hvc1'), bytes.includes('hev1'), bytes.includes('x265')]).toEqual([true, false, false]);
  });

  it.each(['opus.mp4', 'fragmented.mp4', 'av1.mp4', 'clip.mov', 'clip.webm'] as const)('%s is taken', async (name) => {
    const { file, bytes } = await prepared(name);
    expect(file.kind).toBe('video');
    expect(bytes.includes('SecretCamera')).toBe(false);
  });

  it('a video of a camera with a brand of its own is taken', async () => {
    const bytes = await sample('clip.mp4');
    for (const brand of ['XAVC', 'CAEP', 'mp71']) {
      bytes.write(brand, 8, 'latin1');
      expect(await prepare(bytes)).toMatchObject({ kind: 'video' });
    }
  });

  it.each(['clip.mp4', 'clip.mov', 'clip.webm', 'fragmented.mp4', 'opus.mp4'] as const)(
    '%s is refused when its end is missing',
    async (name) => {
      const whole = await sample(name);
      for (const share of [0.5, 0.9, 0.999]) {
        await expect(prepare(whole.subarray(0, Math.floor(whole.length * share)))).rejects.toMatchObject(refused);
      }
    },
  );

  it('a video has a drawing for a poster', async () => {
    const { file } = await prepared('clip.mp4');
    const poster = sharp(file.thumbnail);
    expect(await poster.metadata()).toMatchObject({ format: 'webp', width: 320, height: 180 });
  });

  it.each([
    ['pcm.mov', 'The sound of this video is in a format that browsers do not play: use AAC, MP3 or Opus.'],
    ['moving.png', 'This APNG moves, and Nova cannot keep it moving here: send it as a GIF, a WebP or a video.'],
    ['moving.avif', 'This AVIF moves, and Nova cannot keep it moving here: send it as a GIF, a WebP or a video.'],
    ['old.mp4', 'The picture of this video is in a format that browsers do not play: use H.264, VP9 or AV1.'],
  ] as const)('%s is refused with a sentence', async (name, message) => {
    await expect(prepare(await sample(name))).rejects.toMatchObject({ ...refused, message });
  });

  it('HEIC becomes JPEG', async () => {
    const { file, bytes } = await prepared('photo.heic');
    expect(file).toMatchObject({ kind: 'image', contentType: 'image/jpeg', width: 96, height: 64 });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 96, height: 64 });
    const cut = (await sample('photo.heic')).subarray(0, 600);
    await expect(prepare(cut)).rejects.toMatchObject({ statusCode: 415 });
  });

  it('a JPEG may lack its end marker, and nothing else', async () => {
    const noise = sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    });
    for (const progressive of [false, true]) {
      const whole = await noise.jpeg({ progressive }).toBuffer();
      expect(await prepare(whole.subarray(0, -2))).toMatchObject({ width: 200, height: 200 });
      for (const share of [0.5, 0.8, 0.95]) {
        const half = whole.subarray(0, Math.floor(whole.length * share));
        for (const cut of [half, Buffer.concat([half, Buffer.from([0xff, 0xd9])])]) {
          await expect(prepare(cut)).rejects.toMatchObject(refused);
        }
      }
    }
  });

  it('a moving WebP that lies on its side is turned, and goes on moving', async () => {
    const frames = [0, 120, 240].map((grey) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background: { r: grey, g: grey, b: grey } } })
        .png()
        .toBuffer(),
    );
    const lying = await sharp(await Promise.all(frames), { join: { animated: true } })
      .webp({ delay: [100, 200, 300], loop: 2 })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const file = await prepare(lying);
    expect(file).toMatchObject({ contentType: 'image/webp', width: 30, height: 40 });
    expect(await sharp(file.file, { animated: true }).metadata()).toMatchObject({
      pages: 3,
      delay: [100, 200, 300],
      loop: 2,
    });
  });

  it('a panorama is scaled to what every browser can draw', async () => {
    const file = await prepare(await picture(9_000, 1_000).jpeg().toBuffer());
    expect(file).toMatchObject({ width: 8_192, height: 910 });
  });

  it('a moving picture of many frames is refused before it is decoded', async () => {
    const begun = Date.now();
    await expect(prepare(await longGif())).rejects.toMatchObject({ statusCode: 413, code: 'IMAGE_TOO_LARGE' });
    expect(Date.now() - begun).toBeLessThan(30_000);
  });
});

describe('files with ffmpeg', () => {
  beforeAll(start(FFMPEG));
  afterAll(end);

  withFfmpeg('a video has a picture of itself for a poster', async () => {
    const { file } = await prepared('clip.mp4');
    const { channels } = await sharp(file.thumbnail).stats();
    // The picture is of bars in all colours; a drawing has few.
    expect(Math.min(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(60);
  });

  withFfmpeg('HEVC becomes H.264, and PCM becomes AAC', async () => {
    const hevc = await prepared('hevc.mp4');
    expect([hevc.bytes.includes('avc1'), hevc.bytes.includes('hvc1')]).toEqual([true, false]);
    const pcm = await prepared('pcm.mov');
    expect([pcm.bytes.includes('mp4a'), pcm.bytes.includes('sowt')]).toEqual([true, false]);
  });

  withFfmpeg('a cut video keeps all that it shows', async () => {
    const { bytes } = await prepared('hidden-start.mp4');
    expect(picturesIn(bytes)).toBeGreaterThanOrEqual(22);
    expect(bytes.includes('x264')).toBe(false);
  });

  withFfmpeg('APNG and AVIF sequences go on moving', async () => {
    for (const name of ['moving.png', 'moving.avif'] as const) {
      const { file, bytes } = await prepared(name);
      expect(file).toMatchObject({ contentType: 'image/webp' });
      expect((await sharp(bytes, { animated: true }).metadata()).pages).toBeGreaterThan(1);
    }
  });

  withFfmpeg('a GIF that is too long to be kept becomes a video, where a video may be', async () => {
    const gif = await longGif();
    expect(await prepare(gif)).toMatchObject({ kind: 'video', contentType: 'video/mp4', width: 1_000, height: 1_000 });
    await expect(prepare(gif, { purpose: 'profile-image' })).rejects.toMatchObject({ statusCode: 413 });
  });
});

describe('the process that reads files', () => {
  beforeAll(start(undefined));
  afterAll(end);

  it('is ended by a limit, and the file is refused', async () => {
    // An index of thirty million pictures.
    const times = 30_000_000;
    await expect(prepare(await repeatedFrame(times, { perChunk: times }))).rejects.toMatchObject({
      statusCode: expect.any(Number),
      message: expect.stringMatching(/^This (?:video|file) /),
    });
  });

  it('cleans the picture that a browser made of a video, and does without one that it cannot read', async () => {
    const poster = await picture(64, 36)
      .jpeg()
      .withExif({ IFD0: { Make: 'SecretCamera' } })
      .toBuffer();
    const cleaned = await prepare(await sample('clip.mp4'), { poster });
    expect(await sharp(cleaned.thumbnail).metadata()).toMatchObject({ format: 'webp', width: 64, height: 36 });
    expect((await readFile(cleaned.thumbnail)).includes('SecretCamera')).toBe(false);
    const drawn = await prepare(await sample('clip.mp4'), { poster: Buffer.from('<svg onload="alert(1)"/>') });
    expect(await sharp(drawn.thumbnail).metadata()).toMatchObject({ width: 320, height: 180 });
  });
});

/** 40 frames of 1,000 × 1,000 in a few kilobytes. */
async function longGif(): Promise<Buffer> {
  const [side, frames] = [1_000, 40];
  const raw = Buffer.alloc(side * side * frames);
  for (let frame = 0; frame < frames; frame += 1) raw.fill(frame * 6, frame * side * side, (frame + 1) * side * side);
  return sharp(raw, { raw: { width: side, height: side * frames, channels: 1, pageHeight: side } })
    .gif({ effort: 1 })
    .toBuffer();
}
