import { createRequire } from 'node:module';
import { RefusedFile, unreadable } from './refused-file.js';

/** The little that is used of libheif, which comes without types of its own. */
interface HeifImage {
  get_width(): number;
  get_height(): number;
  display(target: HeifPixels, done: (pixels: HeifPixels | null) => void): void;
}

interface HeifPixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

interface Libheif {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

export interface DecodedPicture {
  /** Red, green, blue and alpha of each pixel. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes the main picture of a HEIC, upright.
 * @throws RefusedFile 415 with what to do instead
 */
export async function decodeHeic(bytes: Uint8Array, pxMax: number): Promise<DecodedPicture> {
  // Its WebAssembly is loaded by those who need it alone.
  const { HeifDecoder } = createRequire(import.meta.url)('libheif-js/wasm-bundle.js') as Libheif;
  const [image] = new HeifDecoder().decode(bytes);
  const [width, height] = [image?.get_width() ?? 0, image?.get_height() ?? 0];
  if (!image || width * height === 0 || width * height > pxMax) throw heicUnreadable();
  const target = { data: new Uint8ClampedArray(width * height * 4), width, height };
  const pixels = await new Promise<HeifPixels | null>((resolve) => image.display(target, resolve));
  if (!pixels) throw heicUnreadable();
  return { data: Buffer.from(pixels.data.buffer), width, height };
}

const heicUnreadable = (): RefusedFile =>
  unreadable(
    'This HEIC picture cannot be read. Send it as a JPEG: an iPhone takes those with Camera › Formats › Most Compatible.',
  );
