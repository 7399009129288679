import { Postings } from './postings.js';

test('an account has one entry, in the order in which accounts first moved', () => {
  const postings = new Postings()
    .add('treasury', 0n)
    .add('external:stripe', -5n)
    .add('treasury', 3n)
    .add('external:stripe', -1n)
    .add('treasury', 3n);
  expect(postings.entries()).toEqual([
    ['external:stripe', 'NOVA', -6n],
    ['treasury', 'NOVA', 6n],
  ]);
});

test('what comes to nothing is no entry', () => {
  const postings = new Postings()
    .add('treasury', 5n)
    .add('issuance:KARMA', -1n, 'KARMA')
    .add('user:ann:karma', 1n, 'KARMA')
    .add('treasury', -5n);
  expect(postings.entries()).toEqual([
    ['issuance:KARMA', 'KARMA', -1n],
    ['user:ann:karma', 'KARMA', 1n],
  ]);
});
