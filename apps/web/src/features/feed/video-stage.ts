/** A video of the feed, as the stage sees it. */
export interface Player {
  play: () => void;
  pause: () => void;
}

/** A video plays only if at least this share of it is visible. */
const PLAYS_FROM_SHARE = 0.5;

/** Lets one video play at a time: the most visible one, if at least half of it is visible. */
export class VideoStage {
  private readonly shares = new Map<Player, number>();
  private playing: Player | null = null;

  /** @param share of the video that is visible, 0 to 1 */
  seen(player: Player, share: number): void {
    this.shares.set(player, share);
    this.choose();
  }

  /** The video is gone, or its viewer stopped it. */
  removed(player: Player): void {
    this.shares.delete(player);
    this.choose();
  }

  private choose(): void {
    let best: Player | null = null;
    // Between equals, the one that is playing continues.
    let bestShare = this.playing === null ? 0 : (this.shares.get(this.playing) ?? 0);
    if (bestShare >= PLAYS_FROM_SHARE) best = this.playing;
    for (const [player, share] of this.shares) {
      if (share < PLAYS_FROM_SHARE || share <= bestShare) continue;
      best = player;
      bestShare = share;
    }
    if (best === this.playing) return;
    this.playing?.pause();
    this.playing = best;
    best?.play();
  }
}
