import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, member, open, refusal, toast } from '@/testing/nova';

const thread = {
  id: 'thread-1',
  ownerId: 'member-ada',
  blockNumber: 1,
  connectionType: 'karma',
  ownerRole: 'host',
  connectedUser: member({ id: 'member-ann', displayName: 'Ann' }),
  connectedUserMood: 'blue',
  connectedUserRating: 84,
  connectedUserComment: 'A lovely talk.',
  ownerRating: 91,
  ownerComment: 'Full of ideas.',
  personalNovaReceived: 1,
  personalNovaOwed: 1,
  chatId: 'chat-1',
  givenRating: 91,
  receivedRating: 84,
  previousHash: '0'.repeat(64),
  hash: 'f'.repeat(64),
  at: 1,
  createdAt: '2026-01-31T12:00:00.000Z',
};
const stats = {
  blocks: 1,
  karmaThreads: 1,
  influenceThreads: 0,
  firstAt: null,
  lastAt: null,
  headHash: null,
  totalNovaReceived: null,
  totalNovaOwed: null,
  averageGiven: null,
  averageReceived: null,
};
const THREADS = 'GET /api/personal-threads';
const STATS = 'GET /api/personal-threads/stats';

const button = (name: string) => screen.findByRole('button', { name });

test('a member without threads is told how one is made', async () => {
  answer(THREADS, []);
  answer(STATS, { ...stats, blocks: 0 });
  const user = open('/?tab=nexus');
  expect(await screen.findByText('No threads yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Find someone to talk to' })).toBeVisible();
  await user.click(await button('Personal Blockchain'));
  await waitFor(() => expect(screen.getByRole('dialog')).toHaveTextContent('Blocks0'));
  expect(screen.queryByRole('button', { name: 'Check the chain' })).toBeNull();
});

test('what cannot be loaded says so, and can be tried again', async () => {
  const refused = () => refusal(404, 'X', 'Not this.');
  answer(THREADS, refused);
  answer(STATS, refused);
  const user = open('/?tab=nexus');
  expect(await toast('Failed to fetch personal threads')).toBeVisible();
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch personal threads');
  await user.click(await button('Personal Blockchain'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Unable to load network stats');
  answer(STATS, stats);
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getByRole('dialog')).toHaveTextContent('Blocks1'));
  await user.click(dialog.getByRole('button', { name: 'Check the chain' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Not this.');
  await user.keyboard('{Escape}');
  answer(THREADS, [thread]);
  await user.click(await button('Try again'));
  const list = await screen.findByRole('list', { name: 'Threads, newest first' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(1);
  expect(list).toHaveTextContent('Ann');
});
