import { nextRating, NOT_RATED, shownMemberRating } from '../rating.js';
import {
  accepted,
  DAY,
  exchanges,
  exit,
  given,
  later,
  MINUTE,
  nudged,
  rated,
  requested,
  SECOND,
  succeeded,
  swept,
  verified,
} from '../testing/scenario.js';
import { CHAT_START_MS } from '../testing/chat-run.js';

const end = 'chat:c1:end SettleChatPayment outcome=success';
const release = (side: string): string => `chat:c1:release:${side} ReleaseChatReward side=${side}`;
const thread = 'chat:c1:thread GrantThreadShare hostId=hal userId=ann';

test('a side’s reward is released when that side has rated', () => {
  given(succeeded()).when(rated('hal', 50)).writes('ChatRated').is({ status: 'successful' }).owes(end, release('host'));
  given(succeeded()).when(rated('ann', 50)).owes(end, release('initiator'));
});

test('the second rating completes the chat', () => {
  given(succeeded(), rated('hal', 50))
    .when(rated('ann', 100))
    .writes('ChatRated', 'ChatCompleted')
    .is({ status: 'completed', thread: false, ratings: { host: 50, initiator: 100 } })
    .owes(end, release('host'), release('initiator'));
});

test('a thread when both give 75 or more', () => {
  given(succeeded(), rated('hal', 75))
    .when(rated('ann', 75))
    .is({ thread: true })
    .owes(end, release('host'), release('initiator'), thread);
  given(succeeded(), rated('hal', 74)).when(rated('ann', 100)).is({ thread: false });
  given(succeeded(), rated('hal', 100)).when(rated('ann', 74)).is({ thread: false });
});

test('after seven days rating closes and both rewards are released', () => {
  given(succeeded(), later(7 * DAY - 1))
    .when(swept)
    .writes();
  given(succeeded(), rated('ann', 90), later(7 * DAY))
    .when(swept)
    .writes('ChatCompleted')
    .is({ status: 'completed', thread: false })
    .owes(end, release('host'), release('initiator'));
  given(succeeded(), later(7 * DAY))
    .when(rated('hal', 90))
    .refused('RATING_CLOSED');
  given(succeeded(), later(7 * DAY), swept)
    .when(rated('hal', 90))
    .refused('RATING_CLOSED');
});

test('rated twice, out of range, too early, after breaking off, by a stranger', () => {
  given(succeeded(), rated('ann', 90)).when(rated('ann', 90)).refused('ALREADY_RATED');
  given(succeeded(), rated('ann', 90), rated('hal', 9)).when(rated('ann', 90)).refused('ALREADY_RATED');
  for (const rating of [0, 101, 50.5, -1, Number.NaN])
    given(succeeded()).when(rated('ann', rating)).refused('INVALID_RATING');
  given(requested(), accepted()).when(rated('ann', 90)).refused('CHAT_NOT_SUCCESSFUL');
  given(requested(), accepted(), exit('ann')).when(rated('ann', 90)).refused('CHAT_NOT_SUCCESSFUL');
  given(succeeded()).when(rated('eve', 90)).refused('CHAT_NOT_FOUND');
});

test('a word about the outcome is taken where it is true', () => {
  given(succeeded())
    .when(verified('ann', true))
    .writes('ChatVerified')
    .is({ verified: { initiator: true } });
  given(succeeded()).when(verified('ann', false)).refused('VERIFICATION_CONTRADICTED');
  given(requested(), accepted(), exchanges(4)).when(verified('hal', true)).refused('VERIFICATION_CONTRADICTED');
  given(requested(), accepted(), exchanges(4)).when(verified('hal', false)).writes('ChatVerified');
  given(requested()).when(verified('hal', false)).refused('CHAT_NOT_ACTIVE');
});

test('the same word about the outcome again writes nothing, also once the chat is over', () => {
  given(requested(), accepted(), exchanges(4), verified('hal', false)).when(verified('hal', false)).writes();
  given(requested(), accepted(), exit('ann'), verified('ann', false)).when(verified('ann', false)).writes();
  given(succeeded(), verified('ann', true)).when(verified('hal', true)).writes('ChatVerified');
  given(requested(), accepted(), exchanges(4), verified('ann', false), exchanges(1))
    .when(verified('ann', true))
    .writes('ChatVerified')
    .is({ verified: { initiator: true } });
});

test('a nudge a minute, each side for itself', () => {
  given(requested(), nudged('ann'), later(MINUTE - 1))
    .when(nudged('ann'))
    .refused('NUDGED_ALREADY', CHAT_START_MS + MINUTE);
  given(requested(), nudged('ann'), later(MINUTE)).when(nudged('ann')).writes('ChatNudged');
  given(requested(), nudged('ann'), later(SECOND)).when(nudged('hal')).writes('ChatNudged');
  given(requested(), accepted(), exit('ann')).when(nudged('ann')).refused('CHAT_ENDED');
});

test('a member’s rating is the mean ÷ 10, two decimals, at most 9.99', () => {
  const meanOf = (...ratings: number[]) => ratings.reduce((mean, rating) => nextRating(mean, rating), NOT_RATED);
  expect(shownMemberRating(meanOf(80).value ?? 0)).toBe(8);
  expect(shownMemberRating(meanOf(80, 75, 75).value ?? 0)).toBe(7.67);
  expect(shownMemberRating(meanOf(100, 100).value ?? 0)).toBe(9.99);
  expect(meanOf(100, 99)).toEqual({ value: expect.closeTo(9.95, 10), count: 2 });
  // An admin said 5.00 after three ratings: the next one is averaged from there.
  expect(nextRating({ value: 5, count: 3 }, 90)).toEqual({ value: 6, count: 4 });
});
