import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { checkMp4IsWhole, checkWebmIsWhole, CutOff, shownParts, type ShownPart } from './container.js';
import { cleanStream, DamagedStream } from './picture-stream.js';
import { SIDE_PX_MAX } from './media-limits.js';
import { RefusedFile, tooLarge, unreadable } from './refused-file.js';

const TRACKS_MAX = 16;
const SECONDS_MAX = 3_600;
/** An hour with 60 pictures, and sound in pieces of 20 ms, each second. */
const PACKETS_MAX = 250_000;
const PICTURE_PX_MAX = 8192 * 4320;
/** The rewritten file may be somewhat larger than the one that was sent. */
const GROWTH_MAX = 1.1;
/** Times in files are rounded. */
const ROUNDED_S = 0.002;
/** Nobody misses less than this at the beginning. */
const MISSED_S = 0.05;

export type VideoContainer = 'mp4' | 'webm';

/** Codecs that browsers play, by container. Few browsers play HEVC. */
const VIDEO_CODECS: Readonly<Record<VideoContainer, readonly string[]>> = {
  mp4: ['avc', 'hevc', 'av1', 'vp9'],
  webm: ['vp8', 'vp9', 'av1'],
};
const AUDIO_CODECS: Readonly<Record<VideoContainer, readonly string[]>> = {
  mp4: ['aac', 'mp3', 'opus', 'flac'],
  webm: ['opus', 'vorbis'],
};

/** The facts about a video that matter for rewriting it. */
export interface VideoFacts {
  readonly width: number;
  readonly height: number;
  readonly pictures: number;
  readonly isHevc: boolean;
  /** Whether browsers play its sound; true if it has none. */
  readonly soundPlays: boolean;
  /** Whether removing the hidden pictures at the beginning would lose pictures that are shown. */
  readonly losesPictures: boolean;
}

interface Opened {
  readonly input: Input;
  readonly container: VideoContainer;
  readonly video: InputVideoTrack;
  readonly videoCodec: string;
  readonly audio: InputAudioTrack | null;
  readonly shown: ReadonlyMap<number, ShownPart>;
}

/**
 * Reads the facts about a video without decoding it.
 * @throws RefusedFile 415 damaged, cut off, without a picture, or in a codec that browsers do not play, 413 too large,
 * too long
 */
export function inspectVideo(file: string, container: VideoContainer): Promise<VideoFacts> {
  return withVideo(file, container, async ({ video, videoCodec, audio, shown }) => {
    const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()];
    checkSize(width, height);
    const first = await firstShown(video);
    const soundCodec = audio && (await audio.getCodec());
    const edits = shown.get(video.id)?.edits ?? 0;
    return {
      width,
      height,
      pictures: (await indexOf(video)).packets,
      isHevc: videoCodec === 'hevc',
      soundPlays: audio === null || (soundCodec !== null && AUDIO_CODECS[container].includes(soundCodec)),
      losesPictures: edits > 1 || first === undefined || first.lostSeconds > MISSED_S,
    };
  });
}

/**
 * Rewrites a video packet by packet. Keeps the picture and the sound that it shows; drops metadata, parts that its edit
 * list hides, and text between the pictures of its stream. Puts the index first.
 * @throws RefusedFile 413 it would become much larger than `bytesMax`, 415 it is damaged or cut off
 */
