import { beforeEach, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import {
  answer,
  answerCards,
  card,
  fill,
  held,
  lostAnswer,
  MEMBER,
  open,
  pressPaid,
  refusal,
  tell,
  toast,
} from '@/testing/nova';

const katherine = { id: 'member-kat', displayName: 'Katherine', profileImageUrl: null, averageRating: 0 };
const noGifts = { gifts: [], nextCursor: null, summary: { sentCount: 0, receivedCount: 0, totalSent: 0 } };
const preview = {
  amount: 1_000,
  recipientShare: 500,
  influenceShare: 500,
  influenceGoesTo: 'treasury',
  comesBack: 0,
  balanceBefore: 1_500,
  balanceAfter: 500,
  recipient: katherine,
};
const gift = {
  id: 'gift-1',
  amount: 1_000,
  recipientShare: 500,
  influenceShare: 500,
  createdAt: '2026-01-31T12:00:00.000Z',
  senderId: MEMBER.id,
  recipientId: katherine.id,
  sender: { id: MEMBER.id, displayName: 'Ada', profileImageUrl: null },
  recipient: katherine,
};
const withBalance = (novaBalance: number) => answer('GET /api/auth/user', { user: { ...MEMBER, novaBalance } });

beforeEach(() => {
  withBalance(1_500);
  answer('GET /api/gifts/history', noGifts);
  answer('GET /api/users/search', { users: [katherine] });
  answer('POST /api/gifts/preview', preview);
});

const dialog = async () => within(await screen.findByRole('dialog'));
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const balancePill = () => document.querySelector('header');
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

/** A gift of 1,000 Nova for Katherine, ready to be sent. */
async function draftGift(user: ReturnType<typeof open>) {
  const form = await dialog();
  await fill(user, form.getByLabelText('Recipient'), 'Katherine');
  await user.click(await form.findByRole('button', { name: /Katherine/ }));
  await fill(user, form.getByLabelText('Amount'), '1,000');
  return form;
}

test('the dialog stays open until it is known what became of the gift', async () => {
  const user = open('/gifts');
  await user.click((await screen.findAllByRole('button', { name: 'Send Gift' })).at(-1)!);
  const form = await draftGift(user);
  expect(await form.findByRole('region', { name: 'Distribution preview' })).toHaveTextContent('500.00');
  const sending = held({ gift });
  const sent = answer('POST /api/gifts/send', sending.reply);
  await pressPaid(user, form.getByRole('button', { name: 'Send 1,000 Nova' }));
  await waitFor(() => expect(sent).toHaveLength(1));

  await user.keyboard('{Escape}');
  await user.click(form.getByRole('button', { name: 'Close' }));
  fireEvent.pointerDown(document.body);
  history.back();
  await waitFor(() => expect(history.state?.dialogDepth).toBe(1));
  expect(form.getByRole('button', { name: /Send/ })).toHaveAttribute('aria-busy', 'true');
  sending.letGo();
  expect(await toast('Gift Sent')).toBeVisible();
  await noDialog();
  expect(location.pathname).toBe('/gifts');
});

test('a gift of most of the balance is sent again when its answer got lost', async () => {
  const user = open('/gifts?send=1');
  const form = await draftGift(user);
  await form.findByRole('region', { name: 'Distribution preview' });
  const replies = [() => lostAnswer(), () => ({ gift })];
  const sent = answer('POST /api/gifts/send', () => replies.shift()?.() ?? null);
  withBalance(500);
  await pressPaid(user, form.getByRole('button', { name: 'Send 1,000 Nova' }));
  expect(await form.findByText(/We could not confirm that the gift was sent\./)).toBeVisible();
  await waitFor(() => expect(screen.getByRole('dialog')).toHaveTextContent('You have 500.00'));
  expect(form.getByRole('region', { name: 'Distribution preview' })).toBeVisible();
  answer('GET /api/gifts/history', { ...noGifts, gifts: [gift] });
  await pressPaid(user, form.getByRole('button', { name: 'Send 1,000 Nova' }));
  expect(await toast('Gift Sent')).toBeVisible();
  await noDialog();
  expect(sent).toHaveLength(2);
  expect(sent[0]?.idempotencyKey).toMatch(/./);
  expect(sent[1]).toEqual(sent[0]);
  expect(balancePill()).toHaveTextContent('500.00');
  await waitFor(() => expect(screen.getAllByText(/^Gift to/)).toHaveLength(1));
});

test('gives nothing that one does not have', async () => {
  withBalance(0);
  const sent = answer('POST /api/gifts/send', null);
  const user = open('/gifts?send=1');
  const form = await draftGift(user);
  await pressPaid(user, form.getByRole('button', { name: 'Send 1,000 Nova' }));
  const refused = await toast('Insufficient Balance');
  expect(refused).toHaveTextContent("You don't have enough Nova to send this gift.");
  expect(within(refused).getByRole('link', { name: 'Top Up' })).toHaveAttribute('href', '/wallet?topup=1');
  expect(form.getByRole('link', { name: 'Top Up' })).toHaveAttribute('href', '/wallet?topup=1');
  expect(sent).toEqual([]);
});

test('shows the recipient what arrived', async () => {
  const received = {
    ...gift,
    senderId: katherine.id,
    recipientId: MEMBER.id,
    sender: katherine,
    recipient: gift.sender,
    amount: 1_500,
    recipientShare: 750,
  };
  answer('GET /api/gifts/history', { ...noGifts, gifts: [received] });
  open('/gifts');
  const row = (await screen.findByText('Gift from', { exact: false })).closest('li');
  expect(row).toHaveTextContent('Gift from Katherine');
  expect(row).toHaveTextContent('+750.00');
});

test('a chat for the whole balance is requested again when its answer got lost', async () => {
  answerCards(card({ displayName: 'Hal', isUnlocked: true }));
  answer('GET /api/chats/mine', { chats: [] });
  answer('GET /api/chats/pending-requests', { requests: [] });
  withBalance(1_250);
  const user = open('/');
  await user.click(await button('Open the profile of Hal'));
  await user.click(await button('Chat with Hal'));
  const replies = [() => lostAnswer(), () => ({ message: 'Asked.', chatId: 'chat-1' })];
  const sent = answer('POST /api/chats/initiate', () => replies.shift()?.() ?? null);
  withBalance(0);
  const request = await button('Request chat for 1,250 Nova');
  await pressPaid(user, request);
  expect(await screen.findByText(/We could not confirm your request\./)).toBeVisible();
  await waitFor(() => expect(balancePill()).toHaveTextContent(/(^|\D)0\.00/));
  answer('GET /api/chats/chat-1', refusal(404, 'CHAT_NOT_FOUND', 'There is no such chat.'));
  await pressPaid(user, request);
  await waitFor(() => expect(location.pathname).toBe('/chat/chat-1'));
  expect(sent[0]?.idempotencyKey).toMatch(/./);
  expect(sent[1]).toEqual(sent[0]);
});

test('a balance that goes on moving is said once it rests', async () => {
  withBalance(0);
  open('/gifts');
  await screen.findByRole('heading', { level: 1, name: 'Gifts' });
  const said = () => screen.getAllByRole('status').filter((each) => each.textContent.includes('Nova'));
  const shown = () => document.querySelector('header [title$=" Nova"]')?.getAttribute('title');
  expect(said()[0]).toHaveTextContent('0 Nova');
  for (const balance of [500, 1_000]) {
    withBalance(balance);
    tell({ type: 'balance_changed' });
    await waitFor(() => expect(shown()).toBe(`${balance.toLocaleString('en-US')} Nova`));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(said()[0]).toHaveTextContent(/^0 Nova$/);
  }
  await waitFor(() => expect(said()[0]).toHaveTextContent(/^1,000 Nova$/));
});

const intent = {
  clientSecret: 'secret',
  paymentIntentId: 'pi_1',
  amount: 1_250,
  chargedCents: 100,
  sandbox: true,
  publishableKey: null,
};

/** Everything up to the press of Pay, with a card number. */
async function pay(user: ReturnType<typeof open>, number: string) {
  const form = await dialog();
  await user.click(await form.findByRole('button', { name: /^1,250/ }));
  await user.click(form.getAllByRole('button').find((each) => each.getAttribute('type') === 'submit')!);
  await fill(user, await form.findByLabelText('Card number'), number);
  await fill(user, form.getByLabelText('Expiry'), '12 / 34');
  await fill(user, form.getByLabelText('CVC'), '123');
  await user.click(form.getByRole('button', { name: /^Pay \$/ }));
  return form;
}

/** The wallet with the dialog that sells Nova. */
function openTopUp() {
  answer('GET /api/nova/transactions', { transactions: [], nextCursor: null });
  answer('POST /api/nova/create-payment-intent', intent);
  answer('POST /api/nova/confirm-purchase', { amount: 1_250, novaBalance: 2_750, eventId: 'event-1', projected: true });
  return open('/wallet?topup=1');
}
const CONFIRM = 'POST /sandbox/stripe/v1/payment_intents/pi_1/confirm';

test('says Payment Failed for a declined card, and takes another card after it', async () => {
  const user = openTopUp();
  const declined = { error: { code: 'card_declined', message: 'Your card was declined.' } };
  answer(CONFIRM, () => Response.json(declined, { status: 402 }));
  const form = await pay(user, '4000000000000002');
  expect(await toast('Payment Failed')).toHaveTextContent('Your card was declined.');
  // Told once: the form says what it means.
  expect(form.queryByText(/declined/)).toBeNull();
  expect(form.getByRole('alert')).toHaveTextContent('Nothing was charged. Check the card, or pay with another one.');
  answer(CONFIRM, { status: 'succeeded' });
  await fill(user, form.getByLabelText('Card number'), '4242424242424242');
  await user.click(form.getByRole('button', { name: /^Pay \$/ }));
  expect(await form.findByText('1,250 Nova added')).toBeVisible();
});

test('keeps to a payment of which nobody knows what became, and buys once', async () => {
  const user = openTopUp();
  const confirmed = answer(CONFIRM, lostAnswer());
  answer('GET /sandbox/stripe/v1/payment_intents/pi_1', lostAnswer());
  const form = await pay(user, '4242424242424242');
  expect(await form.findByText(/Paying again never charges twice\./)).toBeVisible();
  expect(form.getByRole('button', { name: 'Change amount' })).toBeDisabled();
  answer('GET /sandbox/stripe/v1/payment_intents/pi_1', { status: 'succeeded' });
  await user.click(form.getByRole('button', { name: /^Pay \$/ }));
  expect(await form.findByText('1,250 Nova added')).toBeVisible();
  expect(new Set(confirmed.map(({ url }) => url.pathname)).size).toBe(1);
  await user.click(form.getByRole('button', { name: 'Done' }));
  await noDialog();
});

test('a page that is reloaded opens the sale again, unless it was closed or left', async () => {
  const cameBy = (type: string) =>
    jest
      .spyOn(performance, 'getEntriesByType')
      .mockReturnValue([{ type, name: 'http://localhost/wallet' }] as unknown as PerformanceEntryList);
  // What a page leaves that is left in the middle of a sale.
  const leave = () => sessionStorage.setItem('nova.open.topup', '1');
  leave();
  cameBy('navigate');
  answer('GET /api/nova/transactions', { transactions: [], nextCursor: null });
  open('/wallet');
  await screen.findByRole('heading', { level: 1, name: 'Nova Wallet' });
  await noDialog();
  leave();
  cameBy('reload');
  const user = open('/wallet');
  await dialog();
  await user.click(await button('Close'));
  await noDialog();
  open('/wallet');
  await screen.findByRole('heading', { level: 1, name: 'Nova Wallet' });
  await noDialog();
});

test('sells no less than 1,250 Nova', async () => {
  const user = openTopUp();
  const form = await dialog();
  await fill(user, form.getAllByRole('textbox')[0]!, '1,249');
  await user.click(form.getAllByRole('button').find((each) => each.getAttribute('type') === 'submit')!);
  expect(await toast('Invalid Amount')).toHaveTextContent('Minimum purchase amount is 1,250 Nova Points ($1.00)');
  expect(form.getByRole('tab', { name: /Crypto/ })).toBeDisabled();
});
