import { NAME_RULE } from '@app/domain';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { rate, talk } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { activeChat } from '../support/open-chat.js';

const RELATIONSHIPS = [
  'Single',
  'In a relationship',
  'Married',
  'Real friends',
  "It's complicated",
  'Mind your business',
  "I'm about that life",
];

const profileOf = async (member: TestMember) => (await member.browser.get('/api/profile')).body;
const change = (member: TestMember, body: unknown) => member.browser.send('PATCH', '/api/profile', { body });
const describeAs = (member: TestMember, body: unknown) => member.browser.post('/api/users/update-profile', body);

describe('one’s own profile', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  it('shows a new member the defaults', async () => {
    const member = await api.member();
    const answer = await member.browser.get('/api/profile');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: member.id,
        displayName: member.displayName,
        email: member.email,
        bio: null,
        location: null,
        website: null,
        profileImageUrl: null,
        profileCardThumbnailUrl: null,
        profileCardContent: null,
        profileCardContentId: null,
        isOnline: true,
        allowDirectChats: true,
        minimumChatPrice: 1,
        averageRating: 5,
        ratingCount: 0,
        successRate: 95,
        responseTimeMinutes: 2,
        completedChats: 0,
        totalEarnings: 0,
        mood: 'blue',
        status: null,
        occupation: null,
        ambitions: null,
        relationshipStatus: null,
      },
    ]);
  });

  it('is for the signed-in member alone', async () => {
    const nobody = api.browser();
    for (const answer of [
      await nobody.get('/api/profile'),
      await nobody.send('PATCH', '/api/profile', { body: { bio: 'x' } }),
      await nobody.post('/api/users/update-profile', { mood: 'red' }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    }
  });

  it('saves what is given, trimmed, and leaves the rest', async () => {
    const member = await api.member();
    const first = await change(member, {
      bio: '  Stargazer.\nSecond line.  ',
      location: 'Zürich',
      website: 'https://example.com/me?x=1',
    });
    expect([first.status, first.body]).toEqual([
      200,
      expect.objectContaining({
        displayName: member.displayName,
        bio: 'Stargazer.\nSecond line.',
        location: 'Zürich',
        website: 'https://example.com/me?x=1',
      }),
    ]);
    await change(member, { bio: '', website: null });
    expect(await profileOf(member)).toMatchObject({ bio: null, location: 'Zürich', website: null });
    expect((await change(member, {})).body).toEqual(await profileOf(member));
  });

  it('keeps hostile text as the text that it is', async () => {
    const member = await api.member();
    const bio = "<script>alert(1)</script> '; drop table accounts; -- \u202Eتجربة 👩‍🚀";
    expect((await change(member, { bio })).body.bio).toBe(bio);
  });

  it('renames a member everywhere at once', async () => {
    const [member, other] = [await api.member({ displayName: 'Before' }), await api.member()];
    await other.browser.get('/api/users/search?query=before');
    const name = 'Ánna Ωmega';
    expect((await change(member, { displayName: `  ${name} ` })).body.displayName).toBe(name);
    expect((await member.browser.get('/api/auth/user')).body.user.displayName).toBe(name);
    const found = (await other.browser.get('/api/users/search?query=anna')).body.users;
    expect(found).toEqual([expect.objectContaining({ id: member.id, displayName: name })]);
    expect((await other.browser.get('/api/users/search?query=before')).body.users).toEqual([]);
  });

  it('shows the other side of a statement under the new name', async () => {
    const [sender, recipient] = [await api.member(), await api.member({ displayName: 'Old Name' })];
    await grantNova(admin, sender.id, 2_000);
    await sender.browser.post('/api/gifts/send', { recipientId: recipient.id, amount: 1_000 });
    const counterparty = async () =>
      (await sender.browser.get('/api/nova/transactions')).body.transactions[0].counterparty.displayName;
    await eventually(counterparty, (name) => name === 'Old Name');
    await change(recipient, { displayName: 'New Name' });
    expect(await counterparty()).toBe('New Name');
  });

  it.each([
    [{ displayName: '' }, 'REQUIRED', 'Please enter a display name.'],
    [{ displayName: '   ' }, 'REQUIRED', 'Please enter a display name.'],
    [{ displayName: 'x'.repeat(51) }, 'INVALID_DISPLAY_NAME', 'Display name must be at most 50 characters.'],
    [{ displayName: null }, 'REQUIRED', 'Please enter a display name.'],
    [{ displayName: '\u200b\u3164\u2800' }, 'REQUIRED', 'Please enter a display name.'],
    [{ displayName: 'No\u200bva' }, 'INVALID_DISPLAY_NAME', NAME_RULE],
    [{ displayName: 'Nоva Support' }, 'RESERVED_NAME', expect.stringContaining('taken for Nova or its staff')],
    [{ displayName: 'Ada\u202egpj' }, 'INVALID_DISPLAY_NAME', NAME_RULE],
    [{ displayName: 'a\u0000b' }, 'INVALID_DISPLAY_NAME', 'Display name must be at most 50 characters.'],
    [{ bio: 'x'.repeat(501) }, 'INVALID_BIO', 'The bio must be text of at most 500 characters.'],
    [{ bio: 5 }, 'INVALID_BIO', 'The bio must be text of at most 500 characters.'],
    [{ bio: ['x'] }, 'INVALID_BIO', 'The bio must be text of at most 500 characters.'],
    [{ location: 'x'.repeat(101) }, 'INVALID_LOCATION', 'The location must be text of at most 100 characters.'],
    [
      { website: `https://example.com/${'x'.repeat(200)}` },
      'INVALID_WEBSITE',
      'The website must be text of at most 200 characters.',
    ],
    [
      { website: 'javascript:alert(1)' },
      'INVALID_WEBSITE',
      'The website must be an address that begins with http:// or https://.',
    ],
    [
      { website: 'https://nova.example@evil.example' },
      'INVALID_WEBSITE',
      'The website must be an address that begins with http:// or https://.',
    ],
    [
      { website: { toString: 'https://example.com' } },
      'INVALID_WEBSITE',
      expect.stringMatching(/^The website must be /),
    ],
    [{ isAdmin: true }, 'UNKNOWN_FIELD', 'The request has an unknown field: isAdmin.'],
    [{ bio: 'fine', novaBalance: 1 }, 'UNKNOWN_FIELD', expect.any(String)],
  ])('refuses %j', async (body, code, message) => {
    const member = await api.member();
    const before = await profileOf(member);
    const answer = await change(member, body);
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([400, code, message]);
    expect(await profileOf(member)).toEqual(before);
  });

  it('counts characters as people do', async () => {
    const member = await api.member();
    expect((await change(member, { bio: '🌌'.repeat(500) })).status).toBe(200);
    expect((await change(member, { bio: '🌌'.repeat(501) })).status).toBe(400);
  });

  it('says mood and more on the card', async () => {
    const member = await api.member();
    const about = {
      mood: 'violet',
      status: 's'.repeat(200),
      occupation: 'o'.repeat(100),
      ambitions: 'a'.repeat(500),
      relationshipStatus: "It's complicated",
    };
    const answer = await describeAs(member, about);
    expect([answer.status, answer.body]).toEqual([200, { message: 'Your profile was saved.', profile: about }]);
    expect(await profileOf(member)).toMatchObject(about);

    const cleared = await describeAs(member, { mood: '', status: '', relationshipStatus: null });
    expect(cleared.body.profile).toEqual({ ...about, mood: 'blue', status: null, relationshipStatus: null });
    expect((await describeAs(member, {})).body.profile).toEqual(cleared.body.profile);
  });

  it('knows every mood and every relationship status', async () => {
    const member = await api.member();
    for (const mood of ['red', 'orange', 'yellow', 'green', 'blue', 'indigo', 'violet', 'neutral']) {
      expect((await describeAs(member, { mood })).body.profile.mood).toBe(mood);
    }
    for (const relationshipStatus of RELATIONSHIPS) {
      expect((await describeAs(member, { relationshipStatus })).body.profile.relationshipStatus).toBe(
        relationshipStatus,
      );
    }
  });

  it.each([
    [{ status: 'x'.repeat(201) }, 'INVALID_STATUS'],
    [{ occupation: 'x'.repeat(101) }, 'INVALID_OCCUPATION'],
    [{ ambitions: 'x'.repeat(501) }, 'INVALID_AMBITIONS'],
    [{ mood: 'beige' }, 'INVALID_MOOD'],
    [{ mood: 'Red' }, 'INVALID_MOOD'],
    [{ mood: ['red'] }, 'INVALID_MOOD'],
    [{ relationshipStatus: 'single' }, 'INVALID_RELATIONSHIP_STATUS'],
    [{ relationshipStatus: 7 }, 'INVALID_RELATIONSHIP_STATUS'],
    [{ status: 'fine', karma: 1 }, 'UNKNOWN_FIELD'],
  ])('refuses to say %j', async (body, code) => {
    const member = await api.member();
    const before = await profileOf(member);
    const answer = await describeAs(member, body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.message).toMatch(/^The .*\.$/);
    expect(await profileOf(member)).toEqual(before);
  });

  it('computes the figures from what happened', async () => {
    const chat = await activeChat(api, admin);
    const { host, initiator, chatId } = chat;
    await talk(chat, 5);
    await eventually(
      () => api.database.pool.query('select from read.chats where chat_id = $1 and settled_at is not null', [chatId]),
      ({ rowCount }) => rowCount === 1,
    );
    await rate(initiator, chatId);
    await rate(host, chatId);
    const profile = await eventually(
      () => profileOf(host),
      ({ completedChats, totalEarnings }) => completedChats === 1 && totalEarnings > 0,
    );
    const rated = (await host.browser.get('/api/auth/user')).body.user;
    expect(profile).toMatchObject({
      averageRating: rated.rating,
      ratingCount: 1,
      successRate: 100,
      completedChats: 1,
      totalEarnings: 625,
    });
    expect(profile.responseTimeMinutes).toBeLessThan(2);

    await grantNova(admin, initiator.id, 5_000);
    const answer = await initiator.browser.post('/api/gifts/send', { recipientId: host.id, amount: 1_000 });
    expect(answer.status).toBe(201);
    const after = await eventually(
      () => profileOf(host),
      ({ totalEarnings }) => totalEarnings > 625,
    );
    expect(after.totalEarnings).toBe(1_125);
    // Grants, purchases and rewards of pools are not earned from others.
    expect((await profileOf(initiator)).totalEarnings).toBe(0);
  });
});
