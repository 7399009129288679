import { expect, test } from '@jest/globals';
import { visiblePart } from './visible-part';

test('is whole batches around what is on the screen', () => {
  expect(visiblePart(0, 1)).toEqual({ offset: 0, limit: 12 });
  expect(visiblePart(20, 36)).toEqual({ offset: 12, limit: 24 });
  expect(visiblePart(20, 37)).toEqual({ offset: 12, limit: 36 });
});

test('is nothing where there are no cards', () => {
  expect(visiblePart(0, 0)).toEqual({ offset: 0, limit: 0 });
});

test('is never more than the server gives at once', () => {
  expect(visiblePart(0, 300)).toEqual({ offset: 0, limit: 96 });
});
