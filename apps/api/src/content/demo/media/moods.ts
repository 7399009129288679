import type { Mood } from '@app/domain';

/** What a mood (S0 §3) is painted in: the sky from top to horizon, light, and what glows in it. */
export interface MoodColors {
  readonly skyTop: string;
  readonly skyMiddle: string;
  readonly skyLow: string;
  /** Sun, moon, edges of things. */
  readonly light: string;
  readonly glow: string;
  /** Hills and houses, far and near. */
  readonly far: string;
  readonly near: string;
}

export const MOOD_COLORS: Readonly<Record<Mood, MoodColors>> = {
  red: {
    skyTop: '#1d0f2b',
    skyMiddle: '#6b1f45',
    skyLow: '#e2604f',
    light: '#ffd9b8',
    glow: '#ff7a5c',
    far: '#5a1c40',
    near: '#2a0f2a',
  },
  orange: {
    skyTop: '#22163a',
    skyMiddle: '#8a3b4d',
    skyLow: '#f49a52',
    light: '#ffe7bd',
    glow: '#ffab5e',
    far: '#6d3148',
    near: '#33172e',
  },
  yellow: {
    skyTop: '#1f2447',
    skyMiddle: '#8d6a6a',
    skyLow: '#f6cf73',
    light: '#fff5cf',
    glow: '#ffdf80',
    far: '#6b5260',
    near: '#322a3f',
  },
  green: {
    skyTop: '#08182a',
    skyMiddle: '#12505a',
    skyLow: '#7fcf9a',
    light: '#e4ffe0',
    glow: '#79f0b0',
    far: '#15484c',
    near: '#0a2630',
  },
  blue: {
    skyTop: '#0a1030',
    skyMiddle: '#1f3f86',
    skyLow: '#7fb4ea',
    light: '#e8f3ff',
    glow: '#7cc0ff',
    far: '#213a75',
    near: '#0e1a40',
  },
  indigo: {
    skyTop: '#0b0a28',
    skyMiddle: '#2d2a78',
    skyLow: '#8c83e0',
    light: '#eeeaff',
    glow: '#9d8cff',
    far: '#2b2867',
    near: '#141138',
  },
  violet: {
    skyTop: '#160b2c',
    skyMiddle: '#59297f',
    skyLow: '#df8fd0',
    light: '#ffe6fb',
    glow: '#e58bff',
    far: '#4c2470',
    near: '#220f3a',
  },
  neutral: {
    skyTop: '#15171f',
    skyMiddle: '#414857',
    skyLow: '#b9bfc9',
    light: '#f6f4ee',
    glow: '#dfe3ea',
    far: '#3a414f',
    near: '#1b1f29',
  },
};
