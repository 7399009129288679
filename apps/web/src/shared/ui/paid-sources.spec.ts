import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { api } from '@/shared/api/api';
import type { PaidPress } from '@/shared/api/paid-press';

const SOURCES = join(__dirname, '../..');

/** Where a press that pays is told from one that does not. */
const MAKERS = ['features/feed/reading.ts', 'shared/ui/paid-press.ts'];

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.spec\.|^testing/.test(name))
  .map((name) => ({ name, text: readFileSync(join(SOURCES, name), 'utf8') }));

/** The compiler asks for a `PaidPress` with every call that takes Nova, so nothing else may make one (rule screens-20). */
test('only the paid button, and the reading of posts, make a press that pays', () => {
  const makers = files.filter(({ text }) => /as (unknown as )?PaidPress\b|<PaidPress>\{/.test(text));
  expect(makers.map(({ name }) => name).toSorted()).toEqual(MAKERS);
});

test('a call that takes Nova does not compile without one', () => {
  const calls = (press: PaidPress) => [
    api.post('/api/profile/navigate', { body: { profileId: '', novaCost: 50 }, press }),
    // @ts-expect-error There is no press.
    api.post('/api/profile/navigate', { body: { profileId: '', novaCost: 50 } }),
    // @ts-expect-error One of the two calls takes Nova.
    api.post(`/api/oauth/application/{clientId}/wallet/${'fund' as 'fund' | 'withdraw'}`, {
      path: { clientId: '' },
      body: { amount: 1 },
    }),
  ];
  expect(calls).toBeInstanceOf(Function);
});
