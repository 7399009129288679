import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react/pure';
import { storeValue } from '@/shared/hooks/use-stored-value';
import {
  answer,
  answerCards,
  card,
  chatView,
  cutLine,
  fill,
  frames,
  held,
  lostAnswer,
  member,
  open,
  pressPaid,
  refusal,
  tell,
  toast,
} from '@/testing/nova';

const REVIEW = 'A lovely talk: friendly, quick to answer and full of ideas.';
const EXPLANATION = 'It was fine, only a little short.';
const PATH = '/api/chats/chat-1';

const requested = (given: object = {}) => chatView({ id: 'chat-1', status: 'requested', ...given });
const active = (given: object = {}) =>
  chatView({ id: 'chat-1', status: 'active', acceptedAt: new Date().toISOString(), ...given });
const terminated = (given: object = {}) =>
  active({ status: 'terminated', terminatedBy: 'host', terminationCause: 'exit', refunded: 1_250, ...given });
const successful = (given: object = {}) =>
  active({ status: 'successful', isSuccessful: true, percentage: 100, ...given });

const payout = {
  novaEarned: 0,
  isInitiator: true,
  influencePointsEarned: 1,
  totalInfluencePoints: 3,
  currentNovaBalance: 8_750,
  totalEarnedNova: 0,
  karmaTokenProgress: { hasKarmaToken: false, current: 1, required: 10, percentage: 10 },
  perpetualBenefits: {
    hasTokenRewards: false,
    hasThreadRewards: false,
    totalTokenRewards: 0,
    totalThreadRewards: 0,
    tokenBreakdown: [],
    threadBreakdown: [],
  },
  rewardsReleased: 0,
  completed: false,
};

beforeEach(() => {
  answer('GET /api/discovery/feed', { profiles: [], nextCursor: null });
  answer('GET /api/chats/mine', { chats: [] });
  answer('GET /api/chats/pending-requests', { requests: [] });
  answer('GET /api/content/feed', { posts: [], hasMore: false });
  answer('GET /api/status-bar', {
    dailyPoints: 0,
    dailyGoal: 100,
    currentLevel: 1,
    streakDays: 0,
    boostTokens: 0,
    prioritySlots: 0,
  });
});

/** The chat page, once it is shown and connected. */
async function openChat(chat: object) {
  answer(`GET ${PATH}`, chat);
  const user = open('/chat/chat-1');
  await screen.findByLabelText('About this chat');
  await waitFor(() => expect(frames.map(({ type }) => type)).toContain('join_chat'));
  return user;
}

const button = (name: string) => screen.findByRole('button', { name });

async function terminate(user: ReturnType<typeof open>) {
  await user.click(await button('Terminate Chat'));
  const dialog = await screen.findByRole('dialog', { name: 'Terminate this chat?' });
  await user.click(within(dialog).getByRole('button', { name: 'Terminate Chat' }));
}

async function rate50(user: ReturnType<typeof open>) {
  await fill(user, await screen.findByLabelText('Review'), REVIEW);
  await user.click(await button('Rate 50 of 100'));
  await fill(user, await screen.findByLabelText('Explanation'), EXPLANATION);
  await user.click(await button('Rate 50 of 100'));
}

const path = () => location.pathname;

test('a request counts its time down, and says when nobody answered in time', async () => {
  await openChat(requested({ acceptBy: new Date(Date.now() + 119_000).toISOString() }));
  expect(screen.getByRole('timer')).toHaveTextContent(/^1:5\d$/);
  expect(screen.getByText('Held:').closest('p')).toHaveTextContent('1,250.00');
  answer(`GET ${PATH}`, requested({ status: 'expired', endedAt: new Date().toISOString() }));
  tell({ type: 'chat_ended', chatId: 'chat-1', status: 'expired' });
  expect(await screen.findByText('Ann did not answer in time. You got your Nova back.')).toBeVisible();
  expect(screen.queryByRole('timer')).toBeNull();
});

test('a host whose time has run out can neither accept nor decline', async () => {
  await openChat(requested({ side: 'host', acceptBy: new Date(Date.now() + 1_500).toISOString() }));
  expect(await button('Accept')).toBeEnabled();
  await waitFor(async () => expect(await button('Accept')).toBeDisabled());
  expect(await button('Decline')).toBeDisabled();
  expect(screen.getByRole('timer')).toHaveTextContent('0:00');
});

