import { beforeEach, expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, held, open, refusal } from '@/testing/nova';

const takeout = (given: object = {}) => ({
  id: 'takeout-1',
  state: 'waiting',
  progress: 0,
  orderedAt: '2026-01-31T12:00:00.000Z',
  bytes: null,
  expiresAt: null,
  ...given,
});
const ready = takeout({
  state: 'ready',
  progress: 100,
  bytes: 3_565_158,
  expiresAt: '2026-02-07T12:00:00.000Z',
});

beforeEach(() => {
  // What else the settings show.
  answer('GET /api/profile', held(null).reply);
  answer('GET /api/auth/passkeys', { passkeys: [], recoveryCodes: 0 });
  answer('GET /api/users/blocked', { members: [], nextCursor: null });
});

async function openCard() {
  const user = open('/profile?tab=settings');
  const heading = await screen.findByRole('heading', { name: 'Your Data' });
  return { user, card: within(heading.closest('section') ?? document.body) };
}

test('the file is asked for, made with its progress, and ready', async () => {
  const states = [takeout({ state: 'running', progress: 40 }), ready];
  answer('GET /api/takeout', { takeout: null });
  const ordered = answer('POST /api/takeout', takeout());
  const { user, card } = await openCard();
  const button = await card.findByRole('button', { name: 'Download Everything of Mine' });
  answer('GET /api/takeout', () => ({ takeout: states.shift() ?? ready }));
  await user.click(button);
  expect(await card.findByRole('progressbar', { name: 'Your file' })).toHaveAttribute('aria-valuenow', '0');
  expect(card.getByText(/You can leave this page/)).toBeVisible();
  expect(card.queryByRole('button')).toBeNull();
  expect(await card.findByText('40%', {}, { timeout: 4_000 })).toBeVisible();
  expect(await card.findByRole('button', { name: 'Download ZIP (3.4 MB)' }, { timeout: 4_000 })).toBeVisible();
  expect(card.getByText(/You can download it until Feb 7, 2026/)).toBeVisible();
  expect(ordered).toHaveLength(1);
}, 15_000);

test('the browser saves the file from where the server says it is', async () => {
  const saved: string[] = [];
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(`${new URL(this.href).pathname} ${this.hasAttribute('download')}`);
  });
  answer('GET /api/takeout', { takeout: ready });
  answer('GET /api/takeout/takeout-1', { url: '/api/takeout/takeout-1/file' });
  const { user, card } = await openCard();
  await user.click(await card.findByRole('button', { name: /Download ZIP/ }));
  await waitFor(() => expect(saved).toEqual(['/api/takeout/takeout-1/file true']));
  click.mockRestore();
});

test('a file that is gone meanwhile is said, and a new one can be asked for', async () => {
  answer('GET /api/takeout', { takeout: ready });
  answer('GET /api/takeout/takeout-1', () => refusal(404, 'NOT_FOUND', 'This takeout was not found.'));
  answer('POST /api/takeout', () =>
    refusal(429, 'TOO_MANY_TAKEOUTS', 'You can ask for everything of yours 3 times a day. Please try again later.'),
  );
  const { user, card } = await openCard();
  await user.click(await card.findByRole('button', { name: /Download ZIP/ }));
  expect(await card.findByText(/was not found/)).toBeVisible();
  await user.click(card.getByRole('button', { name: 'Make a New File' }));
  expect(await card.findByText(/3 times a day/)).toBeVisible();
});

test('a file that could not be made can be asked for again', async () => {
  answer('GET /api/takeout', { takeout: takeout({ state: 'failed' }) });
  const { card } = await openCard();
  expect(await card.findByRole('alert')).toHaveTextContent('Your file could not be made. Please ask for it again.');
  expect(card.getByRole('button', { name: 'Download Everything of Mine' })).toBeEnabled();
});

test('what does not load says so and loads again', async () => {
  answer('GET /api/takeout', () => refusal(503, 'BUSY', 'The server is busy right now. Please try again.'));
  const { user, card } = await openCard();
  expect(await card.findByRole('alert')).toHaveTextContent('The server is busy right now.');
  answer('GET /api/takeout', { takeout: null });
  await user.click(card.getByRole('button', { name: /again/i }));
  expect(await card.findByRole('button', { name: 'Download Everything of Mine' })).toBeVisible();
});
