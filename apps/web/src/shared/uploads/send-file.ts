import Uppy from '@uppy/core';
import { fetcher } from '@uppy/core/utils';
import { api, type Schemas } from '../api';
import { faultOf, faultSentence, mayPass, RETRY_DELAYS_MS } from './upload-retries';
import { kindOfFile, kindsOf, type UploadRules } from './upload-rules';

const SIDE_PX_MAX = 1280;
const JPEG_QUALITY = 0.85;
/** The first frame of many clips is black. */
const AT_SECONDS = 0.8;
/** A browser that does not know the format may never report it. */
const WAIT_MS_MAX = 10_000;

/**
 * Sends a still of a video, which a server without ffmpeg shows in its place. Without one the server draws a picture,
 * so no failure here may cost the member their upload.
 */
async function sendPoster(file: File, url: string, signal: AbortSignal): Promise<void> {
  try {
    const poster = await drawPoster(file, AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS_MAX)]));
    await fetch(url, { method: 'PUT', body: poster, headers: { 'content-type': poster.type }, signal });
  } catch (error) {
    signal.throwIfAborted();
    console.warn('The picture of the video could not be made or sent.', error);
  }
}

async function drawPoster(file: File, signal: AbortSignal): Promise<Blob> {
  const video = document.createElement('video');
  const source = URL.createObjectURL(file);
  try {
    video.muted = true;
    video.playsInline = true;
    video.preload = 'auto';
    video.src = source;
    await happens(video, 'loadeddata', signal);
    video.currentTime = Number.isFinite(video.duration) ? Math.min(AT_SECONDS, video.duration / 2) : 0;
    await happens(video, 'seeked', signal);
    return await drawFrame(video);
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(source);
  }
}

function happens(video: HTMLVideoElement, event: 'loadeddata' | 'seeked', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new Error('The browser cannot play this video.')), { once: true });
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')), { once: true });
  });
}

function drawFrame(video: HTMLVideoElement): Promise<Blob> {
  const { videoWidth, videoHeight } = video;
  const scale = Math.min(1, SIDE_PX_MAX / Math.max(videoWidth, videoHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  const context = canvas.getContext('2d');
  if (context === null || canvas.width === 0) throw new Error('The video has no picture.');
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser could not make a JPEG.')) : resolve(blob)),
      'image/jpeg',
      JPEG_QUALITY,
    );
  });
}

// Loaded only when somebody uploads, because Uppy does not belong in the first load.

export interface SendOptions {
  readonly rules: UploadRules;
  readonly signal: AbortSignal;
  /** 0 to 100. */
  readonly onProgress: (percent: number) => void;
  /** Called with true when the device loses the network, and with false when it is back. */
  readonly onOffline: (isOffline: boolean) => void;
}

/** A file that may not be sent, or was not sent; the message is the sentence to show. */
export class UploadFailed extends Error {
  override readonly name = 'UploadFailed';
}

/** The reason in Uppy's words not to send these files (rule uploads-6); null if there is none. */
export function objectionTo(files: readonly File[], rules: UploadRules): string | null {
  const uppy = makeUppy(rules);
  try {
    for (const data of files) uppy.addFile({ name: data.name, type: data.type, data, source: 'local' });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    uppy.destroy();
  }
}

/**
 * Sends a file with one signed PUT and returns what registers it. Waits while the device is offline; retries temporary
 * failures, each time with a new address.
 *
 * @throws UploadFailed
 */
export async function sendFile(file: File, options: SendOptions): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    await untilOnline(options);
    try {
      const { uploadURL, mediaUrl, posterURL } = await askForTicket(file, options.rules);
      await put(file, onThisServer(uploadURL), options);
      if (posterURL !== null && kindOfFile(file) === 'video') {
        await sendPoster(file, onThisServer(posterURL), options.signal);
      }
      return mediaUrl;
    } catch (error) {
      options.signal.throwIfAborted();
      const fault = faultOf(error);
      const delayMs = RETRY_DELAYS_MS[attempt];
      if (fault === undefined || !mayPass(fault) || delayMs === undefined) {
        throw new UploadFailed(faultSentence(fault, file.name), { cause: error });
      }
      await wait(delayMs, options.signal);
    }
  }
}

/** Sends the file once: each retry needs a new address. */
async function put(file: File, url: string, { signal, onProgress }: SendOptions): Promise<void> {
  const answer = await fetcher(url, {
    method: 'PUT',
    body: file,
    headers: { 'content-type': file.type === '' ? 'application/octet-stream' : file.type },
    retries: 0,
    signal,
    onUploadProgress: ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress((loaded / total) * 100);
    },
  });
  const isElsewhere = !url.startsWith(`${window.location.origin}/`);
  if (isElsewhere && !/^etag:/im.test(answer.getAllResponseHeaders())) {
    console.warn(
      'The ETag header of the answer to an upload could not be read: the rule of the store for cross-origin requests (CORS) does not expose it.',
    );
  }
}

const makeUppy = (rules: UploadRules): Uppy =>
  new Uppy({
    restrictions: {
      maxFileSize: rules.maxBytes,
      minFileSize: 1,
      maxNumberOfFiles: 1,
      allowedFileTypes: [...rules.accept],
    },
    // Uppy would list the types as "image/*".
    locale: {
      strings: {
        youCanOnlyUploadFileTypes: `You can only upload: ${kindsOf(rules)
          .map((kind) => `${kind}s`)
          .join(', ')}`,
      },
      pluralize: (count: number) => (count === 1 ? 0 : 1),
    },
    // Errors are shown where they happen.
    logger: { debug: () => undefined, warn: () => undefined, error: () => undefined },
  });

function askForTicket(file: File, { ticketUrl }: UploadRules): Promise<Schemas['UploadTicketDto']> {
  const asked = { size: file.size, ...(file.type === '' ? {} : { contentType: file.type }) };
  if (ticketUrl === '/api/admin/content/upload-url') return api.get(ticketUrl, { query: asked });
  return api.post(ticketUrl, { body: asked });
}

/** Local storage is this server, whatever name the page was opened under; a storage service has its own address. */
function onThisServer(uploadURL: string): string {
  const url = new URL(uploadURL, window.location.origin);
  return url.pathname.startsWith('/objects/') ? `${window.location.origin}${url.pathname}${url.search}` : url.href;
}

async function untilOnline({ signal, onOffline }: SendOptions): Promise<void> {
  if (navigator.onLine) return;
  onOffline(true);
  await new Promise<void>((resolve, reject) => {
    window.addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')), { once: true });
  });
  onOffline(false);
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('Aborted', 'AbortError'));
    });
  });
}
