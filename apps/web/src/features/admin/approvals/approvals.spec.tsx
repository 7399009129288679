import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerAdmin, fill, held, MEMBER, open, refusal, toast } from '@/testing/nova';

const person = (id: string, displayName: string) => ({ id, displayName });
const approval = (given: object = {}) => ({
  id: 'act-1',
  kind: 'grant',
  status: 'waiting',
  admin: person('member-rhea', 'Rhea'),
  target: person('member-ben', 'Ben'),
  amount: 5_000,
  details: {},
  reason: 'For the festival',
  requestedAt: new Date(Date.now() - 3_600_000).toISOString(),
  expiresAt: new Date(Date.now() + 6 * 86_400_000).toISOString(),
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
  eventId: null,
  refusal: null,
  message: null,
  ...given,
});
const decided = (given: object) =>
  approval({ decidedBy: person('member-cleo', 'Cleo'), decidedAt: new Date().toISOString(), ...given });
const approvals = (...listed: object[]) =>
  answer('GET /api/admin/approvals', {
    approvals: listed,
    waiting: listed.length,
    pagination: { page: 1, limit: 20, total: listed.length, totalPages: 1 },
  });
const controls = (given: object = {}) => ({
  threshold: 1_000,
  dailyCap: null,
  admins: 2,
  changedBy: person('member-rhea', 'Rhea'),
  changedAt: new Date().toISOString(),
  ...given,
});
const admins = {
  admins: [
    { ...person('member-rhea', 'Rhea'), email: 'rhea@nova.test', profileImageUrl: null, since: null, madeBy: null },
    {
      ...person(MEMBER.id, 'Ada'),
      email: MEMBER.email,
      profileImageUrl: null,
      since: new Date().toISOString(),
      madeBy: 'Rhea',
    },
  ],
};
const WAITING = {
  code: 'WAITING',
  id: 'act-1',
  status: 'waiting',
  message: 'This needs a second admin. Nothing has happened yet: it waits under Approvals.',
  expiresAt: approval().expiresAt,
};

beforeEach(() => {
  answerAdmin();
  approvals();
  answer('GET /api/admin/controls', controls());
  answer('GET /api/admin/admins', admins);
});

const show = () => open('/admin?section=approvals');

test('an act of another admin is shown with who, what, why and how old, and is approved', async () => {
  approvals(approval());
  const user = show();
  const item = within(await screen.findByRole('listitem', { name: 'Act of Rhea' }));
  expect(item.getByText(/^Add/)).toHaveTextContent('Add 5,000 Nova to Ben');
  expect(item.getByText('For the festival')).toBeVisible();
  expect(item.getByText(/Asked by/)).toHaveTextContent('Asked by Rhea 1 hr. ago');
  expect(screen.getByRole('link', { name: /^Approvals/ })).toHaveTextContent('1');
  const done = held(decided({ status: 'done', eventId: 'event-1' }));
  const sent = answer('POST /api/admin/approvals/act-1/approve', done.reply);
  await user.click(item.getByRole('button', { name: 'Approve' }));
  expect(item.getByRole('button', { name: 'Decline' })).toBeDisabled();
  approvals();
  done.letGo();
  expect(await toast('Act Approved')).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(await screen.findByText('Nothing waits')).toBeVisible();
});

test('an act is declined with a reason, and what another admin was faster with is said', async () => {
  approvals(approval());
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Decline' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Decline' }));
  await user.click(dialog.getByRole('button', { name: 'Decline' }));
  expect(await dialog.findByText('Say why.')).toBeVisible();
  await fill(user, dialog.getByLabelText('Reason'), 'Too much');
  answer('POST /api/admin/approvals/act-1/decline', refusal(409, 'NOT_WAITING', 'This act has been approved already.'));
  await user.click(dialog.getByRole('button', { name: 'Decline' }));
  expect(await toast('This act has been approved already.')).toBeVisible();
  const sent = answer('POST /api/admin/approvals/act-1/decline', decided({ status: 'declined' }));
  await user.click(dialog.getByRole('button', { name: 'Decline' }));
  expect(await toast('Act Declined')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ reason: 'Too much' }]);
});

