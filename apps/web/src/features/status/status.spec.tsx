import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import {
  answer,
  chatView,
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

const ANN = member({ id: 'member-ann', displayName: 'Ann' });

const dashboard = {
  earnedNova: 10_000,
  purchasedNova: 0,
  novaBalance: 10_000,
  influenceTokens: 2,
  karmaTokens: 1,
  karmaTokenBalance: 1,
  karmaTokenProgress: { hasKarmaToken: true, current: 3, required: 10, percentage: 30 },
  rating: 4.5,
  ratingCount: 2,
  completedChats: 1,
  pendingRatings: 1,
  pendingRewards: 625,
  pendingRewardItems: [
    { chatId: 'chat-1', otherUser: ANN, nova: 625, influence: 0, message: '', releaseAt: '2026-02-01T12:00:00.000Z' },
  ],
  seyvnBalance: 0,
  seyvnValue: 10_025,
  followPermissions: [],
  testPerksAllowed: false,
};

const toRate = {
  chatId: 'chat-1',
  otherUserName: 'Ann',
  otherUserAvatar: null,
  chatPrice: 1_250,
  rateBy: '2026-02-01T12:00:00.000Z',
};

/** The dashboard's breakdown for this much earned Nova. */
const breakdown = (earned: number) => ({
  total: earned,
  slices: [
    { key: 'purchased', label: 'Purchased', amount: 0 },
    { key: 'earned', label: 'Earned', amount: earned },
  ],
});

const request = () => ({
  id: 'chat-2',
  chatId: 'chat-2',
  hostId: 'member-ada',
  initiatorId: ANN.id,
  initiator: ANN,
  price: 1_250,
  requestedAt: new Date().toISOString(),
  acceptBy: new Date(Date.now() + 120_000).toISOString(),
});

beforeEach(() => {
  answer('GET /api/status/dashboard', dashboard);
  answer('GET /api/status/pending-ratings', [toRate]);
  answer('GET /api/status/nova-breakdown', breakdown(10_000));
  answer('GET /api/chats/mine', { chats: [] });
});

const button = (name: string) => screen.findByRole('button', { name });

test('the dashboard tells figures, what waits, and where the Nova is', async () => {
  answer('GET /api/chats/inbound-priority', { chats: [request()] });
  open('/?tab=status');
  expect(await button('Accept Ann')).toBeEnabled();
  // The request is over soon: it comes before the figures.
  const figures = screen.getByText('Total token value');
  expect(figures.compareDocumentPosition(await button('Accept Ann'))).toBe(Node.DOCUMENT_POSITION_PRECEDING);
  const table = within(await screen.findByRole('table', { name: 'Nova by part' }));
  expect(table.getByRole('row', { name: /^Earned/ })).toHaveTextContent('10,000.00');
  expect(screen.getByText('1 completed chat')).toBeVisible();
  expect(screen.getByText('625 Nova wait for them')).toBeVisible();
  expect(screen.getByText('3 of 10 chats toward the next Karma token')).toBeVisible();
});

test('a dashboard that is still loading says nothing of what it does not know', async () => {
  const loading = held({ ...dashboard, pendingRewards: 0 });
  answer('GET /api/status/dashboard', loading.reply);
  open('/?tab=status');
  expect(await screen.findByText('Pending ratings')).toBeVisible();
  expect(screen.queryByText(/completed chats|waits? for them/)).toBeNull();
  loading.letGo();
  expect(await screen.findByText('No Nova waits for them')).toBeVisible();
});

async function chooseRating(user: ReturnType<typeof open>, stars: number) {
  await user.click(await button('Rate Ann'));
  expect(screen.getByRole('button', { name: 'Choose a rating' })).toBeDisabled();
  await user.click(screen.getByRole('radio', { name: String(stars) }));
  return screen.getByRole('button', { name: `Rate ${stars} of 10` });
}

test('a rating from the dashboard is sent once, and nothing is left to rate', async () => {
  const user = open('/?tab=status');
  const rate = await chooseRating(user, 8);
  const sent = answer('POST /api/status/submit-rating', {
    message: 'You received 625.00 Nova.',
    rewardsReleased: 625,
  });
  answer('GET /api/status/pending-ratings', []);
  await user.click(rate);
  expect(await toast('You received 625.00 Nova.')).toBeVisible();
  expect(await screen.findByText('Nothing to rate.')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent.map(({ body }) => body)).toEqual([{ chatId: 'chat-1', rating: 8 }]);
});

test('a rating that is refused says so, and the dialog stays', async () => {
  const user = open('/?tab=status');
  const rate = await chooseRating(user, 10);
  answer('POST /api/status/submit-rating', refusal(409, 'RATING_CLOSED', 'Rating has closed.'));
  await user.click(rate);
  expect(await toast('Failed to submit rating')).toHaveTextContent('Rating has closed.');
  expect(screen.getByRole('dialog')).toBeVisible();
});

test('a rating whose answer got lost is sent again with its key', async () => {
  const user = open('/?tab=status');
  const rate = await chooseRating(user, 8);
  const replies = [() => lostAnswer(), () => ({ message: 'You received 625.00 Nova.', rewardsReleased: 625 })];
  const sent = answer('POST /api/status/submit-rating', () => replies.shift()?.() ?? lostAnswer());
  await user.click(rate);
  expect(await toast('Failed to submit rating')).toBeVisible();
  await user.click(rate);
  expect(await toast('You received 625.00 Nova.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toHaveLength(2);
  expect(sent[1]?.idempotencyKey).toBe(sent[0]?.idempotencyKey);
});

test('burning shows what goes and what comes, and does it once', async () => {
  const user = open('/?tab=status');
  expect(await screen.findByText(/Test perks are switched off in this installation\./)).toBeVisible();
  expect(await button('Create Test Perks')).toBeDisabled();
  await user.click(await button('Burn for Seyvn'));
  const does = screen.getByRole('region', { name: 'What burning does' });
  expect(does).toHaveTextContent('9,900.00');
  expect(does).toHaveTextContent('0.00 → 100.00');
  const nova = screen.getByLabelText('Earned Nova');
  await fill(user, nova, '10,000.01');
  expect(screen.getByRole('dialog')).toHaveTextContent('You have less than that.');
  expect(screen.getByRole('button', { name: 'Burn' })).toBeDisabled();
  await fill(user, nova, '1,250.5');

  const burning = held({ message: 'You have 1,250.50 Seyvn.' });
  const sent = answer('POST /api/status/burn-tokens', burning.reply);
  const burn = screen.getByRole('button', { name: 'Burn for 1,250.50 Seyvn' });
  await pressPaid(user, burn);
  await user.click(burn);
  answer('GET /api/status/nova-breakdown', breakdown(8_749.5));
  burning.letGo();
  expect(await toast('Burned for Seyvn')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getByRole('table', { name: 'Nova by part' })).toHaveTextContent('Earned8,749.50'));
  expect(sent.map(({ body }) => body)).toEqual([{ earnedNovaAmount: 1_250.5, karmaAmount: 0, influenceAmount: 0 }]);
});

test('burning most of what one has is tried again when its answer got lost', async () => {
  const user = open('/?tab=status');
  await user.click(await button('Burn for Seyvn'));
  await fill(user, screen.getByLabelText('Earned Nova'), '6,000');
  const replies = [() => lostAnswer(), () => ({ message: 'You have 6,000 Seyvn.' })];
  const sent = answer('POST /api/status/burn-tokens', () => replies.shift()?.() ?? lostAnswer());
  answer('GET /api/status/dashboard', { ...dashboard, earnedNova: 4_000, novaBalance: 4_000 });
  const burn = screen.getByRole('button', { name: 'Burn for 6,000 Seyvn' });
  await pressPaid(user, burn);
  // The dashboard now has less than what is burned; the dialog keeps its figures.
  expect(await screen.findByText(/Trying again is safe/)).toBeVisible();
  expect(screen.getByLabelText('Earned Nova')).toHaveAttribute('readonly');
  await waitFor(() => expect(burn).toBeEnabled());
  await pressPaid(user, burn);
  expect(await toast('Burned for Seyvn')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test('a request that is gone cannot be accepted, and the reason is said', async () => {
  answer('GET /api/chats/inbound-priority', { chats: [request()] });
  answer('GET /api/chats/chat-2', chatView({ id: 'chat-2', status: 'expired' }));
  const user = open('/?tab=status');
  for (const call of ['accept', 'decline'] as const)
    answer(`POST /api/chats/${call}-request/chat-2`, refusal(409, 'CHAT_EXPIRED', 'This request has expired.'));
  await user.click(await button('Accept Ann'));
  expect(await toast('Failed to accept chat')).toHaveTextContent('This request has expired.');
  await user.click(await button('Decline Ann'));
  expect(await toast('Failed to decline chat')).toHaveTextContent('This request has expired.');
});

test('a request whose time is over says so, and can be neither accepted nor declined', async () => {
  answer('GET /api/chats/inbound-priority', {
    chats: [{ ...request(), acceptBy: new Date(Date.now() - 1_000).toISOString() }],
  });
  open('/?tab=status');
  expect(await button('Accept Ann')).toBeDisabled();
  expect(await button('Decline Ann')).toBeDisabled();
  expect(screen.getByRole('timer')).toHaveTextContent('expired');
});

test('a request that was accepted leads to its chat although the answer got lost', async () => {
  answer('GET /api/chats/inbound-priority', { chats: [request()] });
  const accepted = chatView({ id: 'chat-2', side: 'host', status: 'active', acceptedAt: new Date().toISOString() });
  answer('GET /api/chats/chat-2', accepted);
  answer('POST /api/chats/accept-request/chat-2', lostAnswer());
  const user = open('/?tab=status');
  await user.click(await button('Accept Ann'));
  await waitFor(() => expect(location.pathname).toBe('/chat/chat-2'));
  expect(screen.queryByText('Failed to accept chat')).toBeNull();
});

test('payouts that cannot be loaded say so, and can be tried again', async () => {
  answer('GET /api/chats/completed-history/totals', refusal(404, 'X', 'Not this.'));
  answer('GET /api/chats/completed-history', refusal(404, 'X', 'Not this.'));
  const user = open('/payout-history');
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load payout history. Please try again later.');
  answer('GET /api/chats/completed-history', { chatHistories: [], nextCursor: null });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No completed chats yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to the wallet' })).toHaveAttribute('href', '/wallet');
});

test('payouts have their totals, a bar for each month, and the side that one was on', async () => {
  const month = new Date().toISOString().slice(0, 7);
  answer('GET /api/chats/completed-history/totals', {
    chats: 12,
    hostedChats: 7,
    novaEarned: 4_375,
    influencePointsEarned: 6,
    months: [{ month, chats: 12, novaEarned: 4_375 }],
  });
  const chat = {
    chatId: 'chat-1',
    otherUser: member({ id: 'member-ann', displayName: 'Ann' }),
    completedAt: '2026-02-01T12:00:00.000Z',
    novaEarned: 625,
    influencePointsEarned: 0,
    isInitiator: false,
    exchangeCount: 5,
    myRating: 80,
    theirRating: null,
    totalCharacters: 600,
  };
  answer('GET /api/chats/completed-history', {
    chatHistories: [chat, { ...chat, chatId: 'chat-2', isInitiator: true, novaEarned: 0, influencePointsEarned: 1 }],
    nextCursor: null,
  });
  open('/payout-history');
  const totals = within(await screen.findByRole('region', { name: 'Totals' }));
  expect(await totals.findByText('4,375 Nova')).toBeInTheDocument();
  expect(totals.getAllByRole('listitem')).toHaveLength(12);
  expect(totals.getAllByRole('listitem').at(-1)).toHaveTextContent('4,375.00 Nova');
  const sides = (await screen.findAllByRole('link', { name: /Ann/ })).map(
    (link) => /You (hosted|initiated)/.exec(link.textContent ?? '')?.[0],
  );
  expect(sides).toEqual(['You hosted', 'You initiated']);
});

test('a message marks its chat, and counts in the title, until it is read on another device', async () => {
  const createdAt = new Date().toISOString();
  const chat = { id: 'chat-1', status: 'active', side: 'initiator', otherUser: ANN, price: 1_250, percentage: 0 };
  const times = { acceptBy: createdAt, verifyBy: null, lastMessageAt: null };
  answer('GET /api/chats/mine', { chats: [{ ...chat, ...times, isUnread: false }] });
  open('/?tab=status');
  await screen.findByRole('link', { name: /Ann.*Active/ });
  await waitFor(() => expect(frames.map(({ type }) => type)).toContain('join_global'));
  const message = { id: 'm1', chatId: 'chat-1', senderId: ANN.id, clientMessageId: null, text: 'Are you there?' };
  const exchangeProgress = { exchangeCount: 0, totalCharacters: 14, percentage: 2, isSuccessful: false };
  tell({ type: 'new_message', message: { ...message, createdAt }, exchangeProgress });
  expect(await screen.findByText('New messages')).toBeVisible();
  await waitFor(() => expect(document.title).toMatch(/^\(1\) /));
  tell({ type: 'chat_read', chatId: 'chat-1', readThrough: createdAt });
  await waitFor(() => expect(screen.queryByText('New messages')).toBeNull());
  await waitFor(() => expect(document.title).not.toMatch(/^\(/));
});

test('an error leaves the screen once the same thing succeeds', async () => {
  answer('GET /api/chats/inbound-priority', { chats: [request()] });
  const user = open('/?tab=status');
  answer('POST /api/chats/accept-request/chat-2', refusal(429, 'TOO_MANY_REQUESTS', 'Please try again in a moment.'));
  await user.click(await button('Accept Ann'));
  const error = await toast('Failed to accept chat');
  expect(error).toHaveTextContent('Please try again in a moment.');
  const chat = chatView({ id: 'chat-2', status: 'active', side: 'host', verifyBy: request().acceptBy });
  answer('POST /api/chats/accept-request/chat-2', { message: 'Accepted.', chatId: 'chat-2', chat });
  answer('GET /api/chats/chat-2', chat);
  expect(error).toHaveAttribute('data-removed', 'false');
  await user.click(await button('Accept Ann'));
  // Sooner than by itself.
  await waitFor(() => expect(error).toHaveAttribute('data-removed', 'true'), { timeout: 1_500 });
  expect(await screen.findByLabelText('Message')).toBeVisible();
});
