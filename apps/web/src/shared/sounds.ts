import { storeValue, useStoredValue } from './hooks/use-stored-value';

const SOUNDS_KEY = 'nova.sounds';
const OFF = 'off';

/** Whether messages and calls are heard on this device; on at first. */
export function useSounds(): [isOn: boolean, change: (isOn: boolean) => void] {
  const [stored] = useStoredValue(SOUNDS_KEY);
  return [stored !== OFF, (isOn) => storeValue(SOUNDS_KEY, isOn ? 'on' : OFF)];
}

interface Note {
  readonly hertz: number;
  readonly atS: number;
  readonly lastsS: number;
}

const SOUNDS = {
  message: [
    { hertz: 880, atS: 0, lastsS: 0.12 },
    { hertz: 1_175, atS: 0.09, lastsS: 0.18 },
  ],
  ring: [
    { hertz: 660, atS: 0, lastsS: 0.35 },
    { hertz: 880, atS: 0.25, lastsS: 0.35 },
    { hertz: 660, atS: 0.7, lastsS: 0.35 },
    { hertz: 880, atS: 0.95, lastsS: 0.45 },
  ],
} as const satisfies Record<string, readonly Note[]>;

const VOLUME = 0.08;
let context: AudioContext | undefined;

/** Plays a short sound, where the browser lets a page be heard: it does once the member has pressed something there. */
export function playSound(name: keyof typeof SOUNDS): void {
  if (typeof AudioContext === 'undefined' || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  void context.resume();
  for (const note of SOUNDS[name]) playNote(context, note);
}

function playNote(audio: AudioContext, { hertz, atS, lastsS }: Note): void {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const begins = audio.currentTime + atS;
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0, begins);
  volume.gain.linearRampToValueAtTime(VOLUME, begins + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, begins + lastsS);
  tone.connect(volume).connect(audio.destination);
  tone.start(begins);
  tone.stop(begins + lastsS);
}
