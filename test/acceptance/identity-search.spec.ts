import { identityMigrations } from '../../apps/api/src/identity/migrations.js';
import { searchKey } from '../../apps/api/src/platform/text.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';

describe('user search', () => {
  let api: TestApi;
  let ada: TestMember;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '10' } });
    ada = await api.member({ displayName: 'Ada Lovelace', email: 'ada@analytical.example' });
    await api.member({ displayName: 'José Ángel', email: 'jose@example.com' });
    await api.member({ displayName: '100% real_name', email: 'percent@example.com' });
  });
  afterAll(() => api?.close());

  const search = async (query: string, browser = ada.browser) =>
    browser.get(`/api/users/search?${new URLSearchParams({ query }).toString()}`);
  const names = async (query: string): Promise<string[]> =>
    (await search(query)).body.users.map(({ displayName }: { displayName: string }) => displayName);

  it('finds part of a name, whatever case and accents', async () => {
    const answer = await search('JOSE');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      users: [{ id: expect.any(String), displayName: 'José Ángel', profileImageUrl: null, averageRating: 5 }],
    });
    expect(await names('ángel')).toEqual(['José Ángel']);
    expect(await names('angel')).toEqual(['José Ángel']);
  });

  const SPECIAL = [
    'Straße Groß',
    'Işıl Yıldız',
    'Łukasz Bør',
    'Nao\u200bmi',
    'Αλέξανδρος',
    'Sinéad O’Brien',
    'D´Arcy Ó´Neill',
    "Ke'alohilani",
  ];

  /** An existing name stays, even one that a new member could not take. */
  const memberCalled = async (displayName: string): Promise<TestMember> => {
    const member = await api.member();
    await api.database.pool.query('update accounts set display_name = $2, name_key = $3 where id = $1', [
      member.id,
      displayName,
      searchKey(displayName),
    ]);
    return member;
  };

  it.each([
    ['STRASSE', SPECIAL[0]],
    ['isil', SPECIAL[1]],
    ['ışıl', SPECIAL[1]],
    ['lukasz bor', SPECIAL[2]],
    ['naomi', SPECIAL[3]],
    ['αλεξανδροσ', SPECIAL[4]],
    ["o'brien", SPECIAL[5]],
    ['sinead obrien', SPECIAL[5]],
    ['o’neill', SPECIAL[6]],
    ['keʻalohilani', SPECIAL[7]],
  ])('finds with %s, as it can be typed anywhere, %s', async (query, name) => {
    if ((await names(query)).length === 0) await memberCalled(name ?? '');
    expect(await names(query)).toEqual([name]);
  });

  it('finds those, too, whose names were kept in the form of before', async () => {
    for (const displayName of SPECIAL) {
      const { id } = await memberCalled(displayName);
      const before = displayName.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
      await api.database.pool.query('update accounts set name_key = $2 where id = $1', [id, before]);
    }
    for (const form of ['names_searched_by_plain_letters', 'names_searched_without_apostrophes']) {
      await api.database.pool.query(identityMigrations.find(({ name }) => name === form)?.sql ?? '');
    }
    const { rows } = await api.database.pool.query('select display_name, name_key from accounts');
    for (const { display_name, name_key } of rows) expect(name_key).toBe(searchKey(display_name));
  });

  it('finds nobody by what nobody sees', async () => {
    for (const query of ['\u200b\u200b\u200b', '\u2800\u3164\u200b']) {
      expect(await search(query)).toMatchObject({ status: 400, body: { code: 'REQUIRED' } });
    }
    expect(await names('\u200bzz\u200b')).toEqual([]);
  });

  it('finds a whole e-mail address, whatever case, and does not show it', async () => {
    const bob = await api.member({ displayName: 'Bob', email: 'bob@example.com' });
    const zoe = await api.member({ displayName: 'Zoë', email: 'Zoë@Example.com' });
    for (const [query, id] of [
      ['ada@analytical.example', ada.id],
      [' ADA@Analytical.example ', ada.id],
      ['zoë@example.com', zoe.id],
      ['zoe\u0308@example.COM', zoe.id],
    ]) {
      const answer = await search(query ?? '', bob.browser);
      expect(answer.body.users.map((found: { id: string }) => found.id)).toEqual([id]);
      expect(JSON.stringify(answer.body)).not.toContain('example');
    }
  });

  it('finds nobody by a part of their e-mail address', async () => {
    const eve = await api.member({ displayName: 'Eve', email: 'eve@example.com' });
    for (const part of [
      '@analytical.',
      'ada@',
      'ada@analytical.exampl',
      'da@analytical.example',
      'a_a@analytical.example',
    ])
      expect((await search(part, eve.browser)).body.users).toEqual([]);
  });

  it('never finds oneself or a closed account', async () => {
    expect(await names('lovelace')).toEqual([]);
    const closed = await api.member({ displayName: 'Closed Person' });
    expect(await names('closed person')).toEqual(['Closed Person']);
    await api.database.pool.query('update accounts set closed_at = now() where id = $1', [closed.id]);
    expect(await names('closed person')).toEqual([]);
  });

  it('takes pattern characters as they are', async () => {
    expect(await names('100%')).toEqual(['100% real_name']);
    expect(await names('%%%')).toEqual([]);
    expect(await names('real_name')).toEqual(['100% real_name']);
    expect(await names('realxname')).toEqual([]);
    expect(await names("a'; drop table accounts; --")).toEqual([]);
  });

  it('begins with the third character', async () => {
    expect(await names('Jo')).toEqual([]);
    expect(await names(' Jo ')).toEqual([]);
    expect(await names('Jos')).toEqual(['José Ángel']);
  });

  it('answers 20 at most', async () => {
    await api.database.pool.query(`
      insert into accounts (id, email, email_key, display_name, name_key, password_hash, pin_hash, tc_version, tc_accepted_at)
      select gen_random_uuid(), 'crowd' || n, 'crowd' || n, 'Crowd ' || n, 'crowd ' || n, '', '', '1.0', now()
      from generate_series(1, 30) n`);
    expect(await names('crowd')).toHaveLength(20);
  });

  it.each([
    ['without a text', '/api/users/search'],
    ['with a text that is too long', `/api/users/search?query=${'x'.repeat(300)}`],
    ['with a text twice', '/api/users/search?query=abc&query=def'],
    ['with a NUL', '/api/users/search?query=ab%00c'],
    ['with an unknown parameter', '/api/users/search?query=abc&limit=1000'],
  ])('refuses a search %s', async (_, target) => {
    const answer = await ada.browser.get(target);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      statusCode: 400,
      code: expect.any(String),
      message: expect.stringMatching(/\.$/),
    });
  });

  it('needs a session', async () => {
    expect((await search('jose', api.browser())).status).toBe(401);
  });
});