test('one’s own act can be withdrawn and not approved', async () => {
  approvals(approval({ admin: person(MEMBER.id, 'Ada') }));
  show();
  expect(await screen.findByRole('button', { name: 'Withdraw' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
});

test('the history says what became of each kind of act', async () => {
  approvals(
    decided({ id: '1', status: 'done', eventId: 'event-1' }),
    decided({
      id: '2',
      kind: 'deduction',
      status: 'refused',
      refusal: 'INSUFFICIENT_NOVA',
      message: 'Amount exceeds current balance',
    }),
    decided({ id: '3', kind: 'make-admin', amount: null, status: 'declined', decisionReason: 'Who is that?' }),
    decided({
      id: '4',
      kind: 'bulk',
      target: null,
      details: { rows: 2, mode: 'atomic' },
      status: 'done',
      message: 'Granted 1,200 Nova in 2 of 2 rows.',
    }),
    approval({ id: '5', kind: 'unmake-admin', amount: null, status: 'expired' }),
    decided({
      id: '6',
      kind: 'controls',
      amount: null,
      target: null,
      status: 'approved',
      details: { threshold: null, dailyCap: '1000000' },
    }),
    approval({ id: '7', kind: 'reversal', status: 'expired', details: { eventId: 'event-2', partly: true } }),
    approval({ id: '8', kind: 'from a newer release', status: 'expired' }),
  );
  const user = show();
  await user.click(await screen.findByRole('radio', { name: 'All' }));
  expect(location.search).toContain('status=all');
  const texts = (await screen.findAllByRole('listitem', { name: 'Act of Rhea' })).map(({ textContent }) => textContent);
  for (const [index, said] of [
    /Add 5,000 Nova to Ben.*Done.*Approved by Cleo just now\. Open the event/,
    /Deduct 5,000 Nova from Ben.*Not done.*could not be done: Amount exceeds current balance/,
    /Make Ben an admin.*Declined by Cleo just now: Who is that\?/,
    /Grant 5,000 Nova by a file of 2 rows, all or none.*just now: Granted 1,200 Nova in 2 of 2 rows\./,
    /Take the admin rights of Ben.*Expired.*Nobody approved it in time\./,
    /second admin above none, daily cap 10,000 Nova.*It is being carried out\./,
    /Reverse a movement of 5,000 Nova by Ben, as far as it is still there.*Expired/,
    /from a newer release.*Expired/,
  ].entries()) {
    expect(texts[index]).toMatch(said);
  }
});

test('a file that waits shows its rows to whoever is to approve it', async () => {
  approvals(approval({ kind: 'bulk', target: null, details: { rows: 1, mode: 'each' } }));
  answer('GET /api/admin/bulk-grants/waiting/act-1', {
    rows: [
      {
        line: 1,
        member: person('member-ben', 'Ben'),
        given: 'ben@nova.test',
        amount: 5_000,
        reason: 'For the talk',
        ok: true,
        code: null,
        message: null,
        eventId: null,
      },
    ],
    acceptable: 1,
    refused: 0,
    total: 5_000,
    appliedBefore: null,
  });
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Show the rows' }));
  expect(await screen.findByText('For the talk')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Hide the rows' }));
  expect(screen.queryByText('For the talk')).toBeNull();
});

test('the limits are shown and changed; what loosens one waits', async () => {
  answer('GET /api/admin/controls', controls({ admins: 1 }));
  const user = show();
  expect(await screen.findByText('1,000 Nova')).toBeVisible();
  expect(screen.getByText('No limit')).toBeVisible();
  expect(screen.getByText(/There is one admin, so nothing waits/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Change the limits' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change the limits' }));
  await fill(user, dialog.getByLabelText('Second admin above'), '-5');
  await user.click(dialog.getByRole('button', { name: 'Change the limits' }));
  expect((await dialog.findAllByText(/^Enter 0 to 1,000,000,000 Nova/)).at(-1)).toBeVisible();
  await fill(user, dialog.getByLabelText('Second admin above'), '');
  await fill(user, dialog.getByLabelText('Daily cap of each admin'), '9000');
  const sent = answer('PUT /api/admin/controls', () => Response.json(WAITING, { status: 202 }));
  await user.click(dialog.getByRole('button', { name: 'Change the limits' }));
  expect(await toast('Waiting for a Second Admin')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ threshold: null, dailyCap: 9_000 }]);
});

test('who is an admin is listed with who made them', async () => {
  show();
  const list = await screen.findByRole('list', { name: 'Admins' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringMatching(/Rhea.*The first admin/), expect.stringMatching(/Ada.*Made by Rhea just now/)]);
});

test('parts that cannot be loaded say so and are tried again', async () => {
  const [wrong, again] = [new Response('', { status: 503 }), new Response('', { status: 503 })];
  answer('GET /api/admin/controls', () => wrong.clone());
  answer('GET /api/admin/admins', () => again.clone());
  const user = show();
  expect(await screen.findByText('The limits could not be loaded.')).toBeVisible();
  expect(await screen.findByText('The admins could not be loaded.')).toBeVisible();
  answer('GET /api/admin/controls', controls());
  answer('GET /api/admin/admins', admins);
  for (const alert of screen.getAllByRole('alert')) {
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  }
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('a grant that waits says so where it was made, and what became of it', async () => {
  answer('GET /api/admin/stats', {
    totalUsers: 2,
    totalChats: 0,
    novaInCirculation: 0,
    activeQuests: 0,
    version: '1.0.0',
  });
  const pagination = { page: 1, limit: 10, total: 1, totalPages: 1 };
  answer('GET /api/admin/blocked-emails', { blockedEmails: [], pagination });
  answer('GET /api/admin/users', {
    users: [
      {
        ...person('member-ben', 'Ben'),
        email: 'ben@nova.test',
        profileImageUrl: null,
        isAdmin: false,
        novaBalance: 0,
        purchasedNova: 0,
        earnedNova: 0,
        owedNova: 0,
        rating: 5,
        ratingCount: 0,
        fileCount: 0,
        fileBytes: 0,
        createdAt: '2026-01-31T12:00:00.000Z',
      },
    ],
    pagination,
  });
  answer('GET /api/admin/approvals/act-1', approval());
  const user = open('/admin?section=users');
  await user.click(await screen.findByRole('button', { name: 'Actions for Ben' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Add Nova' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Nova' }));
  await fill(user, dialog.getByLabelText('Amount'), '5000');
  answer('POST /api/admin/users/member-ben/add-nova', () => Response.json(WAITING, { status: 202 }));
  await user.click(dialog.getByRole('button', { name: 'Add 5,000 Nova' }));
  expect(await dialog.findByText(/Nothing has happened yet/)).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Open Approvals' })).toHaveAttribute('href', '/admin?section=approvals');
  answer('GET /api/admin/approvals/act-1', decided({ status: 'declined', decisionReason: 'Too much' }));
  expect(await dialog.findByText('Too much', {}, { timeout: 8_000 })).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}, 20_000);

test('an admin makes a member an admin, and takes an admin’s rights', async () => {
  answer('GET /api/admin/stats', {
    totalUsers: 2,
    totalChats: 0,
    novaInCirculation: 0,
    activeQuests: 0,
    version: '1.0.0',
  });
  const pagination = { page: 1, limit: 10, total: 2, totalPages: 1 };
  answer('GET /api/admin/blocked-emails', { blockedEmails: [], pagination });
  const listed = (displayName: string, isAdmin: boolean) => ({
    ...person(`member-${displayName}`, displayName),
    email: `${displayName}@nova.test`,
    profileImageUrl: null,
    isAdmin,
    novaBalance: 0,
    purchasedNova: 0,
    earnedNova: 0,
    owedNova: 0,
    rating: 5,
    ratingCount: 0,
    fileCount: 0,
    fileBytes: 0,
    createdAt: '2026-01-31T12:00:00.000Z',
  });
  answer('GET /api/admin/users', { users: [listed('Ben', false), listed('Cleo', true)], pagination });
  const user = open('/admin?section=users');
  for (const [name, item, path, title] of [
    ['Ben', 'Make Admin', 'make-admin', 'Admin Made'],
    ['Cleo', 'Take Admin Rights', 'unmake-admin', 'Admin Rights Taken'],
  ] as const) {
    await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
    expect(screen.queryByRole('menuitem', { name: name === 'Ben' ? 'Take Admin Rights' : 'Make Admin' })).toBeNull();
    await user.click(await screen.findByRole('menuitem', { name: item }));
    const dialog = within(await screen.findByRole('dialog', { name: item }));
    await fill(user, dialog.getByLabelText('Reason (optional)'), 'Why not');
    const sent = answer(`POST /api/admin/users/member-${name}/${path}`, { message: 'Done.' });
    await user.click(dialog.getByRole('button', { name: item }));
    expect(await toast(title)).toBeVisible();
    expect(sent.map(({ body }) => body)).toEqual([{ reason: 'Why not' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});
