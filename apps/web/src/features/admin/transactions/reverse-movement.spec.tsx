import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerAdmin, fill, open, refusal, toast } from '@/testing/nova';

const event = (more: object = {}) => ({
  eventId: 'event-1',
  revision: 7,
  type: 'GiftSent',
  createdAt: new Date().toISOString(),
  description: 'Ben sent a gift of 1,000 Nova to Cleo',
  entries: [],
  actor: { kind: 'member', id: 'ben', displayName: 'Ben' },
  cause: null,
  reason: null,
  note: null,
  reversal: null,
  hash: 'a'.repeat(64),
  previousHash: 'b'.repeat(64),
  related: [],
  data: {},
  ...more,
});

const preview = (more: object = {}) => ({
  state: 'whole',
  amount: 1_000,
  returned: 1_000,
  parts: [
    { account: 'user:cleo:earned', holder: 'Cleo', amount: -500 },
    { account: 'treasury', holder: null, amount: -500 },
    { account: 'user:ben:purchased', holder: 'Ben', amount: 1_000 },
  ],
  obstacle: null,
  reversalEventId: null,
  ...more,
});

beforeEach(() => {
  answerAdmin();
  answer('GET /api/admin/events/event-1', event());
});

const panel = () => screen.findByRole('region', { name: 'Reverse this movement' });

test('says what comes back and from whom, asks for a reason, and reverses', async () => {
  answer('GET /api/admin/events/event-1/reversal', preview());
  const sent = answer('POST /api/admin/events/event-1/reverse', {
    eventId: 'event-2',
    returned: 1_000,
    message: 'The movement was reversed: 1,000 Nova came back.',
    projected: true,
  });
  const user = open('/admin/events/event-1');
  await user.click(await screen.findByRole('button', { name: 'Reverse' }));
  const inPanel = within(await panel());
  expect(await inPanel.findByText('All 1,000 Nova come back.')).toBeVisible();
  const [from, treasury, to] = inPanel.getAllByRole('listitem');
  expect(from).toHaveTextContent('Cleo: Member’s earned Nova−500.00');
  expect(treasury).toHaveTextContent('Treasury−500.00');
  expect(to).toHaveTextContent('Ben: Member’s purchased Nova+1,000.00');

  await user.click(inPanel.getByRole('button', { name: 'Reverse 1,000 Nova' }));
  expect(await inPanel.findByText('Say why.')).toBeVisible();
  expect(sent).toEqual([]);
  await fill(user, inPanel.getByLabelText('Reason'), ' Stolen card ');
  const reversed = event({
    reversal: { eventId: 'event-2', returned: 1_000, at: new Date().toISOString() },
  });
  answer('GET /api/admin/events/event-1', reversed);
  await user.click(inPanel.getByRole('button', { name: 'Reverse 1,000 Nova' }));
  expect(await toast('Movement Reversed')).toBeVisible();
  expect(sent[0]?.body).toEqual({ reason: 'Stolen card', partly: false });
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Reverse this movement' })).toBeNull());
  expect(screen.queryByRole('button', { name: 'Reverse' })).toBeNull();
  expect(screen.getByText('Reversed', { selector: 'dt' }).closest('div')).toHaveTextContent('1,000.00');
});

test('returns a part only under that name, and says why not', async () => {
  answer('GET /api/admin/events/event-1/reversal', preview({ state: 'part', returned: 300 }));
  const sent = answer(
    'POST /api/admin/events/event-1/reverse',
    refusal(409, 'ALREADY_REVERSED', 'This movement was reversed before. It can be reversed only once.'),
  );
  const user = open('/admin/events/event-1');
  await user.click(await screen.findByRole('button', { name: 'Reverse' }));
  const inPanel = within(await panel());
  expect(await inPanel.findByText(/Only 300 Nova of 1,000 Nova can come back/)).toBeVisible();
  await fill(user, inPanel.getByLabelText('Reason'), 'Fraud');
  await user.click(inPanel.getByRole('button', { name: 'Reverse a part: 300 Nova' }));
  expect(await inPanel.findByText(/reversed before/)).toBeVisible();
  expect(sent[0]?.body).toEqual({ reason: 'Fraud', partly: true });
});

test('says why nothing can come back', async () => {
  const obstacle = 'The account that would return the Nova is closed.';
  answer('GET /api/admin/events/event-1/reversal', preview({ state: 'impossible', returned: 0, parts: [], obstacle }));
  const user = open('/admin/events/event-1');
  await user.click(await screen.findByRole('button', { name: 'Reverse' }));
  expect(await within(await panel()).findByText(obstacle)).toBeVisible();
  expect(screen.queryByLabelText('Reason')).toBeNull();
});

test('is offered for no other event', async () => {
  answer('GET /api/admin/events/event-1', event({ type: 'NovaPurchased' }));
  open('/admin/events/event-1');
  expect(await screen.findByText('NovaPurchased', { exact: false })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Reverse' })).toBeNull();
});
