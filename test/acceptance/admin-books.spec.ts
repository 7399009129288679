import { seededRandom } from '../../libs/projections/src/testing/random-commands.js';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { breachesOf } from '../support/breaches.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';

const MEMBERS = 8;
const ACTIONS = 120;
const HOUR_MS = 3_600_000;

describe('the books after a random mix of what admins do, while members go on', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  it.each([1, 2])('balance, and every read model is what its events say (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const members = await Promise.all(Array.from({ length: MEMBERS }, () => api.member()));
    for (const { id } of members) await grantNova(admin, id, 20_000);
    const questId = await makeQuest();
    const member = (): TestMember => members[below(members.length)] ?? admin;
    const amount = (): number => 1_000 + below(3_000) + below(100) / 100;
    const { browser } = admin;
    const actions: (() => Promise<TestAnswer>)[] = [
      () => browser.post(`/api/admin/users/${member().id}/add-nova`, { amount: amount(), reason: 'A present' }),
      () => browser.post(`/api/admin/users/${member().id}/deduct-nova`, { amount: amount() * 5 }),
      () => browser.post(`/api/admin/users/${member().id}/change-rating`, { rating: below(1_000) / 100 }),
      () => browser.post(`/api/admin/users/${member().id}/reset-pin`, { newPin: String(1_000 + below(9_000)) }),
      () => member().browser.post('/api/gifts/send', { recipientId: member().id, amount: amount() }),
      () => member().browser.post('/api/gifts/send', { recipientId: member().id, amount: amount() }),
      () => member().browser.post('/api/discovery/upvote', { profileId: member().id }),
      () => member().browser.post(`/api/profile/${member().id}/wall`, { comment: 'x'.repeat(1 + below(100)) }),
      () => member().browser.post(`/api/quests/${questId}/claim`),
    ];
    const seen = new Set<number>();
    for (let n = 0; n < ACTIONS; n++) {
      // Towards the end some members are deleted, with everything they have.
      const isDeletion = n > ACTIONS / 2 && below(12) === 0;
      const act = actions[below(actions.length)];
      const answer = isDeletion ? await browser.delete(`/api/admin/users/${member().id}`) : await act?.();
      seen.add(answer?.status ?? 0);
      expect(answer?.status).toBeLessThan(500);
    }
    // All outcomes occurred: calls that took effect and calls that were refused.
    expect([...seen]).toEqual(expect.arrayContaining([200, 201, 400]));
    await eventually(
      async () => (await api.database.pool.query('select from account_closings')).rowCount,
      (left) => left === 0,
    );
    expect(await breachesOf(api)).toEqual([]);
  });

  async function makeQuest(): Promise<string> {
    const answer = await admin.browser.post('/api/admin/quests', {
      title: 'Give once',
      description: 'Send a gift to somebody.',
      reward: '250',
      startTime: new Date(Date.now() - HOUR_MS).toISOString(),
      endTime: new Date(Date.now() + HOUR_MS).toISOString(),
      rules: { type: 'gifts_sent', target: 1 },
    });
    if (answer.status !== 201) throw new Error(`making a quest failed: ${JSON.stringify(answer.body)}`);
    return answer.body.id as string;
  }
});