export function rewriteVideo(
  file: string,
  target: string,
  { container, bytesMax }: { readonly container: VideoContainer; readonly bytesMax: number },
): Promise<void> {
  return withVideo(file, container, async (opened) => {
    const { video, videoCodec, audio, shown } = opened;
    const first = await firstShown(video);
    if (!first) throw unreadable('No part of this video can be shown. It may be cut within its first second.');
    const videoIndex = await indexOf(video);
    const audioIndex = audio && (await indexOf(audio));
    const writtenMax = Math.ceil(bytesMax * GROWTH_MAX);
    if (videoIndex.bytes + (audioIndex?.bytes ?? 0) > writtenMax) throw tooLarge(bytesMax);

    const format = container === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat();
    const output = new Output({ format, target: new FilePathTarget(target) });

    const config = await video.getDecoderConfig();
    if (!config) throw new DamagedStream('the configuration of the decoder is missing');
    const stream = cleanStream(videoCodec, config.description && bytesOf(config.description));
    const pictures = new EncodedVideoPacketSource(
      videoCodec as ConstructorParameters<typeof EncodedVideoPacketSource>[0],
    );
    output.addVideoTrack(pictures, {
      rotation: await video.getRotation(),
      flip: await video.getFlip(),
    });
    const soundCodec = audio && (await audio.getCodec());
    const sound = soundCodec ? new EncodedAudioPacketSource(soundCodec) : undefined;
    if (sound) output.addAudioTrack(sound);
    await output.start();

    const begin = first.packet.timestamp;
    const copyPictures = async (): Promise<void> => {
      const { description: _, ...rest } = config;
      const decoderConfig = stream.description ? { ...rest, description: stream.description } : rest;
      const copied = copy(new EncodedPacketSink(video), {
        from: first.packet,
        begin,
        end: endOf(shown.get(video.id)),
        clean: stream.clean,
        add: (packet, isFirst) => pictures.add(packet, isFirst ? { decoderConfig } : undefined),
      });
      checkCount(await copied, videoIndex.packets - first.packetsBefore);
      pictures.close();
    };
    const copySound = async (): Promise<void> => {
      if (!audio || !sound || !audioIndex) return;
      const audioConfig = await audio.getDecoderConfig();
      if (!audioConfig) throw new DamagedStream('the configuration of the sound is missing');
      const copied = copy(new EncodedPacketSink(audio), {
        from: undefined,
        begin,
        end: endOf(shown.get(audio.id)),
        clean: (data) => data,
        add: (packet, isFirst) => sound.add(packet, isFirst ? { decoderConfig: audioConfig } : undefined),
      });
      checkCount(await copied, audioIndex.packets);
      sound.close();
    };
    await Promise.all([copyPictures(), copySound()]);
    await output.finalize();
  });
}

async function withVideo<T>(file: string, container: VideoContainer, use: (opened: Opened) => Promise<T>): Promise<T> {
  const input = new Input({
    source: new FilePathSource(file),
    formats: container === 'mp4' ? [MP4, QTFF] : [WEBM, MATROSKA],
  });
  try {
    if (container === 'mp4') checkMp4IsWhole(file);
    else checkWebmIsWhole(file);
    const tracks = await input.getTracks();
    if (tracks.length > TRACKS_MAX)
      throw unreadable('This video has too many tracks. Send it with one picture and one sound track.');
    const video = await input.getPrimaryVideoTrack();
    if (!video) throw unreadable(DAMAGED);
    const videoCodec = await video.getCodec();
    if (videoCodec === null || !VIDEO_CODECS[container].includes(videoCodec)) {
      throw unreadable('The picture of this video is in a format that browsers do not play: use H.264, VP9 or AV1.');
    }
    const audio = await input.getPrimaryAudioTrack();
    const shown = container === 'mp4' ? shownParts(file) : new Map<number, ShownPart>();
    return await use({ input, container, video, videoCodec, audio, shown });
  } catch (error) {
    if (error instanceof RefusedFile || isOurs(error)) throw error;
    throw error instanceof CutOff ? cutOff(error) : unreadable(DAMAGED, error);
  } finally {
    input.dispose();
  }
}

interface Copying {
  /** The packet to begin with; undefined for the first of the track. */
  readonly from: EncodedPacket | undefined;
  /** In seconds: earlier packets are left out, and this time becomes 0. */
  readonly begin: number;
  readonly end: number;
  readonly clean: (data: Uint8Array) => Uint8Array;
  readonly add: (packet: EncodedPacket, isFirst: boolean) => Promise<void>;
}

