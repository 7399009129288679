import { expect, test } from '@jest/globals';
import type { ChatView } from './chat-types';
import { howItEnded } from './how-it-ended';

const ended = (given: Partial<ChatView>): string =>
  howItEnded({
    status: 'terminated',
    side: 'initiator',
    initiator: { id: 'ann', displayName: 'Ann', profileImageUrl: null, rating: 5 },
    host: { id: 'hal', displayName: 'Hal', profileImageUrl: null, rating: 5 },
    price: 1_250,
    refunded: 1_250,
    terminatedBy: 'host',
    terminationCause: 'exit',
    ...given,
  } as ChatView);

test('who broke a chat off is said to either side', () => {
  expect(ended({})).toBe('Hal ended this chat. You got your Nova back.');
  expect(ended({ side: 'host' })).toBe('You ended this chat. The initiator got the Nova back.');
  expect(ended({ terminatedBy: 'initiator', refunded: 875 })).toBe(
    'You ended this chat: 875 Nova of 1,250 Nova went back.',
  );
});

test('nobody is said to have ended what a deadline ended', () => {
  const silent = { terminationCause: 'no-first-message' } as const;
  expect(ended(silent)).toBe('Hal did not write within 3 minutes, so this chat ended. You got your Nova back.');
  expect(ended({ ...silent, side: 'host' })).toBe(
    'You did not write within 3 minutes, so this chat ended. The initiator got the Nova back.',
  );
  const idle = { terminationCause: 'idle', terminatedBy: 'initiator', refunded: 875 } as const;
  expect(ended(idle)).toBe('You did not reply for 24 hours, so this chat ended: 875 Nova of 1,250 Nova went back.');
  expect(ended({ ...idle, side: 'host' })).toBe(
    'Ann did not reply for 24 hours, so this chat ended: 875 Nova of 1,250 Nova went back.',
  );
});

test('a request that expired was not answered by the host, whoever reads it', () => {
  expect(ended({ status: 'expired' })).toBe('Hal did not answer in time. You got your Nova back.');
  expect(ended({ status: 'expired', side: 'host' })).toBe(
    'You did not answer in time. The initiator got the Nova back.',
  );
});