test('a request that the host declined counts as declined although the answer got lost', async () => {
  const user = await openChat(requested({ side: 'host' }));
  answer('POST /api/chats/decline-request/chat-1', lostAnswer());
  answer(`GET ${PATH}`, requested({ side: 'host', status: 'declined' }));
  await user.click(await button('Decline'));
  expect(await toast('Chat declined')).toHaveTextContent('You declined this request.');
  await waitFor(() => expect(path()).toBe('/'));
});

test('the rating stays on the screen until the summary is there, which waits for nothing else', async () => {
  const user = await openChat(successful());
  const rating = held(payout);
  const sent = answer(`POST ${PATH}/rate`, rating.reply);
  await rate50(user);
  answer(`GET ${PATH}`, successful({ myRating: 50 }));
  tell({ type: 'chat_updated', chatId: 'chat-1', status: 'successful' });
  expect(await screen.findByText(/You rated this chat\./)).toBeInTheDocument();
  await user.keyboard('{Escape}');
  expect(await button('Back')).toBeDisabled();
  expect(screen.getByRole('dialog', { name: 'What could have been better?' })).toBeVisible();
  const account = held({ user: null });
  answer('GET /api/auth/user', account.reply);
  rating.letGo();
  expect(await screen.findByRole('dialog', { name: 'Payout summary' })).toHaveTextContent('+1');
  expect(sent.map(({ body }) => body)).toEqual([
    { rating: 50, comment: REVIEW, follow: false, explanation: EXPLANATION },
  ]);
  await user.click(await button('Continue'));
  await waitFor(() => expect(path()).toBe('/'));
});

test('who is declined is told so, what came back, and when they can ask again', async () => {
  await openChat(requested());
  answer(`GET ${PATH}`, requested({ status: 'declined', endedAt: new Date().toISOString(), refunded: 1_250 }));
  tell({ type: 'chat_ended', chatId: 'chat-1', status: 'declined' });
  const outcome = await screen.findByRole('region', { name: 'How it ended' });
  expect(outcome).toHaveTextContent('Ann declined this request');
  expect(outcome).toHaveTextContent(/1,250\.00.*came back to you/);
  expect(within(outcome).getByRole('button', { name: /^Ask again in (60|59) s$/ })).toBeDisabled();
});

test('a minute after a request that nobody answered, the next one is a press away', async () => {
  const over = { status: 'expired', endedAt: new Date(Date.now() - 61_000).toISOString(), refunded: 1_250 };
  const user = await openChat(requested(over));
  await user.click(await button('Ask again'));
  answer('GET /api/chats/chat-2', chatView({ id: 'chat-2', status: 'requested' }));
  const asked = answer('POST /api/chats/initiate', { chatId: 'chat-2', message: 'Ann has 2 minutes.' });
  await pressPaid(user, await button('Request chat for 1,250 Nova'));
  await waitFor(() => expect(path()).toBe('/chat/chat-2'));
  const profileData = (id: string, displayName: string) => ({ id, displayName, profileImageUrl: null });
  expect(asked.map(({ body }) => body)).toEqual([
    {
      hostId: 'member-ann',
      expectedPrice: 1_250,
      initiatorProfileData: profileData('member-ada', 'Ada'),
      hostProfileData: profileData('member-ann', 'Ann'),
    },
  ]);
});

