import { existsSync } from 'node:fs';
import path from 'node:path';
import { DEMO_PEOPLE } from './demo-people.js';
import { DEMO_POSTS } from './demo-posts.js';

const isThere = (file: string): boolean => existsSync(path.join(import.meta.dirname, 'files', file));

describe('the prepared files of the demo', () => {
  const shown = [
    ...DEMO_PEOPLE.flatMap(({ email, card }) => {
      const name = email.split('@', 1)[0] ?? '';
      return [{ name: `picture-${name}`, kind: 'picture' } as const, { name: `card-${name}`, kind: card.kind }];
    }),
    ...DEMO_POSTS.map(({ kind }, number) => ({ name: `post-${number}`, kind })),
  ];

  it.each(shown)('have $name, a $kind', ({ name, kind }) => {
    expect([isThere(`${name}.webp`), isThere(`${name}.mp4`)]).toEqual([true, kind === 'clip']);
  });
});
