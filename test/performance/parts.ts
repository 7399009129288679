import type { Figure } from './report.js';

/** What `npm run bench` measures, in this order. */
export const PARTS = [
  'memory',
  'stores',
  'gifts',
  'projections',
  'start',
  'scale',
  'http',
  'servers',
  'tokens',
  'chats',
  'discovery',
  'admin',
  'books',
  'scroll',
] as const;

export type Part = (typeof PARTS)[number];

export const isPart = (name: string): name is Part => PARTS.some((part) => part === name);

/** What the process of a part says when it is through. */
export interface Measured {
  readonly figures: readonly Figure[];
  /** Postgres' setting. */
  readonly fsync: string;
}
