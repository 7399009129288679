/** At most this many videos play at once (rule discovery-5). */
export const PLAYING_MAX = 3;

/** What the stage needs of a `<video>`. Browsers that require a press first refuse `play`. */
export interface StageVideo {
  muted: boolean;
  play: () => Promise<void>;
  pause: () => void;
}

export interface VideoState {
  isPlaying: boolean;
  isMuted: boolean;
}

interface Entry {
  video: StageVideo;
  inView: boolean;
  wanted: boolean;
  /**
   * The number of the last press of play or pause on this video, where the newest press has the highest; 0 for none.
   */
  turn: number;
  state: VideoState;
}

const AT_REST: VideoState = { isPlaying: false, isMuted: true };

/**
 * Decides which videos of the grid play (rule discovery-5): at most three at once, only those in view, and at most one
 * with sound. While three play, a new one replaces the one that was asked to play longest ago.
 */
export class VideoStage {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #turns = 0;

  /** Adds a video, muted. @returns the function that removes it. */
  enter(id: string, video: StageVideo): () => void {
    video.muted = true;
    const entry: Entry = { video, inView: false, wanted: false, turn: 0, state: AT_REST };
    this.#entries.set(id, entry);
    return () => {
      if (this.#entries.get(id) !== entry) return;
      video.pause();
      this.#entries.delete(id);
      this.#settle();
    };
  }

  setInView(id: string, inView: boolean): void {
    this.#change(id, (entry) => {
      entry.inView = inView;
    });
  }

  /** Sets whether the video plays automatically, unless a member has pressed play or pause. */
  setAutoplay(id: string, autoplay: boolean): void {
    this.#change(id, (entry) => {
      if (entry.turn === 0) entry.wanted = autoplay;
    });
  }

  play(id: string): void {
    this.#press(id, true);
  }

  pause(id: string): void {
    this.#press(id, false);
  }

  /** Turning on the sound of one video mutes the others. */
  setMuted(id: string, isMuted: boolean): void {
    for (const [other, entry] of this.#entries) {
      if (other !== id && isMuted) continue;
      entry.video.muted = other === id ? isMuted : true;
      entry.state = { ...entry.state, isMuted: entry.video.muted };
    }
    this.#tell();
  }

  stateOf(id: string): VideoState {
    return this.#entries.get(id)?.state ?? AT_REST;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #press(id: string, wanted: boolean): void {
    this.#change(id, (entry) => {
      this.#turns += 1;
      entry.turn = this.#turns;
      entry.wanted = wanted;
    });
  }

  #change(id: string, change: (entry: Entry) => void): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    change(entry);
    this.#settle();
  }

  /** Brings every video into its right state, first those that must stop. */
  #settle(): void {
    const due = [...this.#entries.values()]
      .filter(({ inView, wanted }) => inView && wanted)
      .toSorted((one, other) => other.turn - one.turn)
      .slice(0, PLAYING_MAX);
    for (const entry of this.#entries.values()) if (!due.includes(entry)) this.#stop(entry);
    for (const entry of due) this.#start(entry);
    this.#tell();
  }

  #stop(entry: Entry): void {
    if (!entry.state.isPlaying) return;
    entry.video.pause();
    entry.state = { ...entry.state, isPlaying: false };
  }

  #start(entry: Entry): void {
    if (entry.state.isPlaying) return;
    entry.state = { ...entry.state, isPlaying: true };
    entry.video.play().catch((reason: unknown) => {
      // The video was paused before it began; the browser refused nothing.
      if (reason instanceof DOMException && reason.name === 'AbortError') return;
      entry.wanted = false;
      this.#settle();
    });
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
