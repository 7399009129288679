import { stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { Ffmpeg, FfmpegInput } from './ffmpeg.js';
import { writeThumbnail } from './open-image.js';
import type { MediaJob } from './media-job.js';
import type { PreparedMedia } from './prepared-media.js';
import { inspectVideo, rewriteVideo, type VideoContainer, type VideoFacts } from './rewrite-video.js';
import { THUMBNAIL_PX } from './media-limits.js';
import { RefusedFile, unreadable } from './refused-file.js';

const POSTER_SECONDS_MAX = 30;
const SOUND_SECONDS_MAX = 60;
const ENCODE_SECONDS_MAX = 120;
/** The most pixels × pictures that are encoded anew: half a minute of 1920 × 1080. */
const ENCODE_PX_MAX = 2_000_000_000;
/** Longer sides are scaled down when a video is encoded. */
const ENCODE_SIDE_PX_MAX = 1920;
/** The first frame of many clips is black. */
const POSTER_AT_SECONDS = '0.8';

export interface VideoTools extends Omit<MediaJob, 'ffmpeg'> {
  readonly ffmpeg: Ffmpeg | undefined;
}

const DEMUXERS: Readonly<Record<VideoContainer, FfmpegInput['demuxer']>> = { mp4: 'mov', webm: 'matroska' };
const CONTENT_TYPES: Readonly<Record<VideoContainer, string>> = { mp4: 'video/mp4', webm: 'video/webm' };
/** The `codecs` parameter tells readers and browsers that few browsers play it. */
const HEVC_TYPE = 'video/mp4; codecs="hvc1"';

/** Encodes H.264 that every browser plays, upright and within bounds. */
const PICTURE_ENCODER = [
  ...'-c:v libx264 -preset veryfast -crf 23 -pix_fmt yuv420p -vf'.split(' '),
  `scale='min(iw,${ENCODE_SIDE_PX_MAX})':'min(ih,${ENCODE_SIDE_PX_MAX})':force_original_aspect_ratio=decrease:force_divisible_by=2`,
];
const SOUND_ENCODERS: Readonly<Record<VideoContainer, string>> = {
  mp4: '-c:a aac -b:a 128k -ac 2',
  webm: '-c:a libopus -b:a 96k -ac 2',
};

/**
 * Writes the picture and the sound of a video into a new file, and a frame as a thumbnail. If browsers do not play the
 * video, ffmpeg converts it; without ffmpeg it is refused. HEVC, which some browsers play, is kept.
 * @throws RefusedFile 413 too large or too long, 415 it is damaged, or browsers do not play it
 */
export async function prepareVideo(
  original: string,
  container: VideoContainer,
  tools: VideoTools,
): Promise<PreparedMedia> {
  const { folder, bytesMax } = tools;
  const source = await playable(original, container, tools);
  const file = path.join(folder, 'file');
  await rewriteVideo(source, file, { container, bytesMax });
  const { width, height, isHevc } = await inspectVideo(file, container);
  const thumbnail = path.join(folder, 'thumbnail');
  await writePoster({ file, container, width, height }, thumbnail, tools);
  return { kind: 'video', contentType: isHevc ? HEVC_TYPE : CONTENT_TYPES[container], width, height, file, thumbnail };
}

/** The file itself, or one converted from it. */
async function playable(original: string, container: VideoContainer, tools: VideoTools): Promise<string> {
  const facts = await inspectVideo(original, container);
  const { ffmpeg, folder, bytesMax } = tools;
  const canEncode = ffmpeg !== undefined && facts.width * facts.height * facts.pictures <= ENCODE_PX_MAX;
  const encodesPicture = canEncode && container === 'mp4' && (facts.isHevc || facts.losesPictures);
  if (facts.soundPlays && !encodesPicture) return original;
  if (!ffmpeg) throw soundNotPlayed();
  const converted = path.join(folder, `converted.${container}`);
  const input = { file: original, demuxer: DEMUXERS[container] };
  const output = (picture: readonly string[]): string[] => [
    ...'-map 0:V:0 -map 0:a:0? -map_metadata -1 -map_chapters -1'.split(' '),
    ...picture,
    ...(facts.soundPlays && picture === COPIED ? ['-c:a', 'copy'] : SOUND_ENCODERS[container].split(' ')),
    '-fs',
    String(bytesMax),
    '-f',
    container,
    converted,
  ];
  if (encodesPicture && (await ffmpeg.run(input, output(PICTURE_ENCODER), { seconds: ENCODE_SECONDS_MAX, folder }))) {
    return converted;
  }
  // Converting is too slow, or beyond this ffmpeg: the file stays as it is.
  if (facts.soundPlays) return original;
  if (await ffmpeg.run(input, output(COPIED), { seconds: SOUND_SECONDS_MAX, folder })) return converted;
  throw soundNotPlayed();
}

const COPIED: readonly string[] = ['-c:v', 'copy'];

const soundNotPlayed = (): RefusedFile =>
  unreadable('The sound of this video is in a format that browsers do not play: use AAC, MP3 or Opus.');

interface Written extends Pick<VideoFacts, 'width' | 'height'> {
  readonly file: string;
  readonly container: VideoContainer;
}

/**
 * Writes a frame of the video. Without ffmpeg, writes the picture that its sender's browser made, cleaned like any
 * other; without that, a drawing.
 */
async function writePoster(video: Written, thumbnail: string, { ffmpeg, folder, poster }: VideoTools): Promise<void> {
  if (ffmpeg) {
    const frame = path.join(folder, 'poster.png');
    const input = { file: video.file, demuxer: DEMUXERS[video.container] };
    const output = ['-map', '0:V:0', '-frames:v', '1', '-c:v', 'png', '-f', 'image2', frame];
    const limits = { seconds: POSTER_SECONDS_MAX, folder };
    for (const start of [['-ss', POSTER_AT_SECONDS], []]) {
      await ffmpeg.run(input, [...start, ...output], limits);
      if (await hasBytes(frame)) return writeThumbnail(frame, thumbnail);
    }
    throw unreadable('This video cannot be read: it is damaged, or not what its name says. Send an MP4, MOV or WebM.');
  }
  if (poster !== null && (await wrotePoster(poster, thumbnail))) return;
  await drawPlaceholder(video, thumbnail);
}

/** An unreadable picture is no reason to refuse the video. */
async function wrotePoster(poster: string, thumbnail: string): Promise<boolean> {
  try {
    await writeThumbnail(poster, thumbnail);
    return true;
  } catch (error) {
    if (error instanceof RefusedFile) return false;
    throw error;
  }
}

/** Draws a "video" sign on a dark background, in the shape of the video. */
async function drawPlaceholder({ width, height }: Written, thumbnail: string): Promise<void> {
  const scale = Math.min(1, THUMBNAIL_PX / Math.max(width, height));
  const [w, h] = [Math.max(16, Math.round(width * scale)), Math.max(16, Math.round(height * scale))];
  const r = Math.min(w, h) * 0.14;
  const [x, y] = [w / 2, h / 2];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}">
    <rect width="100%" height="100%" fill="#10142c"/>
    <circle cx="${x}" cy="${y}" r="${r * 1.6}" fill="#ffffff" fill-opacity="0.14"/>
    <path d="M ${x - r * 0.6} ${y - r} L ${x + r} ${y} L ${x - r * 0.6} ${y + r} Z" fill="#ffffff" fill-opacity="0.85"/>
  </svg>`;
  await sharp(Buffer.from(svg)).webp({ quality: 78 }).toFile(thumbnail);
}

const hasBytes = async (file: string): Promise<boolean> => ((await stat(file).catch(() => undefined))?.size ?? 0) > 0;
