/** The camera and microphone, by the browser's device ids; undefined for its own choice. */
export interface MediaChoice {
  cameraId?: string | undefined;
  microphoneId?: string | undefined;
}

/** @throws DOMException refused by the member, or no such device */
export const openMedia = ({ cameraId, microphoneId }: MediaChoice): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    video: cameraId === undefined ? true : { deviceId: { exact: cameraId } },
    audio: microphoneId === undefined ? true : { deviceId: { exact: microphoneId } },
  });

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
