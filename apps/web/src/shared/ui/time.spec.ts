import { expect, it } from '@jest/globals';
import { formatRelative } from './time';

const atMs = Date.parse('2026-11-21T12:00:00Z');

it.each([
  ['2026-11-21T11:59:30Z', 'just now'],
  ['2026-11-21T11:55:00Z', '5 min. ago'],
  ['2026-11-21T09:00:00Z', '3 hr. ago'],
  ['2026-11-20T11:00:00Z', 'yesterday'],
  ['2026-11-15T11:00:00Z', '6 days ago'],
  // Dates are in the viewer's zone; a time without a zone is the viewer's time.
  ['2026-10-01T11:00:00', 'Oct 1, 2026'],
])('%s reads %s', (iso, text) => {
  expect(formatRelative(iso, atMs)).toBe(text);
});
