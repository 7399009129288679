import fc from 'fast-check';
import { UnreadableFact } from '../fact-codec.js';
import { decodeMemberEvent, encodeMemberEvent } from '../members/codec.js';
import type { MemberEvent } from '../members/events.js';
import { decodeChatEvent, encodeChatEvent } from './codec.js';
import type { ChatEvent } from './events.js';

const base = { chatId: 'c', initiatorId: 'ann', hostId: 'hal', at: 1 };

test('the stored bytes are these', () => {
  const event: ChatEvent = { type: 'ChatRequested', ...base, price: 125_000n, acceptBy: 120_001 };
  const data = '{"chatId":"c","initiatorId":"ann","hostId":"hal","at":1,"price":"125000","acceptBy":120001}';
  expect(encodeChatEvent(event)).toBe(data);
  expect(decodeChatEvent('ChatRequested', data)).toEqual(event);
});

test('any text of a member’s event comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer(), (text, at) => {
      const event: MemberEvent = { type: 'MemberReported', memberId: text, otherId: 'b', at, reportId: text };
      expect(decodeMemberEvent(event.type, encodeMemberEvent(event))).toEqual(event);
    }),
  );
});

test.each([
  ['another type', 'ChatForgotten', '{}'],
  ['a name of every object', 'constructor', '{}'],
  ['no JSON', 'ChatDeclined', '{'],
  ['a list', 'ChatDeclined', '[]'],
  ['a field too few', 'ChatDeclined', JSON.stringify({ ...base, at: undefined })],
  ['a field too many', 'ChatDeclined', JSON.stringify({ ...base, more: 1 })],
  ['a number as text', 'ChatDeclined', JSON.stringify({ ...base, at: '1' })],
  ['an amount as a number', 'ChatRequested', JSON.stringify({ ...base, price: 5, acceptBy: 1 })],
  ['an amount with blanks', 'ChatRequested', JSON.stringify({ ...base, price: ' 5', acceptBy: 1 })],
])('%s is not read', (_, type, data) => {
  expect(() => decodeChatEvent(type, data)).toThrow(UnreadableFact);
});
