/** The camera and microphone, by the browser's device ids; undefined for its own choice. */
export interface MediaChoice {
  cameraId?: string | undefined;
  microphoneId?: string | undefined;
}

const isNotThere = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'NotReadableError');

/**
 * Opens both, or the microphone alone where there is no camera to open.
 * @throws DOMException refused by the member, or no such device
 */
export async function openMedia({ cameraId, microphoneId }: MediaChoice): Promise<MediaStream> {
  const audio = microphoneId === undefined ? true : { deviceId: { exact: microphoneId } };
  const video = cameraId === undefined ? { facingMode: 'user' } : { deviceId: { exact: cameraId } };
  try {
    return await navigator.mediaDevices.getUserMedia({ video, audio });
  } catch (error) {
    if (!isNotThere(error)) throw error;
    return navigator.mediaDevices.getUserMedia({ audio });
  }
}

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