/** Returns how many packets were read, written or left out; Infinity if the rest is hidden. */
async function copy(sink: EncodedPacketSink, { from, begin, end, clean, add }: Copying): Promise<number> {
  let read = 0;
  let isFirst = true;
  for await (const packet of sink.packets(from)) {
    read += 1;
    // Later pictures may need this hidden one, so the video ends before it.
    if (packet.timestamp >= end + ROUNDED_S) return Infinity;
    if (packet.timestamp - begin < -ROUNDED_S) continue;
    const data = clean(packet.data);
    if (data.length === 0) continue;
    await add(packet.clone({ data, timestamp: Math.max(0, packet.timestamp - begin), sideData: {} }), isFirst);
    isFirst = false;
  }
  if (isFirst) throw new DamagedStream('nothing is shown');
  return read;
}

function checkCount(read: number, expected: number): void {
  if (read < expected) throw new CutOff(`${read} of ${expected} packets are there`);
}

interface FirstShown {
  readonly packet: EncodedPacket;
  readonly packetsBefore: number;
  /** Seconds before it that are shown, but need hidden pictures. */
  readonly lostSeconds: number;
}

/** The first picture from which everything can be decoded without the hidden pictures before it. */
async function firstShown(video: InputVideoTrack): Promise<FirstShown | undefined> {
  const sink = new EncodedPacketSink(video);
  let before = 0;
  let firstShownAt = Infinity;
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
    const isShown = packet.timestamp >= -ROUNDED_S;
    if (isShown) firstShownAt = Math.min(firstShownAt, packet.timestamp);
    if (isShown && packet.type === 'key') {
      const whole = await sink.getKeyPacket(packet.timestamp, { verifyKeyPackets: true });
      if (whole && whole.timestamp >= -ROUNDED_S && whole.sequenceNumber === packet.sequenceNumber) {
        return {
          packet: whole,
          packetsBefore: before,
          lostSeconds: packet.timestamp - Math.min(firstShownAt, packet.timestamp),
        };
      }
    }
    before += 1;
  }
  return undefined;
}

interface Index {
  readonly packets: number;
  readonly bytes: number;
}

/** The index of a track, before any of the track is read. @throws RefusedFile 413 more than an hour of it */
async function indexOf(track: InputVideoTrack | InputAudioTrack): Promise<Index> {
  let packets = 0;
  let bytes = 0;
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
    packets += 1;
    bytes += packet.byteLength;
    if (packets > PACKETS_MAX || packet.timestamp > SECONDS_MAX) {
      throw new RefusedFile(413, 'VIDEO_TOO_LONG', 'This video is too long. It may last at most an hour.');
    }
  }
  return { packets, bytes };
}

function checkSize(width: number, height: number): void {
  if (width > 0 && height > 0 && Math.max(width, height) <= SIDE_PX_MAX && width * height <= PICTURE_PX_MAX) return;
  const size = `${width.toLocaleString('en-US')} × ${height.toLocaleString('en-US')}`;
  throw new RefusedFile(413, 'VIDEO_TOO_LARGE', `This video has ${size} pixels. At most 8,192 × 4,320 are allowed.`);
}

const endOf = (part: ShownPart | undefined): number => part?.seconds ?? Infinity;

const bytesOf = (source: ArrayBufferLike | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);

/** A full disk is not the file's fault. */
const isOurs = (error: unknown): boolean =>
  error instanceof Error && /ENOSPC|EACCES|EMFILE|EROFS|EDQUOT/.test(error.message);

const DAMAGED = 'This video cannot be read: it is damaged, or not what its name says. Send an MP4, MOV or WebM.';

const cutOff = (cause: unknown): RefusedFile =>
  unreadable('The end of this video is missing. Send the whole file.', cause);