test('a host who declined or broke off has nothing to ask for again', async () => {
  await openChat(terminated({ side: 'host' }));
  const outcome = await screen.findByRole('region', { name: 'How it ended' });
  expect(outcome).not.toHaveTextContent('came back to you');
  expect(
    within(outcome)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Back to Feed']);
});

const conversation = () => screen.findByRole('region', { name: 'Conversation' });

/** A message of the chat as the server sends it. */
const messageOf = (id: string, senderId: string, given: object = {}) => ({
  id,
  chatId: 'chat-1',
  senderId,
  text: `Text of ${id}`,
  message: `Text of ${id}`,
  timestamp: new Date().toISOString(),
  createdAt: new Date().toISOString(),
  clientMessageId: null,
  ...given,
});

const progress = { exchangeCount: 0, totalCharacters: 10, percentage: 1, isSuccessful: false };
const tellMessage = (message: object) => tell({ type: 'new_message', message, exchangeProgress: progress });

test('one’s own message is being sent, then sent', async () => {
  const user = await openChat(active());
  await user.type(await screen.findByLabelText('Message'), 'Hello{Enter}');
  const talk = await conversation();
  expect(talk).toHaveTextContent('Sending…');
  await waitFor(() => expect(frames.map(({ type }) => type)).toContain('chat_message'));
  const clientMessageId = frames.find(({ type }) => type === 'chat_message')?.['clientMessageId'];
  tell({ type: 'message_ack', clientMessageId, id: 'm1' });
  await waitFor(() => expect(talk).toHaveTextContent('Sent'));
  expect(talk).not.toHaveTextContent('Sending…');
  tellMessage(messageOf('m1', 'member-ada', { text: 'Hello', clientMessageId }));
  await waitFor(() => expect(talk).toHaveTextContent('Sent'));
  expect(within(talk).getAllByText('Hello')).toHaveLength(1);
});

test('without a network, one is told so at once, and a message waits for it', async () => {
  const user = await openChat(active());
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(await screen.findByText(/^You are offline/)).toBeVisible();
  await user.type(await screen.findByLabelText('Message'), 'From a tunnel{Enter}');
  const talk = await conversation();
  expect(talk).toHaveTextContent('Queued');
  expect(frames.map(({ type }) => type)).not.toContain('chat_message');
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(frames.map(({ type }) => type)).toContain('chat_message'));
  await waitFor(() => expect(talk).not.toHaveTextContent('Queued'));
  expect(screen.queryByText(/^You are offline/)).toBeNull();
});

test('a silent chat offers ways to begin, which fill the box and send nothing', async () => {
  const user = await openChat(active());
  const openers = await screen.findByRole('list', { name: 'Ways to begin' });
  const [first] = within(openers).getAllByRole('button');
  if (first === undefined) throw new Error('There are no openers.');
  expect(within(openers).getAllByRole('button')).toHaveLength(3);
  await user.click(first);
  const box = screen.getByLabelText('Message');
  expect(box).toHaveValue(first.textContent);
  expect(box).toHaveFocus();
  expect(frames.map(({ type }) => type)).not.toContain('chat_message');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Ways to begin' })).toBeNull());
});

test('what is typed and not sent is there again after a look at another page', async () => {
  const user = await openChat(active());
  await user.type(await screen.findByLabelText('Message'), 'Half a sent');
  await user.click(screen.getByRole('link', { name: 'Back to discovery' }));
  await screen.findByRole('heading', { level: 1, name: 'Discover' });
  history.back();
  expect(await screen.findByLabelText('Message')).toHaveValue('Half a sent');
});

test('one sees that the other side is typing', async () => {
  await openChat(active());
  tell({ type: 'user_typing', chatId: 'chat-1', userId: 'member-ann', typing: true });
  expect(await screen.findByText('Ann is typing…')).toBeVisible();
  tell({ type: 'user_typing', chatId: 'chat-1', userId: 'member-ann', typing: false });
  await waitFor(() => expect(screen.queryByText('Ann is typing…')).toBeNull());
});

test('days are told apart, and what came since one looked is marked until one writes', async () => {
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const [seen, unseen] = [messageOf('m1', 'member-ann', { createdAt: at(1) }), messageOf('m2', 'member-ann')];
  const read = answer('POST /api/chats/chat-1/read', () => new Response(null, { status: 204 }));
  const user = await openChat(active({ messages: [seen, unseen], readThrough: seen.createdAt }));
  const talk = await conversation();
  expect(talk).toHaveTextContent(/Yesterday.*Text of m1.*Today.*New messages.*Text of m2/);
  await user.type(await screen.findByLabelText('Message'), 'I am back{Enter}');
  tellMessage(messageOf('m3', 'member-ada', { text: 'I am back' }));
  await waitFor(() => expect(talk).not.toHaveTextContent('New messages'));
  await waitFor(() => expect(read.map(({ body }) => body)).toEqual([{ messageId: 'm2' }, { messageId: 'm3' }]));
});

test('a message elsewhere is told with a toast that leads there, and counted in the title until one looks', async () => {
  answer('GET /api/chats/mine', { chats: [summary('active')] });
  const user = open('/');
  await screen.findByRole('heading', { level: 1, name: 'Discover' });
  await waitFor(() => expect(frames.map(({ type }) => type)).toContain('join_global'));
  tellMessage(messageOf('m1', 'member-Ann', { text: 'Are you there?' }));
  expect(await toast('Are you there?')).toHaveTextContent('Ann');
  tellMessage(messageOf('m2', 'member-Ann'));
  await waitFor(() => expect(document.title).toBe('(2) Discover · Nova'));
  answer(`GET ${PATH}`, active());
  await user.click(await button('Open the chat'));
  await screen.findByLabelText('About this chat');
  await waitFor(() => expect(frames.map(({ type }) => type)).toContain('join_chat'));
  tell({ type: 'joined', chatId: 'chat-1' });
  await waitFor(() => expect(document.title).toBe('Chat with Ann · Nova'));
});

