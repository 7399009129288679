import { AFFINITY_TRAITS, CURRENT_TRAITS } from '@app/domain';
import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, fill, held, open, refusal, toast } from '@/testing/nova';

const PATH = '/api/resonance';

const slider = (trait: string) => screen.getByRole('slider', { name: trait });
const box = (trait: string) => screen.getByRole('spinbutton', { name: `${trait}, from 0 to 100` });
const traits = (list: 'Current self' | 'Ideal self') => within(screen.getByRole('region', { name: list }));
const radio = (horizon: string) => screen.getByRole('radio', { name: horizon });
const save = () => screen.getByRole('button', { name: 'Save Resonance Profile' });

/** The page of a member who has saved nothing yet. */
async function openNew() {
  answer(`GET ${PATH}`, refusal(404, 'RESONANCE_NOT_FOUND', 'You have no Resonance profile yet.'));
  const user = open('/resonance');
  await screen.findByText('Nothing saved yet');
  return user;
}

test('a profile begins in the middle, needs a horizon, and is saved whole', async () => {
  const user = await openNew();
  expect(screen.getAllByRole('slider').map((each) => each.getAttribute('aria-valuenow'))).toEqual(
    AFFINITY_TRAITS.map(() => '50'),
  );
  expect(screen.queryByRole('radio', { checked: true })).toBeNull();

  await user.click(save());
  expect(screen.getByText('Choose a horizon before you save.')).toBeVisible();
  expect(radio('Short term')).toHaveFocus();
  await user.click(radio('Long term'));
  expect(screen.queryByText('Choose a horizon before you save.')).toBeNull();

  await fill(user, box('Empathy'), '94.9');
  expect(slider('Empathy')).toHaveAttribute('aria-valuetext', '94.9, Nurturing');
  expect(screen.getByText('Brightest: Empathy (Nurturing)')).toBeVisible();
  await user.click(traits('Current self').getByRole('button', { name: 'Self-aware' }));
  await user.click(traits('Ideal self').getByRole('button', { name: 'Wise' }));
  expect(traits('Ideal self').getByText(/1 of 20 selected/)).toBeVisible();

  const stored = {
    horizon: 'long_term',
    ...Object.fromEntries(AFFINITY_TRAITS.map((trait) => [trait, trait === 'empathy' ? 94.9 : 50])),
    currentTraits: ['Self-aware'],
    idealTraits: ['Wise'],
  };
  const saved = answer(`POST ${PATH}`, { ...stored, updatedAt: '2026-01-31T12:00:00.000Z' });
  await user.click(save());
  expect(await toast('Your Resonance profile has been saved')).toHaveTextContent('Success');
  expect(screen.getByText('All saved')).toBeVisible();
  expect(saved.map(({ body }) => body)).toEqual([stored]);
});

test('a profile that was saved is found again', async () => {
  answer(`GET ${PATH}`, {
    horizon: 'midterm',
    ...Object.fromEntries(AFFINITY_TRAITS.map((trait, index) => [trait, index])),
    currentTraits: ['Self-aware'],
    idealTraits: ['Wise'],
    updatedAt: '2026-01-31T12:00:00.000Z',
  });
  open('/resonance');
  await screen.findByText('All saved');
  expect(radio('Midterm')).toBeChecked();
  expect(screen.getAllByRole('spinbutton').map((each) => (each as HTMLInputElement).value)).toEqual(
    AFFINITY_TRAITS.map((_, index) => String(index)),
  );
  const pressed = (list: 'Current self' | 'Ideal self') =>
    traits(list)
      .getAllByRole('button', { pressed: true })
      .map(({ textContent }) => textContent);
  expect([pressed('Current self'), pressed('Ideal self')]).toEqual([['Self-aware'], ['Wise']]);
});

test('slider and number box stay in sync, and the box takes 0 to 100 only', async () => {
  const user = await openNew();
  slider('Patience').focus();
  await user.keyboard('{ArrowRight}');
  expect(box('Patience')).toHaveValue(50.1);
  await user.keyboard('{End}');
  expect(slider('Patience')).toHaveAttribute('aria-valuetext', '100, Endlessly patient');
  expect(box('Patience')).toHaveValue(100);
  await user.keyboard('{Home}');
  expect(box('Patience')).toHaveValue(0);

  await fill(user, box('Patience'), '72.5');
  expect(slider('Patience')).toHaveAttribute('aria-valuenow', '72.5');
  for (const wrong of ['100.01', '-1', '']) {
    await fill(user, box('Patience'), wrong);
    expect(slider('Patience')).toHaveAttribute('aria-valuenow', '72.5');
    await user.tab();
    expect(box('Patience')).toHaveValue(72.5);
  }
  await fill(user, box('Patience'), '33.33');
  await user.tab();
  expect(box('Patience')).toHaveValue(33.3);
  expect(slider('Openness')).toHaveAttribute('aria-valuenow', '50');
});

test('twenty traits of a list can be chosen, and no more', async () => {
  const user = await openNew();
  const current = traits('Current self');
  const chips = current.getAllByRole('button');
  expect(chips).toHaveLength(CURRENT_TRAITS.length);
  for (const chip of chips.slice(0, 20)) await user.click(chip);
  expect(current.getByText(/20 of 20 selected/)).toBeVisible();
  await user.click(chips[20]!);
  expect(await toast('Limit reached')).toHaveTextContent('You can select up to 20 traits');
  expect(chips[20]).toHaveAttribute('aria-pressed', 'false');

  // The other list has its own limit, and a chosen word can be deselected.
  await user.click(traits('Ideal self').getByRole('button', { name: 'Kind' }));
  expect(traits('Ideal self').getByText(/1 of 20 selected/)).toBeVisible();
  await user.click(chips[0]!);
  await user.click(chips[20]!);
  expect(current.getAllByRole('button', { pressed: true })).toEqual(chips.slice(1, 21));
});

test('a save shows that it is under way, and a failed one keeps the form', async () => {
  const user = await openNew();
  await user.click(radio('Midterm'));
  const refused = held(refusal(429, 'TOO_MANY_REQUESTS', 'Please wait a moment.'));
  answer(`POST ${PATH}`, refused.reply);
  await user.click(save());
  expect(await screen.findByRole('button', { name: 'Saving...' })).toBeVisible();
  refused.letGo();
  expect(await toast('Failed to save Resonance profile')).toHaveTextContent('Error');
  expect(screen.getByText('Please wait a moment.')).toBeVisible();
  expect(radio('Midterm')).toBeChecked();
  expect(save()).toBeEnabled();
});

test('a profile that cannot be loaded is no empty one', async () => {
  const refused = held(refusal(429, 'TOO_MANY_REQUESTS', 'Please wait a moment.'));
  answer(`GET ${PATH}`, refused.reply);
  const user = open('/resonance');
  await screen.findByText('Loading your Resonance profile…');
  refused.letGo();
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch resonance data');
  expect(screen.queryByRole('slider')).toBeNull();
  answer(`GET ${PATH}`, refusal(404, 'RESONANCE_NOT_FOUND', 'You have no Resonance profile yet.'));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Nothing saved yet');
});

test('signing out asks nothing', async () => {
  const user = await openNew();
  await user.click(radio('Midterm'));
  answer('POST /api/auth/signout', { message: 'Signed out.' });
  await user.click(screen.getByRole('button', { name: /Account menu/ }));
  await user.click(await screen.findByText('Sign Out'));
  expect(await screen.findByRole('button', { name: 'ENTER' })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});
