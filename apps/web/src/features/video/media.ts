export type MediaKind = 'audio' | 'video';

const isNotThere = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'NotReadableError');

/**
 * Opens the browser's choice of both, or the microphone alone where there is no camera to open.
 * @throws DOMException refused by the member, or no such device
 */
export async function openMedia(): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user' }, audio: true });
  } catch (error) {
    if (!isNotThere(error)) throw error;
    return navigator.mediaDevices.getUserMedia({ audio: true });
  }
}

/** @throws DOMException refused by the member, no such device, or another program has it */
const openDevice = (kind: MediaKind, deviceId: string | undefined): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ [kind]: { deviceId: { exact: deviceId } } });

/**
 * A stream with another camera or microphone; the other kind of track goes on as it is. Where the device cannot be
 * opened, the one before goes on, and `problem` says why.
 */
export async function withDevice(
  stream: MediaStream,
  kind: MediaKind,
  deviceId: string,
): Promise<{ stream: MediaStream; problem: string | null }> {
  const [before] = liveTracks(stream, kind);
  const earlierId = before?.getSettings().deviceId;
  // A phone opens one camera at a time.
  if (kind === 'video') before?.stop();
  let problem: string | null = null;
  const opened = await openDevice(kind, deviceId).catch((error: unknown) => {
    problem = mediaSentence(error);
    if (before === undefined) return new MediaStream();
    return before.readyState === 'live'
      ? new MediaStream([before])
      : openDevice(kind, earlierId).catch(() => new MediaStream());
  });
  const others = stream.getTracks().filter((track) => track.kind !== kind);
  if (before !== undefined && !opened.getTracks().includes(before)) before.stop();
  return { stream: new MediaStream([...others, ...opened.getTracks()]), problem };
}

/** Without those that have ended, as those of a device that was unplugged. */
export const liveTracks = (stream: MediaStream | null, kind: MediaKind): MediaStreamTrack[] =>
  stream?.getTracks().filter((track) => track.kind === kind && track.readyState === 'live') ?? [];

export function stopMedia(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Why there is no picture, in a sentence that says what to do. */
export function mediaSentence(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'Your browser does not let Nova use your camera and microphone. Allow both in the address bar, then try again.';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'No camera or microphone was found. Connect one, then try again.';
    case 'NotReadableError':
      return 'Another program is using your camera or microphone. Close it, then try again.';
    default:
      return 'Your camera and microphone could not be opened. Try again.';
  }
}
