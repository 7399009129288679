import { expect, test } from '@jest/globals';
import { isTerminatedSince } from './chat-news';
import type { ChatView } from './chat-types';

const chat = (given: Partial<ChatView>): ChatView => ({ side: 'initiator', terminatedBy: null, ...given }) as ChatView;

test('a termination by the other side is news, once, and one’s own is not', () => {
  const theirs = chat({ status: 'terminated', terminatedBy: 'host' });
  expect(isTerminatedSince('active', theirs)).toBe(true);
  expect(isTerminatedSince('requested', theirs)).toBe(true);
  expect(isTerminatedSince('terminated', theirs)).toBe(false);
  expect(isTerminatedSince('active', chat({ status: 'terminated', terminatedBy: 'initiator' }))).toBe(false);
  expect(isTerminatedSince('active', chat({ status: 'successful' }))).toBe(false);
});
