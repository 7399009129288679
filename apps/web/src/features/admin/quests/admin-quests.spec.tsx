import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerAdmin, fill, held, open, toast } from '@/testing/nova';

const DAY_MS = 24 * 3_600_000;

const quest = {
  id: 'quest-1',
  title: 'Write three lines',
  description: 'Three messages in any chat.',
  reward: 1_250.5,
  startTime: new Date(Date.now() + DAY_MS).toISOString(),
  endTime: new Date(Date.now() + 2 * DAY_MS).toISOString(),
  isActive: false,
  status: 'scheduled',
  rules: { type: 'messages_sent', target: 3 },
  createdAt: new Date().toISOString(),
  createdBy: 'member-ada',
  underWay: 0,
  completed: 0,
  claimed: 0,
  novaPaid: 0,
};

const page = (quests: object[]) => ({
  quests,
  pagination: { page: 1, limit: 10, total: quests.length, totalPages: quests.length },
});

test('a quest is made of what is typed once that is right, and found in the list', async () => {
  answerAdmin();
  const lists = answer('GET /api/admin/quests', page([]));
  const user = open('/admin?section=quests');
  await user.click(await screen.findByRole('button', { name: 'Create Quest' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = (name: string) => dialog.getByLabelText(name);
  const submit = dialog.getByRole('button', { name: 'Create Quest' });
  await user.click(submit);
  expect(await toast('Missing Information')).toHaveTextContent('Please fill in all required fields.');

  await fill(user, field('Title'), quest.title);
  await fill(user, field('Description'), quest.description);
  await fill(user, field('Target'), '3');
  expect(dialog.getByText(/Times of UTC/)).toBeVisible();
  for (const reward of ['-5', 'abc', '0']) {
    await fill(user, field('Reward'), reward);
    await user.click(submit);
    expect(await toast('Invalid Reward')).toHaveTextContent('Reward must be a positive number.');
  }
  await fill(user, field('Reward'), '1,250.50');
  const local = (iso: string) => iso.slice(0, 16);
  await fill(user, field('Ends'), (field('Starts') as HTMLInputElement).value);
  await user.click(submit);
  expect(await dialog.findByText('The end must come after the start.')).toBeVisible();
  await fill(user, field('Starts'), local(quest.startTime));
  await fill(user, field('Ends'), local(quest.endTime));

  const making = held(quest);
  const made = answer('POST /api/admin/quests', making.reply);
  answer('GET /api/admin/quests', page([quest]));
  await user.dblClick(submit);
  making.letGo();
  expect(await toast('Quest Created')).toHaveTextContent('“Write three lines” is scheduled.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // The server sees both presses as one.
  expect(new Set(made.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  expect(made[0]?.body).toEqual({
    title: quest.title,
    description: quest.description,
    reward: 1_250.5,
    startTime: `${local(quest.startTime)}:00.000Z`,
    endTime: `${local(quest.endTime)}:00.000Z`,
    rules: { type: 'messages_sent', target: 3 },
  });
  expect(lists[0]?.url.searchParams.get('status')).toBeNull();
});

test('the list is filtered and sorted by the server, and the address keeps both', async () => {
  answerAdmin();
  const lists = answer('GET /api/admin/quests', page([quest]));
  const user = open('/admin?section=quests');
  const row = await screen.findByRole('row', { name: /Write three lines/ });
  for (const text of ['Scheduled', '1,250.50', 'Send Messages: 3']) expect(row).toHaveTextContent(text);
  const asked = () => lists.at(-1)?.url.searchParams;
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'scheduled');
  await waitFor(() => expect(asked()?.get('status')).toBe('scheduled'));
  expect(location.search).toContain('status=scheduled');
  await user.click(screen.getByRole('button', { name: 'Reward' }));
  await waitFor(() => expect([asked()?.get('sort'), asked()?.get('order')]).toEqual(['reward', 'desc']));
  expect(location.search).toContain('sort=reward');
  expect(asked()?.get('status')).toBe('scheduled');
});