const ringing = (given: object = {}) => ({
  type: 'video_chat_started',
  chatId: 'chat-1',
  sessionId: 'call-1',
  startedBy: 'member-ann',
  starter: member({ id: 'member-ann', displayName: 'Ann' }),
  ringsUntil: new Date(Date.now() + 45_000).toISOString(),
  ...given,
});

/** A page that has nothing to do with the chat, on which Ann's call rings. */
async function openWhileRinging(given: object = {}) {
  const user = open('/');
  await screen.findByRole('heading', { level: 1, name: 'Discover' });
  await waitFor(() => expect(frames.map(({ type }) => type)).toContain('join_global'));
  tell(ringing(given));
  const call = await screen.findByRole('region', { name: 'Incoming call' });
  expect(call).toHaveTextContent('Annis calling you.');
  return user;
}

const ringIsOver = () => waitFor(() => expect(screen.queryByRole('region', { name: 'Incoming call' })).toBeNull());

/** What a browser that may be heard plays, in hertz. */
function hearing(): number[] {
  const heard: number[] = [];
  class Sound {
    readonly currentTime = 0;
    readonly frequency = { value: 0 };
    readonly gain = {
      setValueAtTime: () => undefined,
      linearRampToValueAtTime: () => undefined,
      exponentialRampToValueAtTime: () => undefined,
    };
    resume = () => Promise.resolve();
    createOscillator = () => new Sound();
    createGain = () => new Sound();
    connect = (next: Sound) => next;
    start = () => void heard.push(this.frequency.value);
    stop = () => undefined;
  }
  Object.assign(globalThis, { AudioContext: Sound });
  Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: true }, configurable: true });
  return heard;
}

test('calls and messages elsewhere are heard, unless the member does not want it on this device', async () => {
  const heard = hearing();
  storeValue('nova.sounds', 'off');
  await openWhileRinging();
  tellMessage(messageOf('m1', 'member-Ann', { text: 'Are you there?' }));
  await toast('Are you there?');
  expect(heard).toEqual([]);
  act(() => storeValue('nova.sounds', 'on'));
  expect(heard).toEqual([660, 880, 660, 880]);
  tellMessage(messageOf('m2', 'member-Ann'));
  await waitFor(() => expect(heard).toEqual([660, 880, 660, 880, 880, 1_175]));
});

test.each(['/terms', '/reset-password', '/device', '/verify-email', '/oauth/consent'])(
  'a call rings on %s, outside of the frame of members',
  async (address) => {
    open(address);
    await waitFor(() => expect(frames.map(({ type }) => type)).toContain('join_global'));
    tell(ringing());
    expect(await screen.findByRole('region', { name: 'Incoming call' })).toHaveTextContent('Annis calling you.');
  },
);

test('a call rings on any page, and is declined there', async () => {
  const user = await openWhileRinging();
  await user.click(await button('Decline the call'));
  await ringIsOver();
  await waitFor(() => expect(frames).toContainEqual({ type: 'video_decline', chatId: 'chat-1', sessionId: 'call-1' }));
});

for (const [what, frame] of [
  ['answered', ringing({ startedBy: 'member-ada' })],
  ['declined', { type: 'video_declined', chatId: 'chat-1', sessionId: 'call-1', declinedBy: 'member-ada' }],
] as const) {
  test(`a call that is ${what} on another page rings no more`, async () => {
    await openWhileRinging();
    tell(frame);
    await ringIsOver();
    expect(screen.queryByText('Missed call')).toBeNull();
  });
}

test('a call that the other side gives up was missed', async () => {
  await openWhileRinging();
  tell({ type: 'video_ended', chatId: 'chat-1', sessionId: 'call-1', endedBy: 'member-ann' });
  await ringIsOver();
  expect(await toast('Missed call')).toHaveTextContent('Ann called you.');
});

