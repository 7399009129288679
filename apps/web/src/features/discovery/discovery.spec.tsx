import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerCards, card, fill, held, MEMBER, member, open, pressPaid, refusal, toast } from '@/testing/nova';
import { SETTLES_MS } from '@/shared/ui/standing';

const HOSTILE = '<img src=x onerror=alert(1)>';
const POLL_MS = 5_000;

const own = (given: object = {}) => card({ displayName: 'Ada', id: MEMBER.id, isOwn: true, ...given });
const ben = (given: object = {}) => card({ displayName: 'Ben', ...given });
const upvoted = (given: object = {}) => ({
  kind: 'unlock',
  message: 'Unlocked.',
  novaDeducted: 50,
  novaBalance: 9_950,
  compatibilityScore: null,
  positionChanged: false,
  ...given,
});

beforeEach(() => {
  answer('GET /api/chats/mine', { chats: [] });
  answer('GET /api/chats/pending-requests', { requests: [] });
  answer('GET /api/profile/member-Ben/wall', { comments: [], nextCursor: null, total: 0 });
});
afterEach(() => void jest.useRealTimers());

const button = (name: string | RegExp) => screen.findByRole('button', { name });
const unlock = (name: string) => button(`Unlock ${name} for 50 Nova`);
const searchBox = () => screen.findByRole('searchbox', { name: 'Search members' });
const cards = () => screen.queryAllByRole('listitem').filter((item) => item.hasAttribute('aria-posinset'));
const names = () => cards().map((each) => within(each).getAllByRole('heading')[0]?.title);
const radio = (name: string) => screen.findByRole('radio', { name });

/** The cards as `answerCards` does. @returns the calls for the list, without the polls */
const answerLists = (...given: Parameters<typeof answerCards>) => {
  const sent = answerCards(...given);
  return () => sent.filter(({ url }) => !url.searchParams.has('ids'));
};

/** Longer than a control takes to settle, which the page looks at every 100 ms. */
const settled = () => new Promise((resolve) => setTimeout(resolve, SETTLES_MS + 200));

