const SIDE_PX_MAX = 1280;
const JPEG_QUALITY = 0.85;
/** The first frame of many clips is black. */
const AT_SECONDS = 0.8;
/** A browser that does not know the format may never say so. */
const WAIT_MS_MAX = 10_000;

/**
 * Sends a picture of a video, which a server without ffmpeg shows in its place. Without one the server draws something: no
 * failure here is worth the member's upload.
 */
export async function sendPoster(file: File, url: string, signal: AbortSignal): Promise<void> {
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
