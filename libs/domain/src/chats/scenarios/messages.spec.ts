import { MESSAGES_PER_CHAT_MAX } from '../constants.js';
import { CHAT_START_MS } from '../testing/chat-run.js';
import {
  accepted,
  DAY,
  declined,
  exchanges,
  given,
  later,
  MINUTE,
  requested,
  said,
  succeeded,
} from '../testing/scenario.js';

const active = [requested(), accepted()];

test('an exchange is an initiator’s message followed, at any distance, by a host’s; a run of one side counts once', () => {
  given(active)
    .when(said('hal', 10))
    .is({ counts: { exchanges: 0, totalCharacters: 10, hostCharacters: 10 } });
  given(active, said('hal', 10), said('ann', 5), said('ann', 5))
    .when(said('hal', 1))
    .is({ counts: { exchanges: 1, totalCharacters: 21, hostCharacters: 11 } });
  given(active, said('ann', 1), said('hal', 1))
    .when(said('hal', 1))
    .is({ counts: { exchanges: 1, totalCharacters: 3, hostCharacters: 2 } });
});

test('success is five exchanges and 300 characters, and neither alone', () => {
  given(active, exchanges(4, 200)).when(said('ann')).writes('ChatMessageSent').is({ status: 'active' });
  given(active, exchanges(4), said('ann', 30)).when(said('hal', 29)).writes('ChatMessageSent').is({ status: 'active' });
  given(active, exchanges(4), said('ann', 30))
    .when(said('hal', 30))
    .writes('ChatMessageSent', 'ChatSucceeded')
    .is({ status: 'successful', rateBy: CHAT_START_MS + 7 * DAY })
    .owes('chat:c1:end SettleChatPayment outcome=success');
  given(active, exchanges(5, 1)).when(said('ann', 290)).writes('ChatMessageSent', 'ChatSucceeded');
});

test('blanks of the host count for the length and not for the host', () => {
  given(active)
    .when({ type: 'SendChatMessage', memberId: 'hal', messageId: 'm', characters: 11, nonBlankCharacters: 10 })
    .is({ counts: { exchanges: 0, totalCharacters: 11, hostCharacters: 10 } });
});

test('a message that has its event is not sent again', () => {
  given(active, said('ann', 30, 'once'))
    .when(said('ann', 30, 'once'))
    .writes();
});

test('blank, too long, too early, too late, from a stranger', () => {
  given(active).when(said('ann', 0)).refused('INVALID_MESSAGE');
  given(active).when(said('ann', 2_000)).writes('ChatMessageSent');
  given(active).when(said('ann', 2_001)).refused('INVALID_MESSAGE');
  given(active).when(said('eve')).refused('CHAT_NOT_FOUND');
  given(requested()).when(said('ann')).refused('CHAT_NOT_ACTIVE');
  given(requested(), declined()).when(said('ann')).refused('CHAT_ENDED');
  given(succeeded()).when(said('ann')).refused('CHAT_ENDED');
  given(active, later(3 * MINUTE))
    .when(said('hal'))
    .refused('CHAT_ENDED');
});

test('a chat has an end to its length', () => {
  const many = Array.from({ length: MESSAGES_PER_CHAT_MAX }, () => said('ann', 1));
  given(active, many).when(said('ann', 1)).refused('CHAT_FULL');
  given(active, many.slice(1)).when(said('ann', 1)).writes('ChatMessageSent');
});
