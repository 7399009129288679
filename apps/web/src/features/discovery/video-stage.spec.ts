import { expect, test } from '@jest/globals';
import { PLAYING_MAX, VideoStage, type StageVideo } from './video-stage';

class FakeVideo implements StageVideo {
  muted = false;
  isRunning = false;
  refusal: Error | null = null;
  play(): Promise<void> {
    if (this.refusal !== null) return Promise.reject(this.refusal);
    this.isRunning = true;
    return Promise.resolve();
  }
  pause(): void {
    this.isRunning = false;
  }
}

function stageWith(names: readonly string[], autoplay = false) {
  const stage = new VideoStage();
  const videos = new Map(names.map((name) => [name, new FakeVideo()]));
  const leave = new Map<string, () => void>();
  for (const [name, video] of videos) {
    leave.set(name, stage.enter(name, video));
    stage.setAutoplay(name, autoplay);
    stage.setInView(name, true);
  }
  const running = () => names.filter((name) => videos.get(name)?.isRunning);
  const sounding = () => names.filter((name) => videos.get(name)?.muted === false);
  return { stage, videos, leave, running, sounding };
}

test('what plays by itself is muted, and no more than three do', () => {
  const { running, sounding } = stageWith(['a', 'b', 'c', 'd'], true);
  expect(running()).toEqual(['a', 'b', 'c']);
  expect(sounding()).toEqual([]);
  expect(PLAYING_MAX).toBe(3);
});

test('a fourth takes the place of the one asked longest ago', () => {
  const { stage, running } = stageWith(['a', 'b', 'c', 'd']);
  for (const name of ['b', 'a', 'c']) stage.play(name);
  expect(running()).toEqual(['a', 'b', 'c']);
  stage.play('d');
  expect(running()).toEqual(['a', 'c', 'd']);
  expect(stage.stateOf('b').isPlaying).toBe(false);
});

test('out of view it pauses, and goes on when it is back', () => {
  const { stage, running } = stageWith(['a', 'b'], true);
  stage.setInView('a', false);
  expect(running()).toEqual(['b']);
  stage.setInView('a', true);
  expect(running()).toEqual(['a', 'b']);
  stage.pause('a');
  stage.setInView('a', false);
  stage.setInView('a', true);
  expect(running()).toEqual(['b']);
});

test('what a member has paused does not begin by itself again', () => {
  const { stage, running } = stageWith(['a', 'b']);
  stage.setAutoplay('a', true);
  stage.setAutoplay('b', true);
  stage.pause('a');
  stage.setAutoplay('a', true);
  expect(running()).toEqual(['b']);
  stage.setAutoplay('b', false);
  expect(running()).toEqual([]);
});

test('one that leaves makes room for one that waits', () => {
  const { leave, running } = stageWith(['a', 'b', 'c', 'd'], true);
  leave.get('a')?.();
  expect(running()).toEqual(['b', 'c', 'd']);
});

test('sound for one mutes the others', () => {
  const { stage, sounding } = stageWith(['a', 'b', 'c'], true);
  stage.setMuted('a', false);
  expect(sounding()).toEqual(['a']);
  stage.setMuted('c', false);
  expect(sounding()).toEqual(['c']);
  expect(stage.stateOf('a').isMuted).toBe(true);
  stage.setMuted('c', true);
  expect(sounding()).toEqual([]);
});

test('a browser that refuses to play leaves it at rest, ready for a press', async () => {
  const { stage, videos, running } = stageWith(['a']);
  const [video] = videos.values();
  if (video === undefined) throw new Error('no video');
  video.refusal = new Error('NotAllowedError');
  stage.play('a');
  await Promise.resolve();
  await Promise.resolve();
  expect(stage.stateOf('a').isPlaying).toBe(false);
  video.refusal = null;
  stage.play('a');
  expect(running()).toEqual(['a']);
});

test('tells its listeners, and answers with the same state until it changes', () => {
  const { stage } = stageWith(['a']);
  let told = 0;
  const stop = stage.subscribe(() => (told += 1));
  const before = stage.stateOf('a');
  stage.pause('a');
  expect(stage.stateOf('a')).toBe(before);
  stage.play('a');
  expect(stage.stateOf('a')).not.toBe(before);
  expect(told).toBe(2);
  stop();
  stage.pause('a');
  expect(told).toBe(2);
});