/** Periodic polls wait until the spec releases them. */
const holdPolls = () =>
  jest.useFakeTimers({
    doNotFake: [
      ...(['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] as const),
      ...(['Date', 'hrtime', 'performance', 'requestAnimationFrame', 'cancelAnimationFrame'] as const),
      ...(['requestIdleCallback', 'cancelIdleCallback'] as const),
    ],
  });

test('a card without content shows the member’s picture, asked for anew, or else the card’s thumbnail', async () => {
  // Pictures load at once.
  const mocks = [
    jest.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(true),
    jest.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(9),
  ];
  answerCards(
    card({ displayName: 'One', profileImageUrl: '/face.svg', profileCardThumbnailUrl: '/thumbnail.svg' }),
    card({ displayName: 'Two', profileCardThumbnailUrl: '/thumbnail.svg' }),
  );
  open('/');
  await waitFor(() => {
    const [one, two] = cards().map((each) => each.querySelector('img')?.getAttribute('src'));
    expect(one).toMatch(/^\/face\.svg\?t=\d+$/);
    expect(two).toBe('/thumbnail.svg');
  });
  for (const mock of mocks) mock.mockRestore();
});

test('a turned card that comes back with another search leaves the focus where it is', async () => {
  answerCards(card({ displayName: 'Turned one', isUnlocked: true }), card({ displayName: 'Turned other' }));
  const user = open('/');
  await user.click(await button('Open the profile of Turned one'));
  expect(await screen.findByRole('button', { name: 'Turn to the wall for 50 Nova' })).toBeVisible();
  const title = screen.getAllByRole('heading', { name: 'Turned one' }).at(-1);
  expect(title).toHaveFocus();
  await fill(user, await searchBox(), 'other');
  await waitFor(() => expect(names()).toEqual(['Turned other']));
  await fill(user, await searchBox(), 'Turned');
  expect(await button('Turn to the wall for 50 Nova')).toBeVisible();
  await user.keyboard('?');
  expect(await searchBox()).toHaveValue('Turned?');
});

test('without Nova nothing turns, and the reason is said', async () => {
  answerCards(ben());
  answer('POST /api/discovery/upvote', refusal(400, 'INSUFFICIENT_NOVA', 'You need 50 Nova.'));
  const user = open('/');
  await pressPaid(user, await unlock('Ben'));
  const refused = await toast('Failed to gift Nova');
  expect(refused).toHaveTextContent('You need 50 Nova.');
  expect(within(refused).getByRole('link', { name: 'Top Up' })).toHaveAttribute('href', '/wallet?topup=1');
  expect(screen.queryByRole('button', { name: 'Open the profile of Ben' })).toBeNull();

  answer('POST /api/discovery/upvote', upvoted());
  await pressPaid(user, await unlock('Ben'));
  answer('POST /api/profile/navigate', refusal(400, 'INSUFFICIENT_NOVA', 'No.'));
  await pressPaid(user, await button('Turn to the wall for 50 Nova'));
  const short = await toast('Insufficient Nova');
  expect(short).toHaveTextContent('You need 50 Nova to navigate this profile.');
  expect(within(short).getByRole('link', { name: 'Top Up' })).toHaveAttribute('href', '/wallet?topup=1');
  expect(await button('Turn to the wall for 50 Nova')).toBeVisible();
});

test('an answer that cannot be read, and one without a sentence, are said as such', async () => {
  answerCards(ben());
  const html = { headers: { 'content-type': 'text/html' } };
  answer('POST /api/discovery/upvote', () => new Response('<html>', html));
  const user = open('/');
  await pressPaid(user, await unlock('Ben'));
  expect(await toast('Failed to gift Nova')).toHaveTextContent('Server returned invalid response format');
  answer('POST /api/discovery/upvote', () => Response.json({}, { status: 400 }));
  await pressPaid(user, await unlock('Ben'));
  expect(await toast('Please try again')).toBeVisible();
});

test('a second press of the same upvote after no answer is the same upvote', async () => {
  answerCards(ben());
  const replies = [refusal(429, 'BUSY', 'Nobody knows.'), upvoted()];
  const sent = answer('POST /api/discovery/upvote', () => replies.shift() ?? null);
  const user = open('/');
  await pressPaid(user, await unlock('Ben'));
  expect(await toast('Nobody knows.')).toBeVisible();
  await pressPaid(user, await unlock('Ben'));
  expect(await button('Chat with Ben')).toBeVisible();
  expect(sent).toHaveLength(2);
  expect(sent[0]?.idempotencyKey).toMatch(/./);
  expect(sent[1]).toEqual(sent[0]);
});

test('a card that rises is marked for two seconds, and the grid is in its new order', async () => {
  answerCards(card({ displayName: 'First' }), card({ displayName: 'Last' }));
  answer('POST /api/discovery/upvote', upvoted({ positionChanged: true }));
  const user = open('/');
  const press = await unlock('Last');
  const lists = answerLists(card({ displayName: 'Last', isUnlocked: true }), card({ displayName: 'First' }));
  await pressPaid(user, press);
  await waitFor(() => expect(document.querySelector('[data-highlighted]')).toHaveTextContent('Last'));
  expect(await button('Chat with Last')).toBeVisible();
  await waitFor(() => expect(lists()).toHaveLength(1));
  expect(names()).toEqual(['First', 'Last']);
  await user.hover(await searchBox());
  await waitFor(() => expect(names()).toEqual(['Last', 'First']));
  expect(document.querySelectorAll('[data-highlighted]')).toHaveLength(1);
  await waitFor(() => expect(document.querySelector('[data-highlighted]')).toBeNull());
});

test('a member who is upvoted twice in one place is paid twice, and nobody else, while the order holds still', async () => {
  answerCards(card({ displayName: 'First', isUnlocked: true }), card({ displayName: 'Last', isUnlocked: true }));
  const sent = answer('POST /api/discovery/upvote', upvoted({ kind: 'upvote', positionChanged: true }));
  const user = open('/');
  const press = await button('Upvote Last with 50 Nova');
  const lists = answerLists(
    card({ displayName: 'Last', isUnlocked: true }),
    card({ displayName: 'First', isUnlocked: true }),
  );
  await pressPaid(user, press);
  await waitFor(() => expect(lists()).toHaveLength(1));
  await user.click(press);
  const toLast = { profileId: 'member-Last' };
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([toLast, toLast]));
  expect(names()).toEqual(['First', 'Last']);
  await waitFor(() => expect(document.querySelector('[data-highlighted]')).toBeNull());
  expect(names()).toEqual(['Last', 'First']);
});

test('what has just moved under the pointer, or was covered there, takes no Nova', async () => {
  answerCards(card({ displayName: 'Ben', isUnlocked: true }));
  const sent = answer('POST /api/discovery/upvote', upvoted({ kind: 'upvote' }));
  const user = open('/');
  const press = await button('Upvote Ben with 50 Nova');
  // It has just appeared.
  await user.click(press);
  expect(await toast('Nothing was paid')).toHaveTextContent('Press it again.');
  let left = 0;
  let cover: Element | null = null;
  jest.spyOn(press, 'getBoundingClientRect').mockImplementation(() => new DOMRect(left, 0, 40, 40));
  document.elementFromPoint = () => cover;
  const click = () => user.pointer({ target: press, keys: '[MouseLeft]', coords: { clientX: 20, clientY: 20 } });
  await settled();
  await click();
  await waitFor(() => expect(sent).toHaveLength(1));
  left = 100;
  await settled();
  left = 0;
  await click();
  // A dialog or a toast lay over it.
  await settled();
  cover = document.body;
  await click();
  cover = null;
  await click();
  await settled();
  expect(sent).toHaveLength(1);
  await click();
  await waitFor(() => expect(sent).toHaveLength(2));
});

test('a focus that the page has moved takes no Nova at once, and neither does a key that is held down', async () => {
  answerCards(card({ displayName: 'Ben', isUnlocked: true }));
  const sent = answer('POST /api/discovery/upvote', upvoted({ kind: 'upvote' }));
  const user = open('/');
  const press = await button('Upvote Ben with 50 Nova');
  await settled();
  press.focus();
  await user.keyboard('{Enter}');
  expect(await toast('Nothing was paid')).toBeVisible();
  await user.tab({ shift: true });
  await settled();
  await user.tab();
  expect(press).toHaveFocus();
  await user.keyboard('{Enter>4/}');
  await waitFor(() => expect(sent).toHaveLength(1));
  await settled();
  expect(sent).toHaveLength(1);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(sent).toHaveLength(2));
});

