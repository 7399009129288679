import { NAME_RULE } from '@app/domain';
import { registrationBody, startTestApi, type TestApi, type TestMember } from '../support/api.js';

const RESERVED = 'This name could be taken for Nova or its staff. Please choose another one.';

describe('names', () => {
  let api: TestApi;
  let developer: TestMember;

  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '100' } });
    developer = await api.member();
  });
  afterAll(() => api.close());

  const redirectUris = ['https://app.example.com/callback'];
  const ways: readonly [
    string,
    (name: string) => Promise<{ status: number; body: Record<string, unknown> }>,
    string,
  ][] = [
    [
      'a new member',
      (displayName) => api.browser().post('/api/auth/register', registrationBody({ displayName })),
      'INVALID_DISPLAY_NAME',
    ],
    [
      'a member’s new name',
      async (displayName) => (await api.member()).browser.send('PATCH', '/api/profile', { body: { displayName } }),
      'INVALID_DISPLAY_NAME',
    ],
    [
      'a new application',
      (name) => developer.browser.post('/api/oauth/register-app', { name, redirectUris }),
      'INVALID_NAME',
    ],
    [
      'an application’s new name',
      async (name) => {
        const application = { name: 'Pocket', redirectUris };
        const { clientId } = (await developer.browser.post('/api/oauth/register-app', application)).body;
        return developer.browser.send('PATCH', `/api/oauth/application/${clientId}`, { body: { name } });
      },
      'INVALID_NAME',
    ],
  ];

  describe.each(ways)('of %s', (_, call, code) => {
    it.each(['Nova', 'Nova Support', 'ADMIN', 'Novа', 'N.o.v.a', 'Ｎｏｖａ Team', 'Adm1n'])(
      'refuse %j',
      async (name) => {
        expect(await call(name)).toMatchObject({ status: 400, body: { code: 'RESERVED_NAME', message: RESERVED } });
      },
    );

    it.each(['No\u200bva Lind', 'Ada\u2800Lovelace', 'Ada\u202egpj', 'Ada\u{e0041}'])('refuse %j', async (name) => {
      expect(await call(name)).toMatchObject({ status: 400, body: { code, message: NAME_RULE } });
    });

    it('ask for one where nothing is seen of it', async () => {
      expect(await call('\u2800\u3164 \u200b')).toMatchObject({ status: 400, body: { code: 'REQUIRED' } });
    });

    it.each(['Nova Lindqvist', 'Casanova', 'Нова Петрова', 'می‌خواهم', '👩‍🚀 Ada'])('take %j', async (name) => {
      expect((await call(name)).status).toBeLessThan(300);
    });
  });

  it('that exist stay until they are edited', async () => {
    const member = await api.member();
    const { pool } = api.database;
    await pool.query('update accounts set display_name = $2 where id = $1', [member.id, 'Nova\u200b Support']);
    const edit = (body: object) => member.browser.send('PATCH', '/api/profile', { body });
    const same = await edit({ displayName: 'Nova\u200b Support', bio: 'Hello' });
    expect([same.status, same.body.displayName, same.body.bio]).toEqual([200, 'Nova\u200b Support', 'Hello']);
    expect(await edit({ displayName: 'Nova Support', bio: 'Other' })).toMatchObject({ status: 400 });
    expect((await member.browser.get('/api/profile')).body.bio).toBe('Hello');

    const application = { name: 'Pocket', redirectUris };
    const { clientId } = (await developer.browser.post('/api/oauth/register-app', application)).body;
    await pool.query('update oauth_applications set name = $2 where client_id = $1', [clientId, 'Nova Admin']);
    const change = (body: object) => developer.browser.send('PATCH', `/api/oauth/application/${clientId}`, { body });
    expect(await change({ name: 'Nova Admin', description: 'Counts.' })).toMatchObject({ status: 200 });
    expect(await change({ name: 'Nova Staff' })).toMatchObject({ status: 400, body: { code: 'RESERVED_NAME' } });
  });

  it('are asked for again where a text shows nothing: a report, a comment, a message', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    const blank = '\u2800\u3164\u2800';
    const refused = [
      await ada.browser.post(`/api/users/${ben.id}/report`, { text: blank }),
      await ada.browser.post(`/api/profile/${ben.id}/wall`, { comment: blank }),
      await ada.browser.post('/api/chats/0199a000-0000-7000-8000-000000000000/messages', { text: blank }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    const bio = await ada.browser.send('PATCH', '/api/profile', { body: { bio: blank } });
    expect([bio.status, bio.body.bio]).toEqual([200, null]);
  });
});