test('a call that nobody ends stops ringing by itself', async () => {
  await openWhileRinging({ ringsUntil: new Date(Date.now() + 1_000).toISOString() });
  await ringIsOver();
  expect(await toast('Missed call')).toBeVisible();
});

test('who accepts a call joins it at once, on its page', async () => {
  const ann = { ...summary('active'), otherUser: member({ id: 'member-ann', displayName: 'Ann' }) };
  answer('GET /api/chats/mine', { chats: [ann] });
  answer('GET /api/realtime/ice-servers', { iceServers: [] });
  const user = await openWhileRinging();
  await user.click(await button('Accept the call'));
  await waitFor(() => expect(path()).toBe('/video-chat/member-ann'));
  // There is no camera here: that it was asked for shows that the page joins without another press.
  expect((await screen.findAllByText(/camera/))[0]).toBeVisible();
});

test('the question whether to terminate says what goes back, and stays until it is done', async () => {
  const user = await openChat(active({ side: 'host' }));
  const exit = held({ message: 'The chat is over.', chatId: 'chat-1' });
  answer(`POST ${PATH}/exit`, exit.reply);
  await terminate(user);
  const dialog = screen.getByRole('dialog', { name: 'Terminate this chat?' });
  expect(dialog).toHaveTextContent('all 1,250 Nova go back');
  expect(within(dialog).getByRole('button', { name: 'Keep chatting' })).toBeDisabled();
  await user.keyboard('{Escape}');
  expect(dialog).toBeVisible();
  answer(`GET ${PATH}`, terminated({ side: 'host' }));
  exit.letGo();
  await waitFor(() => expect(path()).toBe('/feed'));
});

test('the last message of a success is read before the rating lies over it, unless one asks for it', async () => {
  const user = await openChat(active());
  answer(`GET ${PATH}`, successful());
  tell({ type: 'chat_updated', chatId: 'chat-1', status: 'successful' });
  const rate = await button('Rate this chat');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(rate);
  expect(screen.getByRole('dialog', { name: /^How was your chat/ })).toBeVisible();
});

test('who asks how a terminated chat ended stays with it', async () => {
  const user = await openChat(active());
  answer(`GET ${PATH}`, terminated());
  tell({ type: 'chat_terminated', chatId: 'chat-1', terminatedBy: 'host' });
  await user.click(await screen.findByRole('link', { name: 'Show it' }));
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(path()).toBe('/chat/chat-1');
  expect(screen.getByRole('region', { name: 'How it ended' })).toHaveTextContent('Ann ended this chat.');
});

test('letters from right to left take no word of a sentence along', async () => {
  const host = member({ id: 'member-omar', displayName: 'عمر' });
  await openChat(successful({ host, hostId: host.id, myRating: 60 }));
  expect(await screen.findByText(/has rated as well/)).toHaveTextContent('when \u2068عمر\u2069 has rated as well');
});

test('a rating counts although its answer got lost', async () => {
  const user = await openChat(successful());
  const replies = [() => lostAnswer(), () => refusal(409, 'ALREADY_RATED', 'You have rated this chat.')];
  const sent = answer(`POST ${PATH}/rate`, () => replies.shift()?.() ?? lostAnswer());
  await rate50(user);
  expect(await toast('Failed to complete chat')).toBeVisible();
  answer(`GET ${PATH}/payout`, { ...payout, isInitiator: false, novaEarned: 625 });
  await user.click(await button('Rate 50 of 100'));
  expect(await screen.findByRole('dialog', { name: 'Payout summary' })).toHaveTextContent('625.00');
  expect(sent[1]).toEqual(sent[0]);
});

test('a termination that failed makes no later one of the other side silent', async () => {
  const user = await openChat(active());
  answer(`POST ${PATH}/exit`, new Response('', { status: 429 }));
  await terminate(user);
  expect(await toast('Failed to terminate chat')).toBeVisible();
  answer(`GET ${PATH}`, terminated());
  tell({ type: 'chat_terminated', chatId: 'chat-1', terminatedBy: 'host' });
  expect(await toast('Chat Terminated')).toHaveTextContent('Ann ended this chat.');
  await waitFor(() => expect(path()).toBe('/feed'));
});

test('a termination counts although its answer got lost', async () => {
  const user = await openChat(active());
  answer(`POST ${PATH}/exit`, lostAnswer());
  answer(`GET ${PATH}`, terminated({ terminatedBy: 'initiator', refunded: 1_250 }));
  await terminate(user);
  expect(await toast('Chat Terminated')).toHaveTextContent('You ended this chat.');
  await waitFor(() => expect(path()).toBe('/feed'));
});

