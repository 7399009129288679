import { getMetadataStorage } from 'class-validator';
import { registrationBody, startTestApi, type TestApi, type TestAnswer, type TestMember } from '../support/api.js';

/** What a refusal takes at most, whatever was sent. */
const REFUSAL_BYTES_MAX = 4_096;
const FAULTS_MAX = 10;

const wide = (keys: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index.toString(36)}`, 1]));
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const bytesOf = ({ body }: TestAnswer): number =>
  Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body));

/** What strangers and members send to make the server work, counted in work done and bytes said instead of time. */
describe('requests that want to be dear', () => {
  let api: TestApi;
  let member: TestMember;
  /** How often class-validator began to look at an object. */
  let validations = 0;
  const storage = getMetadataStorage();
  const look = storage.getTargetValidationMetadatas;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '100' } });
    member = await api.member();
    storage.getTargetValidationMetadatas = function count(...given) {
      validations += 1;
      return look.apply(this, given);
    };
  });
  afterAll(async () => {
    storage.getTargetValidationMetadatas = look;
    await api?.close();
  });
  beforeEach(() => (validations = 0));

  const signIn = { email: 'nobody@example.com', password: 'a long password', tcConsent: true, tcVersion: '1.0' };

  it.each([
    ['one object of 90,000 keys', wide(90_000), 413, 'BODY_TOO_LARGE'],
    ['one object of 20,000 keys', wide(20_000), 413, 'BODY_TOO_LARGE'],
    ['as many keys as 16 kB hold', wide(1_500), 400, 'TOO_MANY_FIELDS'],
    ['an object of many keys in a field', { ...signIn, initiatorProfileData: wide(1_400) }, 400, 'TOO_MANY_FIELDS'],
    ['a list of many items', { ...signIn, email: Array.from({ length: 5_000 }, () => 1) }, 400, 'LIST_TOO_LONG'],
    [
      'lists of lists that are each short enough',
      { ...signIn, email: Array.from({ length: 90 }, () => Array.from({ length: 60 }, () => 1)) },
      400,
      'BODY_TOO_COMPLEX',
    ],
    ['JSON nested two thousand deep', deep(2_000), 400, 'INVALID_JSON'],
    ['a body of 17 kB', { ...signIn, email: 'x'.repeat(17_000) }, 413, 'BODY_TOO_LARGE'],
  ])('%s is refused before anybody validates it', async (_, body, status, code) => {
    for (const target of ['/api/auth/signin', '/api/auth/register', '/api/auth/recover', '/api/devices/by-email']) {
      const answer = await api.browser().post(target, body);
      expect([target, answer.status, answer.body.code]).toEqual([target, status, code]);
      expect(bytesOf(answer)).toBeLessThan(REFUSAL_BYTES_MAX);
    }
    expect(validations).toBe(0);
  });

  it.each([
    ['POST', '/api/resonance', 'currentTraits'],
    ['POST', '/api/chats/initiate', 'initiatorProfileData'],
  ])('%s %s takes no wide object for its field %s', async (method, target, field) => {
    const answer = await member.browser.send(method, target, { body: { [field]: wide(1_400) } });
    expect([answer.status, answer.body.code]).toEqual([400, 'TOO_MANY_FIELDS']);
    expect(validations).toBe(0);
  });

  it('lists ten faults at most, in less than 4 kB, and echoes nothing long', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `${index}${'\u0001"😀'.repeat(30)}`);
    const answer = await api.browser().post('/api/auth/signin', Object.fromEntries(names.map((name) => [name, 1])));
    expect(answer).toMatchObject({ status: 400, body: { code: expect.any(String), requestId: expect.any(String) } });
    expect(Object.values(answer.body.fields).flat().length).toBeLessThanOrEqual(FAULTS_MAX);
    expect(bytesOf(answer)).toBeLessThan(REFUSAL_BYTES_MAX);
  });

  it('reads a hundred parameters of a query and no more', async () => {
    const answer = await member.browser.get(`/api/discovery/feed?${'a&'.repeat(5_000)}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'TOO_MANY_PARAMETERS']);
    expect(validations).toBe(0);
    const form = await api.browser().send('POST', '/sandbox/v1/payment_intents', {
      body: 'a&'.repeat(5_000),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([form.status, form.body.code]).toEqual([400, 'TOO_MANY_PARAMETERS']);
  });

  it('leaves what members do write alone', async () => {
    const body = registrationBody({ displayName: '😀'.repeat(25) });
    expect((await api.browser().post('/api/auth/register', body)).status).toBe(201);
  });
});
