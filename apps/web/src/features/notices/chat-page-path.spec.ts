import { expect, test } from '@jest/globals';
import { isChatPage } from './chat-page-path';

test('knows a chat by either of its paths, and no other page by its ending', () => {
  expect(isChatPage('/chat/c1', 'c1')).toBe(true);
  expect(isChatPage('/chats/c1', 'c1')).toBe(true);
  expect(isChatPage('/chat/c2', 'c1')).toBe(false);
  expect(isChatPage('/video-chat/c1', 'c1')).toBe(false);
});
