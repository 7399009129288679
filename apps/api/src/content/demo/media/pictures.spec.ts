import sharp from 'sharp';
import { AppError } from '../../../platform/errors/app-error.js';
import { sniffMedia } from '../../../platform/uploads/media/media-format.js';
import { DEMO_PEOPLE } from '../demo-people.js';
import { DEMO_POSTS } from '../demo-posts.js';
import { clipOrPicture } from './clip.js';
import { livingPortrait } from './living-portrait.js';
import { avatarPortrait, cardPortrait } from './portrait/portrait.js';
import type { Sitter } from './portrait/look.js';
import { renderJpeg } from './render.js';
import { SeededRandom } from './seeded-random.js';
import { movingScene } from './scene/moving-scene.js';
import { drawScene, type Painting } from './scene/scene.js';

const sitters: readonly Sitter[] = DEMO_PEOPLE.map(({ email, mood, look }) => ({ seed: email, mood, look }));
const paintings: readonly Painting[] = DEMO_POSTS.map(({ author, scene, mood }, number) => ({
  kind: scene,
  mood,
  seed: `${author} ${number}`,
}));

/** Nothing that a calculation got wrong, and nothing that is read from elsewhere. */
const UNFIT = /NaN|undefined|Infinity|href|<script|<image/;

describe('a portrait', () => {
  it.each(sitters)('of $seed is drawn without a fault, and again the same', (sitter) => {
    const drawing = cardPortrait(sitter, 600);
    expect(drawing).not.toMatch(UNFIT);
    expect(cardPortrait(sitter, 600)).toBe(drawing);
  });

  it('is another one for everybody', () => {
    expect(new Set(sitters.map((sitter) => cardPortrait(sitter, 600))).size).toBe(sitters.length);
    const [one, other] = sitters;
    if (!one || !other) throw new Error('there are no demo members');
    // The look alone is not all: nobody has somebody else's sky.
    expect(cardPortrait({ ...one, seed: other.seed }, 600)).not.toBe(cardPortrait(one, 600));
  });

  it('becomes a JPEG of its size, the same every time', async () => {
    const [sitter] = sitters;
    if (!sitter) throw new Error('there are no demo members');
    const [card, again, avatar] = await Promise.all(
      [cardPortrait(sitter, 300), cardPortrait(sitter, 300), avatarPortrait(sitter, 200)].map(renderJpeg),
    );
    expect(await sharp(card).metadata()).toMatchObject({ format: 'jpeg', width: 300, height: 400 });
    expect(await sharp(avatar).metadata()).toMatchObject({ format: 'jpeg', width: 200, height: 200 });
    expect(again).toEqual(card);
    // A picture, not one colour.
    const { channels } = await sharp(card).stats();
    expect(Math.min(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(20);
  });
});

describe('a scene', () => {
  it.each(paintings)('$kind for $seed is drawn without a fault, and again the same', (painting) => {
    const drawing = drawScene(painting, 720);
    expect(drawing).not.toMatch(UNFIT);
    expect(drawScene(painting, 720)).toBe(drawing);
  });

  it('is another one in every post', () => {
    expect(new Set(paintings.map((painting) => drawScene(painting, 720))).size).toBe(paintings.length);
  });

  it('becomes a JPEG of its size', async () => {
    const sizes = await Promise.all(
      paintings.map(async (painting) => sharp(await renderJpeg(drawScene(painting, 120))).metadata()),
    );
    for (const size of sizes) expect(size).toMatchObject({ format: 'jpeg', width: 120, height: 120 });
  });
});

describe('a clip', () => {
  const [sitter] = sitters;
  const [painting] = paintings;
  if (!sitter || !painting) throw new Error('there are no demo members');

  it.each([
    ['a living portrait', () => livingPortrait(sitter)],
    ['a moving scene', () => movingScene(painting)],
  ])(
    'is H.264 that is small: %s',
    async (_, make) => {
      const clip = await make();
      expect(sniffMedia(clip)).toBe('mp4');
      expect(clip.includes('avc1')).toBe(true);
      expect(clip.length).toBeLessThan(1_000_000);
    },
    60_000,
  );
});

describe('a clip or a picture', () => {
  const picture = (): Promise<Buffer> => Promise.resolve(Buffer.from('picture'));

  it('is a picture where ffmpeg does not run', async () => {
    const gone = (): Promise<Buffer> => Promise.reject(new AppError(503, 'VIDEOS_UNAVAILABLE', 'No videos here.'));
    expect((await clipOrPicture(gone, picture)).toString()).toBe('picture');
  });

  it('is nothing where the clip failed: the next start tries again', async () => {
    const failed = (): Promise<Buffer> => Promise.reject(new Error('disk full'));
    await expect(clipOrPicture(failed, picture)).rejects.toThrow('disk full');
  });
});

describe('seeded random numbers', () => {
  const numbers = (seed: string): number[] => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 1_000 }, () => random.next());
  };

  it('are the same for the same seed, others for another, and spread from 0 to 1', () => {
    expect(numbers('ada')).toEqual(numbers('ada'));
    expect(numbers('ada')).not.toEqual(numbers('ben'));
    expect(Math.min(...numbers('ada'))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers('ada'))).toBeLessThan(1);
    const mean = numbers('ada').reduce((sum, number) => sum + number, 0) / 1_000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
  });

  it('choose some of a list, each once and in its order', () => {
    const chosen = new SeededRandom('x').some([1, 2, 3, 4, 5, 6, 7, 8], 5);
    expect(chosen).toHaveLength(5);
    expect(chosen).toEqual([...new Set(chosen)].toSorted((a, b) => a - b));
  });
});
