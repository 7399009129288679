import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { ContentRecords } from '../../apps/api/src/content/content-records.js';
import { Publishing } from '../../apps/api/src/content/publishing.js';
import { Uploads } from '../../apps/api/src/platform/uploads/uploads.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { meeting } from '../support/meeting.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { whileTableStands } from '../support/standing-table.js';

describe('content, reports, audit and figures of the Admin Panel', () => {
  let api: TestApi;
  let admin: TestMember;
  let picture: Buffer;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    picture = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#993366' } })
      .png()
      .toBuffer();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => api?.close());

  const get = async (path: string) => (await admin.browser.get(`/api/admin/${path}`)).body;

  async function upload(): Promise<string> {
    const { uploadURL, mediaUrl } = await get('content/upload-url');
    const sent = await fetch(new URL(uploadURL, api.url), { method: 'PUT', body: new Uint8Array(picture) });
    if (!sent.ok) throw new Error(`uploading failed: ${sent.status} ${await sent.text()}`);
    return mediaUrl;
  }
  const assign = (body: object) => admin.browser.post('/api/admin/content/assign', body);

  it('assigns an uploaded file to a member, lists it and deletes it', async () => {
    const ada = await api.member({ displayName: 'Ada Gallery' });
    const mediaUrl = await upload();
    const assigned = await assign({ userId: ada.id, mediaUrl, contentType: 'image' });
    expect([assigned.status, assigned.body]).toEqual([
      201,
      {
        id: expect.any(String),
        contentType: 'image',
        surface: 'discovery',
        mediaUrl,
        thumbnailUrl: expect.any(String),
        caption: null,
        hashtags: [],
        authorId: ada.id,
        authorName: 'Ada Gallery',
        authorEmail: ada.email,
        viewCount: 0,
        likeCount: 0,
        commentCount: 0,
        engagementScore: 0,
        totalEarnings: 0,
        createdAt: expect.any(String),
      },
    ]);
    const { id } = assigned.body;
    expect((await ada.browser.get('/api/content/my-discovery')).body).toMatchObject([{ id }]);
    expect(await get('content?search=gallery&contentType=image')).toMatchObject({
      content: [{ id }],
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
    });
    expect((await get('content?search=gallery&contentType=video')).content).toEqual([]);
    expect((await get('content?search=100%25_')).content).toEqual([]);
    const remove = () => admin.browser.send('DELETE', `/api/admin/content/${id}`);
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect((await ada.browser.get('/api/content/my-discovery')).body).toEqual([]);
    expect((await get(`audit?targetId=${ada.id}`)).entries).toMatchObject([
      { action: 'ContentDeleted', adminId: admin.id, adminName: 'Rhea', targetName: 'Ada Gallery', subjectId: id },
      { action: 'ContentAssigned', subjectId: id },
    ]);
  });

  it('shows a file to one member, on one surface', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    const mediaUrl = await upload();
    const first = await assign({ userId: ada.id, mediaUrl });
    for (const other of [{ userId: ben.id }, { userId: ada.id, surface: 'feed' }]) {
      const refused = await assign({ mediaUrl, ...other });
      expect([refused.status, refused.body.code]).toEqual([409, 'SHOWN_ELSEWHERE']);
    }
    const repeated = await assign({ userId: ada.id, mediaUrl });
    expect([repeated.status, repeated.body]).toEqual([201, first.body]);
    expect((await get(`audit?targetId=${ada.id}`)).entries).toHaveLength(1);
    expect((await get(`audit?targetId=${ben.id}`)).entries).toEqual([]);
  });

  it('shows a file to one of two members to whom it is assigned at once', async () => {
    const members = [await api.member(), await api.member()];
    const mediaUrl = await upload();
    const uploads = api.nova.app.get(Uploads);
    const [claim, both] = [uploads.claim.bind(uploads), meeting(2)];
    const claims = jest.spyOn(uploads, 'claim').mockImplementation(async (request) => {
      const file = await claim(request);
      await both();
      return file;
    });
    const answers = await Promise.all(members.map(({ id }) => assign({ userId: id, mediaUrl })));
    claims.mockRestore();
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    for (const [index, { id }] of members.entries()) {
      const lines = answers[index]?.status === 201 ? 1 : 0;
      expect((await get(`audit?targetId=${id}`)).entries).toHaveLength(lines);
    }
  });

  it('writes down what is assigned and deleted before it is, and once', async () => {
    const ada = await api.member();
    const mediaUrl = await upload();
    const actions = async () =>
      (await get(`audit?targetId=${ada.id}`)).entries.map(({ action }: { action: string }) => action);
    jest.spyOn(api.nova.app.get(ContentRecords), 'execute').mockRejectedValueOnce(new Error('the server ended'));
    expect((await assign({ userId: ada.id, mediaUrl })).status).toBe(500);
    expect(await actions()).toEqual(['ContentAssigned']);
    const { body, status } = await assign({ userId: ada.id, mediaUrl });
    expect([status, await actions()]).toEqual([201, ['ContentAssigned']]);
    const remove = () => admin.browser.delete(`/api/admin/content/${body.id}`);
    jest.spyOn(api.nova.app.get(Publishing), 'remove').mockRejectedValueOnce(new Error('the server ended'));
    expect((await remove()).status).toBe(500);
    expect(await actions()).toEqual(['ContentDeleted', 'ContentAssigned']);
    expect((await remove()).status).toBe(200);
    expect(await actions()).toEqual(['ContentDeleted', 'ContentAssigned']);
  });

  it('writes down once what two admins delete at once', async () => {
    const ada = await api.member();
    const { id } = (await assign({ userId: ada.id, mediaUrl: await upload() })).body;
    const publishing = api.nova.app.get(Publishing);
    const [original, both] = [publishing.remove.bind(publishing), meeting(2)];
    const removals = jest.spyOn(publishing, 'remove').mockImplementation(async (...given) => {
      await both();
      await original(...given);
    });
    const remove = () => admin.browser.delete(`/api/admin/content/${id}`);
    expect((await Promise.all([remove(), remove()])).map(({ status }) => status)).toEqual([200, 200]);
    removals.mockRestore();
    expect((await get(`audit?action=ContentDeleted&targetId=${ada.id}`)).entries).toHaveLength(1);
  });

  it('answers with what was assigned, be it before the gallery shows it', async () => {
    const ada = await api.member({ displayName: 'Ada Behind' });
    const mediaUrl = await upload();
    const assigned = await whileTableStands(api.database.pool, 'read.posts', () =>
      assign({ userId: ada.id, mediaUrl }),
    );
    expect([assigned.status, assigned.body.authorName]).toEqual([201, 'Ada Behind']);
    const gallery = async () => (await get('content?search=behind')).content;
    expect(await eventually(gallery, ({ length }) => length > 0)).toEqual([assigned.body]);
  });

  it('refuses what cannot be assigned, and keeps nothing', async () => {
    const ada = await api.member();
    const mediaUrl = await upload();
    expect((await assign({ userId: randomUUID(), mediaUrl })).status).toBe(404);
    expect((await assign({ userId: 'x', mediaUrl })).status).toBe(400);
    expect((await assign({ userId: ada.id })).status).toBe(400);
    expect((await assign({ userId: ada.id, mediaUrl: '/objects/uploads/../x' })).status).toBe(400);
    expect((await assign({ userId: ada.id, mediaUrl, surface: 'wall' })).status).toBe(400);
    expect((await ada.browser.get('/api/content/my-discovery')).body).toEqual([]);
  });

  it('shows reports of members, and closes them once', async () => {
    const [ada, ben] = [await api.member({ displayName: 'Ada' }), await api.member({ displayName: 'Ben' })];
    await ada.browser.post(`/api/users/${ben.id}/report`, { text: '<b>rude</b>' });
    const open = async () =>
      (await get('reports')).reports.filter(({ reported }: { reported: { id: string } }) => reported.id === ben.id);
    const [report] = await open();
    expect(report).toMatchObject({
      reporter: { id: ada.id, displayName: 'Ada' },
      reported: { id: ben.id, displayName: 'Ben' },
      text: '<b>rude</b>',
      chatId: null,
      closedAt: null,
    });
    const close = () => admin.browser.post(`/api/admin/reports/${report.id}/close`);
    expect((await close()).status).toBe(200);
    expect((await close()).status).toBe(404);
    expect(await open()).toEqual([]);
    expect((await get('reports?status=closed')).reports).toMatchObject([
      { id: report.id, closedAt: expect.any(String) },
    ]);
    expect((await get(`audit?action=ReportClosed&targetId=${ben.id}`)).entries).toHaveLength(1);
  });

  it('writes down that a report is closed before it is, and once', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    await ada.browser.post(`/api/users/${ben.id}/report`, { text: 'rude' });
    const { pool } = api.database;
    const { rows } = await pool.query<{ id: string }>('select id from member_reports where reported_id = $1', [ben.id]);
    const close = async () => (await admin.browser.post(`/api/admin/reports/${rows[0]?.id}/close`)).status;
    const lines = async () => (await get(`audit?action=ReportClosed&targetId=${ben.id}`)).entries.length;
    await pool.query(`
      create function cut_off() returns trigger language plpgsql as $$ begin raise 'the server ended'; end $$;
      create trigger cut_off before update on member_reports for each row execute function cut_off()`);
    expect([await close(), await lines()]).toEqual([500, 1]);
    await pool.query('drop trigger cut_off on member_reports; drop function cut_off');
    expect((await Promise.all([close(), close()])).toSorted()).toEqual([200, 404]);
    expect(await lines()).toBe(1);
  });

  it('lists movements by admins with their reasons', async () => {
    const ada = await api.member();
    await admin.browser.post(`/api/admin/users/${ada.id}/add-nova`, { amount: 12.5, reason: 'Won a bet' });
    expect((await get(`audit?targetId=${ada.id}&adminId=${admin.id}`)).entries).toMatchObject([
      { action: 'NovaGranted', amount: 12.5, reason: 'Won a bet', targetId: ada.id },
    ]);
    for (const wrong of ['adminId=x', 'targetId=x', 'action=%3Cb%3E', 'page=0', 'limit=101']) {
      expect((await admin.browser.get(`/api/admin/audit?${wrong}`)).status).toBe(400);
    }
  });

  it('computes the overview and the days of the charts', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    await grantNova(admin, ada.id, 5_000);
    const before = await get('overview');
    await ada.browser.post('/api/gifts/send', { recipientId: ben.id, amount: 1_000 });
    const after = await get('overview?days=7');
    expect(after.transactions.count).toBe(before.transactions.count + 1);
    expect(after.registrations).toMatchObject({ count: before.registrations.count, previous: 0, change: null });
    expect(after).toMatchObject({ days: 7, averageRating: null, successRate: null, uptime: 100 });
    const { series } = await get('series?days=7');
    const stats = await get('stats');
    expect(series).toHaveLength(7);
    expect(series.at(-1)).toMatchObject({
      day: new Date().toISOString().slice(0, 10),
      circulation: stats.novaInCirculation,
      gifted: 1_000,
      gifts: 1,
      registrations: after.registrations.count,
    });
    expect(series[0]).toMatchObject({ circulation: 0, gifts: 0, registrations: 0 });
    for (const days of ['0', '367', 'x', '1.5']) {
      expect((await admin.browser.get(`/api/admin/overview?days=${days}`)).status).toBe(400);
    }
  });

  it('does not count a minute as down that has just begun', async () => {
    const { pool } = api.database;
    const uptimeSince = async (minutesAgo: number): Promise<number> => {
      await pool.query('delete from minutes_up');
      await pool.query(
        `insert into minutes_up values (date_trunc('minute', now()) - $1 * interval '1 minute') on conflict do nothing`,
        [minutesAgo],
      );
      return (await get('overview')).uptime;
    };
    await eventually(
      () => uptimeSince(1),
      (uptime) => uptime === 100,
    );
    expect(await uptimeSince(3)).toBeLessThan(100);
  });
});
