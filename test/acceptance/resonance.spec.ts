import { AFFINITY_TRAITS, affinityScores, CURRENT_TRAITS, IDEAL_TRAITS } from '@app/domain';
import { ResonanceStore } from '../../apps/api/src/resonance/resonance-store.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';

const SCORES = affinityScores((trait) => AFFINITY_TRAITS.indexOf(trait) * 7 + 0.3);
const PROFILE = {
  horizon: 'long_term',
  ...SCORES,
  currentTraits: ['Calm', 'Self-aware', 'Tolerant'],
  idealTraits: ['Wise', 'Open-minded'],
};

const read = (member: TestMember) => member.browser.get('/api/resonance');
const save = (member: TestMember, body: unknown) => member.browser.post('/api/resonance', body);

describe('the Resonance profile', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api?.close());

  it('is not there until it is saved, and then comes back as it was saved', async () => {
    const member = await api.member();
    expect(await read(member)).toMatchObject({
      status: 404,
      body: { code: 'NO_RESONANCE', message: 'You have no Resonance profile yet.' },
    });
    const saved = await save(member, PROFILE);
    expect(saved.status).toBe(200);
    expect(saved.body).toEqual({ ...PROFILE, updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
    expect(await read(member)).toMatchObject({ status: 200, body: saved.body });
  });

  it('replaces the whole profile, and leaves those of others alone', async () => {
    const [member, other] = [await api.member(), await api.member()];
    await save(member, PROFILE);
    await save(other, PROFILE);
    await save(member, { ...PROFILE, horizon: 'short_term', empathy: 100, currentTraits: [], idealTraits: ['Kind'] });
    expect((await read(member)).body).toMatchObject({
      horizon: 'short_term',
      empathy: 100,
      openness: SCORES.openness,
      currentTraits: [],
      idealTraits: ['Kind'],
    });
    expect((await read(other)).body).toMatchObject(PROFILE);
  });

  it('reads scores that arrive as text, and takes 50 for those that are absent', async () => {
    const member = await api.member();
    const { status, body } = await save(member, {
      horizon: 'midterm',
      empathy: '72.5',
      humility: '0',
      patience: '100.0',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      empathy: 72.5,
      humility: 0,
      patience: 100,
      openness: 50,
      currentTraits: [],
      idealTraits: [],
    });
  });

  it('takes twenty of each list', async () => {
    const member = await api.member();
    const lists = { currentTraits: CURRENT_TRAITS.slice(20), idealTraits: IDEAL_TRAITS.slice(0, 20) };
    expect((await save(member, { ...PROFILE, ...lists })).body).toMatchObject(lists);
  });

  const SCORE = 'Emotional Stability must be a number from 0 to 100 with at most one decimal.';
  const HORIZON = 'The horizon must be short_term, midterm or long_term.';
  const refusals: [given: object, code: string, sentence: string][] = [
    ...[100.01, 100.1, -0.1, 55.55, 'abc', '', ' ', '1e1', 'NaN', null, true, [50], {}].map(
      (score): [object, string, string] => [{ emotionalStability: score }, 'INVALID_SCORE', SCORE],
    ),
    ...['forever', '', null, undefined, 1, ['midterm'], 'constructor'].map((horizon): [object, string, string] => [
      { horizon },
      'INVALID_HORIZON',
      HORIZON,
    ]),
    [{ currentTraits: CURRENT_TRAITS.slice(0, 21) }, 'TOO_MANY_TRAITS', 'You can select up to 20 current traits.'],
    [{ idealTraits: IDEAL_TRAITS.slice(0, 21) }, 'TOO_MANY_TRAITS', 'You can select up to 20 ideal traits.'],
    [{ currentTraits: ['Calm', 'Calm'] }, 'REPEATED_TRAIT', 'Each of the current traits can be chosen once.'],
    [{ currentTraits: ['Calm', 'Wise'] }, 'UNKNOWN_TRAIT', '"Wise" is not one of the current traits.'],
    [{ idealTraits: ['calm'] }, 'UNKNOWN_TRAIT', '"calm" is not one of the ideal traits.'],
    [{ idealTraits: [7] }, 'UNKNOWN_TRAIT', 'One of them is not one of the ideal traits.'],
    [{ idealTraits: [['Wise']] }, 'UNKNOWN_TRAIT', 'One of them is not one of the ideal traits.'],
    [{ currentTraits: null }, 'INVALID_TRAITS', 'The current traits must be a list of words.'],
    [{ currentTraits: 'Calm' }, 'INVALID_TRAITS', 'The current traits must be a list of words.'],
    [{ currentTraits: { 0: 'Calm' } }, 'INVALID_TRAITS', 'The current traits must be a list of words.'],
    [{ updatedAt: '2026-01-01' }, 'UNKNOWN_FIELD', 'The request has an unknown field: updatedAt.'],
  ];
  it('refuses what is no profile in a sentence, and keeps what was stored', async () => {
    const member = await api.member();
    const { body: stored } = await save(member, PROFILE);
    for (const [given, code, message] of refusals) {
      const answer = await save(member, { ...PROFILE, ...given });
      expect([given, answer.status, answer.body.code, answer.body.message]).toEqual([given, 400, code, message]);
    }
    expect((await read(member)).body).toEqual(stored);
  });

  it('refuses a body that is no object, and stores nothing', async () => {
    const member = await api.member();
    for (const body of ['[]', 'null', '7', '{', '']) expect((await save(member, body)).status).toBe(400);
    expect((await read(member)).status).toBe(404);
  });

  it('is for who is signed in', async () => {
    const stranger = api.browser();
    expect((await stranger.get('/api/resonance')).status).toBe(401);
    expect((await stranger.post('/api/resonance', PROFILE)).status).toBe(401);
  });

  it('gives discovery the profiles of those who have one', async () => {
    const [member, other] = [await api.member(), await api.member()];
    await save(member, PROFILE);
    const found = await api.nova.app.get(ResonanceStore, { strict: false }).find([member.id, other.id]);
    expect([...found.keys()]).toEqual([member.id]);
    expect(found.get(member.id)).toMatchObject({ horizon: 'long_term', scores: SCORES });
  });

  it('goes with the account', async () => {
    const member = await api.member();
    await save(member, PROFILE);
    await api.database.pool.query('delete from accounts where id = $1', [member.id]);
    const { rowCount } = await api.database.pool.query('select from resonance_profiles where account_id = $1', [
      member.id,
    ]);
    expect(rowCount).toBe(0);
  });
});
