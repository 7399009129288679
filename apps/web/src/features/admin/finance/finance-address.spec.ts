import { describe, expect, it } from '@jest/globals';
import { financePath, fromFieldTime, toFieldTime, viewOf } from './finance-address';

describe('places of the books in the address', () => {
  it('leaves out what is empty', () => {
    expect(financePath({ at: '', kind: 'user:earned', account: '' })).toBe('/admin?section=finance&kind=user%3Aearned');
  });

  it('shows the trial balance where no view is named', () => {
    expect(viewOf(new URLSearchParams('view=export'))).toBe('export');
    expect(viewOf(new URLSearchParams('view=else'))).toBe('books');
    expect(viewOf(new URLSearchParams())).toBe('books');
  });

  it('takes times of the field as UTC, each second to its end', () => {
    expect(fromFieldTime('2026-01-31T12:30')).toBe('2026-01-31T12:30:00.999Z');
    expect(fromFieldTime('2026-01-31T12:30:07')).toBe('2026-01-31T12:30:07.999Z');
    expect(fromFieldTime('2026-01-31T12:30:07.125')).toBe('2026-01-31T12:30:07.125Z');
    expect(fromFieldTime('')).toBe('');
    expect(toFieldTime('2026-01-31T12:30:07.999Z')).toBe('2026-01-31T12:30:07');
    expect(toFieldTime('2026-01-31')).toBe('2026-01-31T23:59:59');
    expect(toFieldTime('"><script>')).toBe('');
  });

  it('takes times that begin something from the start of their second', () => {
    expect(fromFieldTime('2026-01-31T12:30', 'start')).toBe('2026-01-31T12:30:00.000Z');
    expect(toFieldTime('2026-01-31T12:30:00.000Z', 'start')).toBe('2026-01-31T12:30:00');
    expect(toFieldTime('2026-01-31', 'start')).toBe('2026-01-31T00:00:00');
  });
});
