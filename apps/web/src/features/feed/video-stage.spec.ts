import { describe, expect, it } from '@jest/globals';
import { VideoStage, type Player } from './video-stage';

function player(): Player & { isPlaying: boolean } {
  return {
    isPlaying: false,
    play() {
      this.isPlaying = true;
    },
    pause() {
      this.isPlaying = false;
    },
  };
}

describe('videos of the feed', () => {
  it('play in view only: from half of them on', () => {
    const [stage, video] = [new VideoStage(), player()];
    stage.seen(video, 0.49);
    expect(video.isPlaying).toBe(false);
    stage.seen(video, 0.5);
    expect(video.isPlaying).toBe(true);
    stage.seen(video, 0.4);
    expect(video.isPlaying).toBe(false);
  });

  it('never play two at a time: the one that is seen most does', () => {
    const [stage, first, second] = [new VideoStage(), player(), player()];
    stage.seen(first, 1);
    stage.seen(second, 0.6);
    expect([first.isPlaying, second.isPlaying]).toEqual([true, false]);
    stage.seen(first, 0.55);
    expect([first.isPlaying, second.isPlaying]).toEqual([false, true]);
  });

  it('go on playing beside one that is seen as much', () => {
    const [stage, first, second] = [new VideoStage(), player(), player()];
    stage.seen(second, 0.3);
    stage.seen(first, 1);
    stage.seen(second, 1);
    expect([first.isPlaying, second.isPlaying]).toEqual([true, false]);
  });

  it('give way to the next one when one is stopped or gone', () => {
    const [stage, first, second] = [new VideoStage(), player(), player()];
    stage.seen(first, 1);
    stage.seen(second, 0.8);
    stage.removed(first);
    expect([first.isPlaying, second.isPlaying]).toEqual([false, true]);
    stage.removed(second);
    expect(second.isPlaying).toBe(false);
  });
});