test('among those who are online, who leaves is gone, unless one reads their card, and who comes is last', async () => {
  const ann = card({ displayName: 'Ann', isUnlocked: true });
  holdPolls();
  const sent = answerCards(ann, ben());
  const user = open('/?online=1');
  await waitFor(() => expect(names()).toEqual(['Ann', 'Ben']));
  expect(sent[0]?.url.searchParams.get('onlineOnly')).toBe('true');
  await user.click(await button('Open the profile of Ann'));
  answerCards(card({ displayName: 'Cid' }), { ...ann, isOnline: false }, ben({ isOnline: false }));
  jest.advanceTimersByTime(POLL_MS);
  await waitFor(() => expect(names()).toEqual(['Ann', 'Cid']));
  expect(cards()[0]).toHaveTextContent('(offline)');
  await user.click(await button('Turn back to the front'));
  jest.advanceTimersByTime(POLL_MS);
  await waitFor(() => expect(names()).toEqual(['Cid']));
});

test('who comes while one looks is counted in a line, and shown when one asks', async () => {
  holdPolls();
  const sent = answerCards(own(), ben());
  const user = open('/');
  await waitFor(() => expect(names()).toEqual(['Ada', 'Ben']));
  await settled();
  expect(sent).toHaveLength(1);
  answerCards(card({ displayName: 'Cid' }), card({ displayName: 'Dee' }), own(), ben());
  jest.advanceTimersByTime(POLL_MS);
  const line = await button('2 new – show');
  expect(names()).toEqual(['Ada', 'Ben']);
  await user.click(line);
  await waitFor(() => expect(names()).toEqual(['Ada', 'Cid', 'Dee', 'Ben']));
  expect(screen.queryByRole('button', { name: /new – show/ })).toBeNull();
});