test('who terminates just after the other side is told that the other side did', async () => {
  const user = await openChat(active());
  answer(`POST ${PATH}/exit`, refusal(409, 'CHAT_NOT_ACTIVE', 'This chat has ended.'));
  answer(`GET ${PATH}`, terminated());
  await terminate(user);
  expect(await toast('Chat Terminated')).toHaveTextContent('Ann ended this chat.');
  await waitFor(() => expect(path()).toBe('/feed'));
});

test('who goes elsewhere while the answer to a termination is on its way stays there', async () => {
  const user = await openChat(active());
  const exit = held({ message: 'The chat is over.', chatId: 'chat-1' });
  answer(`POST ${PATH}/exit`, exit.reply);
  await terminate(user);
  answer(`GET ${PATH}`, terminated({ terminatedBy: 'initiator' }));
  tell({ type: 'chat_terminated', chatId: 'chat-1', terminatedBy: 'initiator' });
  await screen.findByRole('region', { name: 'How it ended' });
  await user.click(await screen.findByRole('link', { name: 'Back to discovery' }));
  await screen.findByRole('heading', { level: 1, name: 'Discover' });
  exit.letGo();
  expect(await toast('Chat Terminated')).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(path()).toBe('/');
});

for (const [what, before, after] of [
  ['Chat Accepted!', requested, active],
  ['Chat Terminated', active, terminated],
] as const) {
  test(`what happened while the connection was lost is told once it is back: ${what}`, async () => {
    await openChat(before());
    answer(`GET ${PATH}`, after());
    cutLine();
    expect(await screen.findByText(what)).toBeVisible();
  });
}

test('an address in a message leads there, and nothing else in it does', async () => {
  const text = 'Look (https://example.com/a?b=1&c=(2)), or javascript:alert(1) and <a href="x">. http://';
  await openChat(active({ messages: [messageOf('m1', 'member-ada', { text })] }));
  const link = within(await conversation()).getByRole('link');
  expect(link).toHaveAttribute('href', 'https://example.com/a?b=1&c=(2');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  expect(link.parentElement).toHaveTextContent(text);
});

test('what is typed and not sent is kept in this tab, until the member signs out', async () => {
  const user = await openChat(active());
  await user.type(await screen.findByLabelText('Message'), 'Half a thought');
  expect(JSON.parse(sessionStorage.getItem('nova.drafts') ?? '{}')).toMatchObject({
    texts: [['chat-1', 'Half a thought']],
  });
  answer('POST /api/auth/signout', { message: 'Signed out.' });
  await user.click(screen.getByRole('button', { name: /Account menu/ }));
  answer('GET /api/auth/user', refusal(401, 'UNAUTHENTICATED', 'Sign in.'));
  await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
  await waitFor(() => expect(sessionStorage.getItem('nova.drafts')).toBeNull());
});

test('who leaves a chat as soon as it is accepted is not taken back to it', async () => {
  const user = await openChat(requested());
  answer(`GET ${PATH}`, active());
  tell({ type: 'chat_accepted', chatId: 'chat-1', message: '' });
  await screen.findByLabelText('Message');
  expect(document.querySelector('[data-sonner-toast]')).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Back to discovery' }));
  expect(path()).toBe('/');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(path()).toBe('/');
});

test('a chat that was terminated while it was not on the screen can be looked at', async () => {
  const user = await openChat(active());
  await user.click(screen.getByRole('link', { name: 'Back to discovery' }));
  await screen.findByRole('heading', { level: 1, name: 'Discover' });
  answer(`GET ${PATH}`, terminated());
  history.back();
  expect(await screen.findByRole('region', { name: 'How it ended' })).toHaveTextContent('Ann ended this chat.');
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(screen.queryByText('Chat Terminated')).toBeNull();
  expect(path()).toBe('/chat/chat-1');
});

test('a message that is refused is told, and so is trouble with the chat', async () => {
  const user = await openChat(active());
  const message = await screen.findByLabelText('Message');
  await user.type(message, 'Are you there?{Enter}');
  await waitFor(() => expect(frames.map(({ type }) => type)).toContain('chat_message'));
  const clientMessageId = frames.find(({ type }) => type === 'chat_message')?.['clientMessageId'];
  tell({ type: 'error', chatId: 'chat-1', clientMessageId, code: 'CHAT_NOT_ACTIVE', message: 'This chat has ended.' });
  expect(await toast('Failed to send message')).toHaveTextContent('This chat has ended.');
  expect(await button('Send again')).toBeVisible();
  const sentence = 'Video is possible in an active chat only.';
  tell({ type: 'error', chatId: 'chat-1', code: 'CHAT_NOT_ACTIVE', message: sentence });
  expect(await toast('Connection Error')).toHaveTextContent(sentence);
});

