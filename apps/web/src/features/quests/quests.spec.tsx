import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, held, open, refusal, toast } from '@/testing/nova';

const HOUR_MS = 3_600_000;
const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();

const quest = (given: { title: string; [field: string]: unknown }) => ({
  id: given.title,
  description: 'Make somebody’s day.',
  reward: 250,
  startTime: fromNow(-HOUR_MS),
  endTime: fromNow(HOUR_MS),
  isActive: true,
  status: 'active',
  rules: { type: 'gifts_sent', target: 1 },
  ...given,
});

const progress = (questId: string, given: object = {}) => ({
  questId,
  isCompleted: false,
  rewardClaimed: false,
  countersJSON: {},
  percent: 0,
  claimableUntil: '2026-01-03T00:00:00.000Z',
  ...given,
});

const OVER = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z', isActive: false, status: 'expired' };

function answerQuests(quests: object[], standing: object[] = []): void {
  answer('GET /api/quests', { quests });
  answer('GET /api/quests/progress', { progress: standing });
}

const card = async (title: string): Promise<HTMLElement> => {
  const heading = await screen.findByRole('heading', { name: title, level: 3 });
  const item = heading.closest('li');
  if (item === null) throw new Error(`${title} is in no list.`);
  return item;
};

test('a quest tells what counts, how far one is, what it pays and how long it lasts', async () => {
  const gifts = quest({
    title: 'Give',
    reward: 12_345.67,
    endTime: fromNow(49.5 * HOUR_MS),
    rules: { type: 'gifts_sent', target: 2 },
  });
  const nova = quest({ title: 'Earn', rules: { type: 'nova_earned', target: 123_456.78 } });
  answerQuests([gifts, nova], [progress('Give', { countersJSON: { gifts_sent: 1 }, percent: 50 })]);
  open('/quests');
  const give = await card('Give');
  for (const text of ['Send Gifts', '1 / 2', '50% Complete', '12,345.67 Nova', '2d 1h', 'In Progress'])
    expect(give).toHaveTextContent(text);
  const earn = await card('Earn');
  for (const text of ['Earn Nova', '0 / 123,456.78']) expect(earn).toHaveTextContent(text);
  expect(screen.getByText('2 Active')).toBeVisible();
});

test('a reward is claimed once, and a claim that is refused says why and can be made again', async () => {
  // What is done after the goal counts on, and is not shown.
  const done = progress('Give', { isCompleted: true, countersJSON: { gifts_sent: 3 }, percent: 100 });
  answerQuests([quest({ title: 'Give' })], [done]);
  const user = open('/quests');
  expect(await card('Give')).toHaveTextContent('1 / 1');
  const claim = async () => within(await card('Give')).getByRole('button', { name: 'Claim the reward of Give' });
  const refused = answer('POST /api/quests/Give/claim', refusal(409, 'QUEST_CLAIM_OVER', 'The time to claim is over.'));
  await waitFor(async () => expect(await claim()).toBeEnabled());
  await user.click(await claim());
  expect(await toast('Failed to claim reward')).toHaveTextContent('The time to claim is over.');

  const claiming = held({ message: 'You received 250 Nova.', reward: 250, novaBalance: 9_250, projected: true });
  const claimed = answer('POST /api/quests/Give/claim', claiming.reply);
  await waitFor(async () => expect(await claim()).toBeEnabled());
  answerQuests([quest({ title: 'Give' })], [{ ...done, rewardClaimed: true }]);
  await user.dblClick(await claim());
  claiming.letGo();
  expect(await toast('Reward Claimed!')).toHaveTextContent('You received 250 Nova.');
  expect(await card('Give')).toHaveTextContent('Claimed');
  expect(claimed.map(({ idempotencyKey }) => idempotencyKey)).toEqual([refused[0]?.idempotencyKey]);
});

test('a day without quests says so', async () => {
  answerQuests([]);
  open('/quests');
  expect(await screen.findByRole('heading', { name: 'No Active Quests' })).toBeVisible();
  expect(screen.getByText('Check back later for new daily quests and rewards!')).toBeVisible();
  expect(screen.getByText('0 Active')).toBeVisible();
});

test('of quests that are over, what was completed can be claimed until its time', async () => {
  answerQuests(
    [quest({ title: 'Missed', ...OVER }), quest({ title: 'Done', ...OVER })],
    [progress('Done', { isCompleted: true, percent: 100 })],
  );
  open('/quests');
  const missed = within(await card('Missed'));
  await waitFor(() => expect(missed.getAllByText('Expired')).toHaveLength(2));
  const done = await card('Done');
  expect(within(done).getByRole('button', { name: /^Claim/ })).toBeEnabled();
  expect(done).toHaveTextContent('until Jan 3, 2026');
});

test('quests that cannot be loaded say why, and can be asked for again', async () => {
  answerQuests([]);
  answer('GET /api/quests', refusal(429, 'X', 'Too many requests.'));
  const user = open('/quests');
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many requests.');
  answerQuests([]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});
