import { randomUUID } from 'node:crypto';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { signInAdmin } from '../support/money.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

describe('every call of admins', () => {
  let api: TestApi;
  let admin: TestMember;
  let member: TestMember;
  let calls: { readonly method: string; readonly path: string }[];

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    member = await api.member();
    const { paths } = (await api.browser().get('/api/openapi.json')).body as { paths: Record<string, object> };
    calls = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/admin/'))
      .flatMap(([path, item]) =>
        Object.keys(item)
          .filter((method) => METHODS.includes(method))
          .map((method) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, () => randomUUID()) })),
      );
  });
  afterAll(() => api?.close());

  it('is in the document', () => {
    expect(calls.length).toBeGreaterThanOrEqual(16);
  });

  it('is refused to members with 403, and to nobody with 401', async () => {
    const wrong: string[] = [];
    for (const { method, path } of calls) {
      const [asMember, asNobody] = [await member.browser.send(method, path), await api.browser().send(method, path)];
      if (asMember.status === 403 && asMember.body.code === 'ADMIN_ONLY' && asNobody.status === 401) continue;
      wrong.push(`${method} ${path}: ${asMember.status} ${asMember.body.code}, ${asNobody.status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is one that an admin gets past the door of', async () => {
    for (const { method, path } of calls.filter((call) => call.method === 'GET')) {
      expect([path, (await admin.browser.send(method, path)).status]).not.toEqual([path, 403]);
    }
  });
});