test('a nudge is told on the page of its chat', async () => {
  await openChat(active());
  tell({ type: 'chat_nudged', chatId: 'chat-1', message: 'Ann is waiting for you.' });
  expect(await toast('Nudge')).toHaveTextContent('Ann is waiting for you.');
  expect(screen.queryByRole('button', { name: 'Open the chat' })).toBeNull();
});

test('a chat that cannot be loaded says so, and a stranger is told that there is none', async () => {
  answer(`GET ${PATH}`, new Response('', { status: 429 }));
  const user = open('/chat/chat-1');
  expect(await screen.findByRole('alert')).toHaveTextContent('This chat could not be loaded.');
  answer(`GET ${PATH}`, refusal(404, 'CHAT_NOT_FOUND', 'There is no such chat.'));
  await user.click(await button('Try again'));
  expect(await screen.findByRole('heading', { name: 'Chat not found' })).toBeVisible();
});

test('the video page says when the chats cannot be loaded, and can be tried again', async () => {
  answer('GET /api/chats/mine', new Response('', { status: 429 }));
  const user = open('/video-chat/member-ann');
  expect(await screen.findByRole('alert')).toHaveTextContent('Your chats could not be loaded.');
  answer('GET /api/chats/mine', { chats: [] });
  await user.click(await button('Try again'));
  expect(await screen.findByText('No active chat with this member')).toBeVisible();
});

const summary = (status: string) => ({
  id: 'chat-1',
  status,
  side: 'initiator',
  otherUser: member({ id: 'member-Ann', displayName: 'Ann' }),
  price: 1_250,
  percentage: 0,
  acceptBy: new Date(Date.now() + 120_000).toISOString(),
  verifyBy: null,
  lastMessageAt: null,
  isUnread: false,
});

/** The chat in a sidebar beside the other member's card, once it is connected. */
async function openBesideCard(chat: { status: string }) {
  answerCards(card({ displayName: 'Ann', isUnlocked: true }));
  answer('GET /api/chats/mine', { chats: [summary(chat.status)] });
  answer(`GET ${PATH}`, chat);
  const user = open('/');
  await user.click(await button('Open chat with Ann'));
  const sidebar = await screen.findByRole('dialog', { name: 'Chat with Ann' });
  await within(sidebar).findByLabelText('About this chat');
  await waitFor(() => expect(frames.map(({ type }) => type)).toContain('join_chat'));
  return { user, sidebar };
}

test('beside its card, a chat is written to like on its page', async () => {
  const { user, sidebar } = await openBesideCard(active());
  await user.type(within(sidebar).getByLabelText('Message'), 'Hello from beside the card{Enter}');
  await waitFor(() => expect(frames.map(({ type }) => type)).toContain('chat_message'));
  const said = frames.find(({ type }) => type === 'chat_message');
  expect(Object.values(said ?? {})).toEqual(expect.arrayContaining(['chat-1', 'Hello from beside the card']));
});

test('a chat is rated beside its card, and the summary closes with it', async () => {
  const { user } = await openBesideCard(active());
  answer(`GET ${PATH}`, successful());
  tell({ type: 'chat_updated', chatId: 'chat-1', status: 'successful' });
  await screen.findByRole('dialog', { name: /^How was your chat/ });
  answer(`POST ${PATH}/rate`, payout);
  await rate50(user);
  expect(await screen.findByRole('dialog', { name: 'Payout summary' })).toHaveTextContent('+1');
  await user.click(await button('Continue'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

for (const isAsked of [false, true]) {
  const what = isAsked ? 'the question whether to terminate' : 'the message field';
  test(`beside its card, a chat keeps the focus when its success ends ${what}`, async () => {
    const { user, sidebar } = await openBesideCard(active());
    await user.click(within(sidebar).getByLabelText('Message'));
    if (isAsked) await user.click(await button('Terminate Chat'));
    answer(`GET ${PATH}`, successful());
    tell({ type: 'chat_updated', chatId: 'chat-1', status: 'successful' });
    await screen.findByRole('dialog', { name: /^How was your chat/ });
    await user.click(await button('Cancel'));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^How was your chat/ })).toBeNull());
    await waitFor(() => expect(sidebar).toContainElement(document.activeElement as HTMLElement));
  });
}