test('a search that finds nobody finds who comes', async () => {
  holdPolls();
  answerCards(own());
  const user = open('/');
  await user.type(await searchBox(), 'Ben');
  expect(await screen.findByText('No profiles found')).toBeVisible();
  expect(screen.getByText('Try adjusting your search filters')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Back to Top' })).toBeNull();
  answerCards(own(), ben());
  jest.advanceTimersByTime(POLL_MS);
  await waitFor(() => expect(names()).toEqual(['Ben']));
  expect(await button('Back to Top')).toBeVisible();
});

test('members are followed, reported and blocked from their cards', async () => {
  answerCards(ben());
  answer('GET /api/users/member-Ben/relation', { following: false, blocked: false });
  const user = open('/');
  const choose = async (item: string) => {
    await user.click(await button('More about Ben'));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };
  const followed = answer('POST /api/users/member-Ben/follow', { message: 'You follow this member.' });
  answer('GET /api/auth/user', { user: { ...MEMBER, followingCount: 1 } });
  await choose('Follow');
  expect(await toast('You follow this member.')).toBeVisible();
  await user.click(await button(/Account menu/));
  expect(await screen.findByText('1 following')).toBeVisible();
  await user.keyboard('{Escape}');
  expect(followed).toHaveLength(1);
  answer('GET /api/users/member-Ben/relation', { following: true, blocked: false });
  await user.click(await button('More about Ben'));
  expect(await screen.findByRole('menuitem', { name: 'Unfollow' })).toBeVisible();
  await user.click(screen.getByRole('menuitem', { name: 'Report' }));

  // A report's dialog stays open until the report has arrived.
  const dialog = within(await screen.findByRole('dialog', { name: 'Report Ben' }));
  await fill(user, dialog.getByLabelText('What happened?'), 'They sent spam.');
  const report = held({ message: 'An admin reads it.' });
  const reported = answer('POST /api/users/member-Ben/report', report.reply);
  await user.click(dialog.getByRole('button', { name: 'Send report' }));
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('dialog')).toBeVisible();
  report.letGo();
  expect(await toast('Reported')).toHaveTextContent('An admin reads it.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(reported.map(({ body }) => body)).toEqual([{ text: 'They sent spam.' }]);
  expect(await button('More about Ben')).toHaveFocus();

  answer('POST /api/users/member-Ben/block', { message: 'This member is blocked.' });
  answerCards(own());
  await choose('Block');
  expect(await toast('This member is blocked.')).toBeVisible();
  await waitFor(() => expect(names()).toEqual(['Ada']));
  const undone = answer('DELETE /api/users/member-Ben/block', { message: 'This member is no longer blocked.' });
  answerCards(own(), ben());
  await user.click(await button('Undo'));
  expect(await toast('This member is no longer blocked.')).toBeVisible();
  await waitFor(() => expect(names()).toEqual(['Ada', 'Ben']));
  expect(undone).toHaveLength(1);
});

test('the owner turns through mood, words and wall, saves, and thinks better of it', async () => {
  answerCards(own());
  answer(`GET /api/profile/${MEMBER.id}/wall`, { comments: [], nextCursor: null, total: 0 });
  const user = open('/');
  const edit = await button('Edit my card');
  expect(screen.queryByRole('button', { name: 'Unlock Ada for 50 Nova' })).toBeNull();
  await user.click(edit);
  expect(await button('Save Profile')).toBeDisabled();
  await user.click(await radio('Joy / Creativity'));
  await user.click(await button('Turn to about me'));
  const status = await screen.findByLabelText('Status');
  await fill(user, status, 's'.repeat(201));
  expect(status).toHaveValue('s'.repeat(200));
  await fill(user, status, HOSTILE);
  await fill(user, screen.getByLabelText('Occupation'), 'Analyst');
  await user.selectOptions(screen.getByLabelText('Relationship status'), "It's complicated");
  await user.click(await button('Turn to my wall'));
  expect(await screen.findByText('No comments yet')).toBeVisible();
  const words = {
    mood: 'orange',
    status: HOSTILE,
    occupation: 'Analyst',
    ambitions: null,
    relationshipStatus: "It's complicated",
  };
  const sent = answer('POST /api/users/update-profile', { message: 'Saved.', profile: words });
  answerCards(own(words));
  await user.click(await button('Save Profile'));
  expect(await toast('Profile saved')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([words]);
  expect(edit).toHaveFocus();
  expect(cards()[0]).toHaveTextContent(HOSTILE);
  expect(cards()[0]).toHaveTextContent('Joy / Creativity');

  await user.click(edit);
  await user.click(await radio('Peace'));
  await user.click(await button('Cancel'));
  await user.click(edit);
  expect(await radio('Joy / Creativity')).toBeChecked();
  answer('POST /api/users/update-profile', () => Response.json({}, { status: 400 }));
  await user.click(await radio('Peace'));
  await user.click(await button('Save Profile'));
  expect(await toast('Failed to update profile')).toBeVisible();
  expect(await radio('Peace')).toBeChecked();
});

test('cards cannot be pressed while those of another search are on their way', async () => {
  answerCards(own(), ben());
  const user = open('/');
  const list = async () => (await button('Edit my card')).closest('[inert]');
  expect(await list()).toBeNull();
  const found = held({ profiles: [ben()], hasMore: false });
  const sent = answer('GET /api/discovery/feed', found.reply);
  await fill(user, await searchBox(), 'Ben');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(await list()).not.toBeNull();
  found.letGo();
  await waitFor(() => expect(names()).toEqual(['Ben']));
  expect((await unlock('Ben')).closest('[inert]')).toBeNull();
});

test('a filter chosen while the search is typed stays chosen', async () => {
  answerCards(own());
  const user = open('/');
  await user.click(await button('Show Filters'));
  const rating = await radio('4+');
  fireEvent.change(await searchBox(), { target: { value: 'nobody at all' } });
  rating.click();
  // The device is so slow that typing has rested before the grid is drawn with the filter.
  for (const until = performance.now() + 600; performance.now() < until;);
  const clear = () => screen.getAllByRole('button', { name: 'Clear Filters' })[0]!;
  const inAddress = (name: string) => new URLSearchParams(location.search).get(name);
  await waitFor(() => expect([inAddress('rating'), inAddress('q')]).toEqual(['4', 'nobody at all']));
  expect(await searchBox()).toHaveValue('nobody at all');
  // The address changes before it is drawn.
  await waitFor(() => expect(clear()).toBeEnabled());
  await user.click(clear());
  await waitFor(() => expect(location.search).toBe(''));
  expect(await searchBox()).toHaveValue('');
});

test('filters live in the address, and are cleared together', async () => {
  answer('GET /api/discovery/feed', { profiles: [], hasMore: false });
  const user = open('/?rating=4.5&type=video&online=1');
  expect(await screen.findByText('No profiles found')).toBeVisible();
  expect(await radio('4.5+')).toBeChecked();
  expect(await radio('Videos')).toBeChecked();
  expect(screen.getByRole('switch', { name: 'Online Only' })).toBeChecked();
  const sent = answerCards(own());
  await user.click(screen.getAllByRole('button', { name: 'Clear Filters' })[0]!);
  expect(await button('Edit my card')).toBeVisible();
  expect(location.search).toBe('');
  await user.click(await radio('4+'));
  await waitFor(() => expect(sent.map(({ url }) => url.searchParams.get('minRating'))).toContain('4'));
  expect(location.search).toBe('?rating=4');
});

test('the host’s own card has Accept and Decline', async () => {
  answerCards(own());
  const request = {
    id: 'chat-1',
    chatId: 'chat-1',
    hostId: MEMBER.id,
    initiatorId: 'member-ann',
    initiator: member({ id: 'member-ann', displayName: 'Ann' }),
    price: 1_250,
    requestedAt: new Date().toISOString(),
    acceptBy: new Date(Date.now() + 120_000).toISOString(),
  };
  answer('GET /api/chats/pending-requests', { requests: [request] });
  const user = open('/');
  const waiting = await screen.findByRole('region', { name: 'A chat request for you' });
  expect(waiting).toHaveTextContent('Ann would like to chat with you');
  const declined = answer('POST /api/chats/decline-request/chat-1', { message: 'You declined this request.' });
  answer('GET /api/chats/pending-requests', { requests: [] });
  await user.click(within(waiting).getByRole('button', { name: 'Decline' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'A chat request for you' })).toBeNull());
  expect(declined).toHaveLength(1);
});

test('a cooldown is counted down on the card', async () => {
  answerCards(ben({ isUnlocked: true, cooldownUntil: new Date(Date.now() + 2_500).toISOString() }));
  const user = open('/');
  await user.click(await button('Open the profile of Ben'));
  expect(await button(/^Available in [123]s$/)).toBeDisabled();
  expect(await button('Chat with Ben')).toBeEnabled();
});
