import type { Mood } from '@app/domain';
import type { BackdropKind } from './backdrop.js';

export type SkinTone = 'porcelain' | 'fair' | 'warm' | 'olive' | 'tan' | 'bronze' | 'brown' | 'deep';
export type HairStyle =
  | 'afro'
  | 'bald'
  | 'bob'
  | 'braids'
  | 'bun'
  | 'crop'
  | 'curls'
  | 'fringe'
  | 'hijab'
  | 'locs'
  | 'long'
  | 'pixie'
  | 'quiff'
  | 'shaggy'
  | 'side-part'
  | 'waves';
export type ClothesStyle = 'blazer' | 'crew' | 'hoodie' | 'overalls' | 'shirt' | 'turtleneck' | 'v-neck' | 'wrap';

/** How somebody looks: everything that the drawing of a face needs to know. */
export interface Look {
  readonly skin: SkinTone;
  readonly face: 'long' | 'oval' | 'round' | 'square';
  readonly hair: { readonly style: HairStyle; readonly color: string };
  readonly eyes: string;
  readonly mouth: 'grin' | 'smile' | 'soft';
  readonly clothes: { readonly style: ClothesStyle; readonly color: string; readonly accent: string };
  readonly beard?: 'full' | 'moustache' | 'short' | 'stubble';
  readonly glasses?: 'round' | 'square';
  readonly earrings?: 'hoops' | 'studs';
  readonly freckles?: true;
  /** Fine lines. */
  readonly aged?: true;
  readonly lashes?: true;
  readonly backdrop: BackdropKind;
}

/** Somebody to be drawn: the seed decides what the look leaves open, above all the sky. */
export interface Sitter {
  readonly seed: string;
  readonly mood: Mood;
  readonly look: Look;
}

export interface SkinColors {
  readonly base: string;
  readonly shade: string;
  readonly light: string;
  readonly blush: string;
  readonly lips: string;
}

export const SKIN: Readonly<Record<SkinTone, SkinColors>> = {
  porcelain: { base: '#f7d9c8', shade: '#dba893', light: '#fff0e6', blush: '#f08a7e', lips: '#c9626a' },
  fair: { base: '#f2c9ad', shade: '#d29a7c', light: '#fee4d0', blush: '#ec7f6a', lips: '#c05a58' },
  warm: { base: '#e9b891', shade: '#c38a64', light: '#f9d6b4', blush: '#e2735a', lips: '#b5524c' },
  olive: { base: '#d9a679', shade: '#ae7a52', light: '#eec79c', blush: '#cf6a4f', lips: '#a54d46' },
  tan: { base: '#c68d5f', shade: '#99653f', light: '#dfae80', blush: '#c05f45', lips: '#97433f' },
  bronze: { base: '#a8713f', shade: '#7c4f2b', light: '#c5905a', blush: '#b04f38', lips: '#8a3c38' },
  brown: { base: '#835130', shade: '#5d3620', light: '#a36d47', blush: '#9c4430', lips: '#79332f' },
  deep: { base: '#5f3a26', shade: '#41251a', light: '#805439', blush: '#84392c', lips: '#6b2c2c' },
};
