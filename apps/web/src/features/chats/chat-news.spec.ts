import { expect, test } from '@jest/globals';
import { newsOf } from './chat-news';
import type { ChatView } from './chat-types';

const chat = (given: Partial<ChatView>): ChatView => ({ side: 'initiator', terminatedBy: null, ...given }) as ChatView;

test('a termination by the other side is news, once, and one’s own is not', () => {
  const theirs = chat({ status: 'terminated', terminatedBy: 'host' });
  expect(newsOf('active', theirs)).toBe('terminated');
  expect(newsOf('requested', theirs)).toBe('terminated');
  expect(newsOf('terminated', theirs)).toBeUndefined();
  expect(newsOf('active', chat({ status: 'terminated', terminatedBy: 'initiator' }))).toBeUndefined();
});

test('an acceptance is news to who asked, and nothing else is', () => {
  expect(newsOf('requested', chat({ status: 'active' }))).toBe('accepted');
  expect(newsOf('requested', chat({ status: 'active', side: 'host' }))).toBeUndefined();
  expect(newsOf('active', chat({ status: 'active' }))).toBeUndefined();
  expect(newsOf('active', chat({ status: 'successful' }))).toBeUndefined();
  expect(newsOf('requested', chat({ status: 'declined' }))).toBeUndefined();
});
