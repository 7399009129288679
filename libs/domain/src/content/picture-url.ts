const UPLOAD = /^(\/objects\/uploads\/([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f-]{21})(?:\/thumbnail)?$/;

/**
 * Pixels of the shorter side: `small` for avatars, 192, and `medium` for cards, 320. For posts, `large` is the whole
 * picture within 1,280 pixels.
 */
export type PictureSize = 'small' | 'medium' | 'large';

/**
 * Where an uploaded picture is in a smaller size. Its id (UUID version 7) says when it was made, and a new picture has
 * a new one: browsers keep it. Other addresses stay as they are.
 */
export function smallerPicture(url: string, size: PictureSize): string {
  const [, upload, high = '', low = ''] = UPLOAD.exec(url) ?? [];
  return upload === undefined ? url : `${upload}/${size}?t=${Number.parseInt(high + low, 16)}`;
}

/** Lets the browser choose between both for a picture about as wide as a card. */
export const cardPicture = (url: string) => ({
  src: url,
  srcSet: `${smallerPicture(url, 'medium')} 320w, ${url} 640w`,
  sizes: '(width < 48rem) 50vw, (width < 80rem) 25vw, 18rem',
});
