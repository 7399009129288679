import { useCallback, useEffect, useRef, useState } from 'react';
import { mediaSentence, openMedia, stopMedia, type MediaChoice } from './media';

export interface LocalMedia {
  stream: MediaStream | null;
  /** The stream as it is now, for what happens between two renderings. */
  current: () => MediaStream | null;
  /** Why it could not be opened. */
  problem: string | null;
  isMuted: boolean;
  isCameraOff: boolean;
  /** Null where it could not be opened, or was closed or opened anew meanwhile. */
  open: (choice: MediaChoice) => Promise<MediaStream | null>;
  close: () => void;
  toggleMuted: () => void;
  toggleCamera: () => void;
}

/** My own camera and microphone; both are let go when the page is left. */
export function useLocalMedia(): LocalMedia {
  const held = useRef<MediaStream | null>(null);
  /** Counts each opening and closing: what opens under an earlier number comes too late. */
  const latest = useRef(0);
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isMuted, setMuted] = useState(false);
  const [isCameraOff, setCameraOff] = useState(false);
  const close = useCallback(() => {
    latest.current += 1;
    stopMedia(held.current);
    held.current = null;
    setStream(null);
  }, []);
  useEffect(() => close, [close]);
  const turn = (tracks: MediaStreamTrack[] | undefined, isOn: boolean) => {
    for (const track of tracks ?? []) track.enabled = isOn;
  };
  return {
    stream,
    current: () => held.current,
    problem,
    isMuted,
    isCameraOff,
    close,
    async open(choice) {
      const opening = (latest.current += 1);
      try {
        const opened = await openMedia(choice);
        if (opening !== latest.current) {
          stopMedia(opened);
          return null;
        }
        stopMedia(held.current);
        turn(opened.getAudioTracks(), !isMuted);
        turn(opened.getVideoTracks(), !isCameraOff);
        held.current = opened;
        setStream(opened);
        setProblem(null);
        return opened;
      } catch (error) {
        if (opening === latest.current) setProblem(mediaSentence(error));
        return null;
      }
    },
    toggleMuted() {
      turn(held.current?.getAudioTracks(), isMuted);
      setMuted(!isMuted);
    },
    toggleCamera() {
      turn(held.current?.getVideoTracks(), isCameraOff);
      setCameraOff(!isCameraOff);
    },
  };
}
