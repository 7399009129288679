import { expect, test } from '@jest/globals';
import { mediaSentence } from './media';
import { readSignal } from './peer-call';

test.each([
  ['NotAllowedError', 'Your browser does not let Nova use your camera'],
  ['NotFoundError', 'No camera or microphone was found.'],
  ['NotReadableError', 'Another program is using'],
  ['AbortError', 'could not be opened'],
])('%s is said in a sentence', (name, part) => {
  expect(mediaSentence(new DOMException('', name))).toContain(part);
});

test('only what looks like a signal is one', () => {
  expect(readSignal({ description: { type: 'offer' } })).toEqual({ description: { type: 'offer' } });
  expect(readSignal({ candidate: { candidate: '' }, more: 1 })).toEqual({ candidate: { candidate: '' } });
  expect(readSignal({ restart: true, more: 1 })).toEqual({ restart: true });
  for (const other of [null, 'offer', 5, {}, { description: 'offer' }, { restart: 1 }])
    expect(readSignal(other)).toBeUndefined();
});