test('a card asks for a chat where none is open', async () => {
  answerCards(card({ displayName: 'Ann', isUnlocked: true }));
  answer('GET /api/chats/mine', { chats: [summary('successful')] });
  const user = open('/');
  await user.click(await button('Open the profile of Ann'));
  expect(await button('Chat with Ann')).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Open chat with Ann' })).toBeNull();
});

test('a chat that has ended is left beside its card', async () => {
  const { user, sidebar } = await openBesideCard(requested());
  answer(`GET ${PATH}`, requested({ status: 'declined', endedAt: new Date().toISOString() }));
  tell({ type: 'chat_ended', chatId: 'chat-1', status: 'declined' });
  expect(await within(sidebar).findByText(/declined this request/)).toBeVisible();
  await user.click(within(sidebar).getByText('Back to Feed'));
  await waitFor(() => expect(sidebar).not.toBeInTheDocument());
});

test('beside a card, too, the other side’s termination is told, and leads to the feed', async () => {
  const { sidebar } = await openBesideCard(active());
  answer(`GET ${PATH}`, terminated());
  tell({ type: 'chat_terminated', chatId: 'chat-1', terminatedBy: 'host' });
  expect(await toast('Chat Terminated')).toBeVisible();
  await waitFor(() => expect(path()).toBe('/feed'));
  await waitFor(() => expect(sidebar).not.toBeInTheDocument());
});

test('a chat beside its card says when it cannot be loaded, and closes like a dialog', async () => {
  answerCards(card({ displayName: 'Ann' }));
  answer('GET /api/chats/mine', { chats: [summary('active')] });
  answer(`GET ${PATH}`, new Response('', { status: 429 }));
  const user = open('/');
  const opener = await button('Open chat with Ann');
  await user.click(opener);
  const sidebar = () => screen.findByRole('dialog', { name: 'Chat with Ann' });
  expect(await within(await sidebar()).findByRole('alert')).toHaveTextContent('This chat could not be loaded.');
  answer(`GET ${PATH}`, active());
  await user.click(await button('Try again'));
  expect(await screen.findByLabelText('Message')).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(opener).toHaveFocus());
  await user.keyboard('{Enter}');
  await sidebar();
  await waitFor(() => expect(history.state?.dialogDepth).toBe(1));
  history.back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(opener).toHaveFocus());
});

test('a request that was given up is made anew, and leads to its chat although its dialog was closed', async () => {
  answerCards(card({ displayName: 'Ann', isUnlocked: true }));
  const user = open('/');
  await user.click(await button('Open the profile of Ann'));
  await user.click(await button('Chat with Ann'));
  const abandoned = answer('POST /api/chats/initiate', refusal(409, 'REQUEST_ABANDONED', 'This took too long.'));
  const ask = await button('Request chat for 1,250 Nova');
  await pressPaid(user, ask);
  expect(await toast('Failed to start chat')).toHaveTextContent('This took too long.');
  const initiated = held({ chatId: 'chat-1', message: 'Ann has 2 minutes.' });
  const anew = answer('POST /api/chats/initiate', initiated.reply);
  await pressPaid(user, ask);
  await waitFor(() => expect(anew).toHaveLength(1));
  expect(anew[0]?.idempotencyKey).not.toBe(abandoned[0]?.idempotencyKey);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answer(`GET ${PATH}`, requested());
  initiated.letGo();
  expect(await toast('Chat requested')).toBeVisible();
  await waitFor(() => expect(path()).toBe('/chat/chat-1'));
  expect(await screen.findByRole('timer')).toHaveTextContent(/^[12]:\d\d$/);
});

test('a call says when the camera is refused', async () => {
  const ann = { ...summary('active'), otherUser: member({ id: 'member-ann', displayName: 'Ann' }) };
  answer('GET /api/chats/mine', { chats: [ann] });
  answer(`GET ${PATH}`, active());
  answer('GET /api/realtime/ice-servers', { iceServers: [] });
  const user = open('/video-chat/member-ann');
  await user.click(await button('Start call'));
  expect((await screen.findAllByText(/camera/))[0]).toBeVisible();
});
