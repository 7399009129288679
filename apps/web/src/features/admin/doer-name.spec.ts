import { expect, it } from '@jest/globals';
import { doerName } from './doer-name';

it('tells admins, the daily job and the command line apart', () => {
  expect(doerName({ actor: 'admin', by: 'Root' })).toBe('Root');
  expect(doerName({ actor: 'process', by: null })).toBe('the daily job');
  expect(doerName({ actor: 'terminal', by: null })).toBe('the command line');
});
