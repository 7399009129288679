import { fuzz } from '../fuzz/fuzz.js';
import { type Cast, castOf } from '../fuzz/people.js';
import type { TestApi } from '../support/api.js';
import { breachesOf } from '../support/breaches.js';
import { startTestApi } from '../support/api.js';
import { signInAdmin } from '../support/money.js';

/** `npm run test:fuzz` gives another seed and more requests. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_501);
const REQUESTS_EACH = Number(process.env['FUZZ_REQUESTS'] ?? 4);
const TIMEOUT_MS = Number(process.env['FUZZ_TIMEOUT_MS'] ?? 240_000);

/** Every call of the OpenAPI document, as visitor, member, admin and application, with anything that HTTP can carry. */
describe('requests of all kinds to every call', () => {
  let api: TestApi;
  let cast: Cast;

  beforeAll(async () => {
    const started = await signInAdmin(startTestApi);
    api = started.api;
    cast = await castOf(api, started.admin);
  }, TIMEOUT_MS);
  afterAll(() => api?.close());

  it(
    'are answered, refused in the documented form where they are wrong, and leave the books whole',
    async () => {
      const { calls, requests, left, statuses, faults } = await fuzz(api, cast, {
        seed: SEED,
        requestsEach: REQUESTS_EACH,
      });
      const counts = [...statuses].toSorted(([one], [other]) => one - other).map((pair) => pair.join('×'));
      const summary = `seed ${SEED}: ${requests} requests to ${calls} calls: ${counts.join(' ')}`;
      if (process.env['FUZZ_SEED'] !== undefined) process.stderr.write(`${summary}\n`);
      expect([`FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS_EACH} npm run test:fuzz`, ...faults].slice(1)).toEqual([]);
      expect(left).toBe(0);
      // There were valid requests among them.
      expect(statuses.get(200) ?? 0).toBeGreaterThan(calls / 4);
      expect(statuses.get(201) ?? 0).toBeGreaterThan(0);

      expect((await api.browser().get('/health/ready')).status).toBe(200);
      expect(await breachesOf(api)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
