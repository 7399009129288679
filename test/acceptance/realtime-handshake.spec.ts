import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { LiveSockets } from '../../apps/api/src/realtime/live-sockets.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { openPlain, openSocketIo, upgradeStatus } from '../support/live.js';

describe('opening a live connection', () => {
  let api: TestApi;
  let ada: TestMember;

  beforeAll(async () => {
    api = await startTestApi();
    ada = await api.member();
  });
  afterAll(() => api?.close());

  const isAlive = async () => (await api.browser().get('/health/live')).status === 200;
  const own = () => new URL(api.url).origin;

  const POLLING = '/ws/?EIO=4&transport=polling';
  /** Asks for an Engine.IO session. */
  const handshake = async (member: TestMember) => {
    const { status, body } = await member.browser.get(POLLING);
    const sid = status === 200 ? (JSON.parse((body as string).slice(1)) as { sid: string }).sid : '';
    return { status, sid };
  };
  const sendPackets = (member: TestMember, sid: string, body: string) =>
    member.browser.send('POST', `${POLLING}&sid=${sid}`, { body, headers: { 'content-type': 'text/plain' } });

  it('needs a session', async () => {
    expect(await upgradeStatus(api, undefined)).toBe(401);
    for (const cookie of ['nova_session=x', 'nova_session=', `nova_session=${'A'.repeat(43)}`, ';;=;', '%%%=%']) {
      expect(await upgradeStatus(api, undefined, { headers: { cookie } })).toBe(401);
    }
    expect(await upgradeStatus(api, ada)).toBe(101);
  });

  it('is refused to other sites', async () => {
    for (const origin of ['https://evil.example', 'null', '', 'http://', `${own()}.evil.example`, `${own()}1`]) {
      expect([origin, await upgradeStatus(api, ada, { headers: { origin } })]).toEqual([origin, 403]);
    }
    for (const origin of [own(), 'http://localhost:3000']) {
      expect(await upgradeStatus(api, ada, { headers: { origin } })).toBe(101);
    }
  });

  it('is the same for Socket.IO, whichever its transport', async () => {
    expect((await api.browser().get(POLLING)).status).toBe(401);
    expect((await ada.browser.get(POLLING, { origin: 'https://evil.example' })).status).toBe(403);
    const polled = await ada.browser.get(POLLING);
    expect([polled.status, polled.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
    const websocket = { path: '/ws/?EIO=4&transport=websocket' };
    expect(await upgradeStatus(api, undefined, websocket)).toBe(401);
    expect(await upgradeStatus(api, ada, { ...websocket, headers: { origin: 'https://evil.example' } })).toBe(403);
    expect(await upgradeStatus(api, ada, websocket)).toBe(101);
    const refused = io(api.url, { path: '/ws', transports: ['websocket'], reconnection: false, forceNew: true });
    await expect(new Promise((_, reject) => refused.once('connect_error', reject))).rejects.toThrow();
  });

  it('works over polling, and when it goes over to a WebSocket', async () => {
    for (const transports of [['polling'], ['polling', 'websocket']] as const) {
      const client = await openSocketIo(api, ada, [...transports]);
      client.say('join_global', { userId: ada.id });
      expect(await client.hear('joined_global')).toEqual({ userId: ada.id });
      client.close();
    }
  });

  it('lets nobody go on with somebody else’s polling', async () => {
    const { sid } = await handshake(ada);
    const eve = await api.member();
    expect((await sendPackets(eve, sid, '40')).status).toBe(403);
    const { sid: mine } = await handshake(eve);
    expect((await sendPackets(eve, `${mine}&sid=${sid}`, '40')).status).toBe(403);
    expect(await upgradeStatus(api, eve, { path: `/ws/?EIO=4&transport=websocket&sid=${sid}` })).toBe(403);
    expect((await sendPackets(ada, sid, '40')).status).toBe(200);
  });

  it.each(['//ws', '/ws/', '///ws//'])('works at %s', async (path) => {
    const client = await openPlain(api, ada, { path });
    client.say('ping');
    await client.hear('pong');
    expect(client.all('error')).toEqual([]);
    client.close();
  });

  it('answers an error at an odd address below, and keeps the socket', async () => {
    const client = await openPlain(api, ada, { path: '/ws/chat/123' });
    expect(await client.hear('error')).toMatchObject({ code: 'UNKNOWN_PATH', message: expect.any(String) });
    client.say('join_global', { userId: ada.id });
    await client.hear('joined_global');
    client.close();
  });

  it.each(['//', '/', '/wsx', '/api/auth/user', '/%', '/ws%2f'])('is nowhere else: %s', async (path) => {
    expect(await upgradeStatus(api, ada, { path })).toBe(404);
    expect(await isAlive()).toBe(true);
  });

  it.each([
    [
      'a target that is no address',
      'GET http:// HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['no key', 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['another protocol', 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
    ['Engine.IO without a transport', 'GET //ws?EIO=4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a connection broken off', 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgr'],
  ])('survives %s', async (_, request) => {
    const { hostname, port } = new URL(api.url);
    const socket = connectTcp(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(request);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    expect(await isAlive()).toBe(true);
  });

  it('leaves alone requests that offer another protocol', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connectTcp(Number(port), hostname);
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
    let answer = '';
    for await (const data of socket) answer += String(data);
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*"live"/);
  });

  describe('has a limit of 32 for each member', () => {
    it('that plain connections share with others, and that is there again when they end', async () => {
      const bob = await api.member();
      const clients = [];
      for (let n = 0; n < 31; n++) clients.push(await openPlain(api, bob, { path: `/ws?sid=${n}` }));
      expect((await handshake(bob)).status).toBe(200);
      expect([await upgradeStatus(api, bob), (await handshake(bob)).status]).toEqual([429, 429]);
      expect(await upgradeStatus(api, ada)).toBe(101);
      for (const client of clients) client.close();
      expect(
        await eventually(
          () => upgradeStatus(api, bob),
          (status) => status !== 429,
        ),
      ).toBe(101);
    });

    it('in which an Engine.IO session counts before it is connected', async () => {
      const eve = await api.member();
      const sids: string[] = [];
      for (let n = 0; n < 32; n++) sids.push((await handshake(eve)).sid);
      expect((await handshake(eve)).status).toBe(429);
      expect((await sendPackets(eve, `${sids[0]}&sid=`, '40')).status).toBe(429);
      const connected = await Promise.all(sids.map((sid) => sendPackets(eve, sid, '40')));
      expect(new Set(connected.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await handshake(eve)).status).toBe(429);
      await sendPackets(eve, sids[0] ?? '', '1');
      await eventually(async () => (await handshake(eve)).status === 200);
    });

    it('however many ask at once', async () => {
      const eve = await api.member();
      const answers = await Promise.all(Array.from({ length: 50 }, () => handshake(eve)));
      const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
      expect([count(200), count(429)]).toEqual([32, 18]);
    });

    it('in which what never became a session does not count', async () => {
      const eve = await api.member();
      for (let n = 0; n < 40; n++) {
        expect((await eve.browser.get('/ws/?EIO=4&transport=pigeon')).status).toBe(400);
        expect(await upgradeStatus(api, eve, { path: '/ws/?EIO=4&transport=pigeon' })).toBe(400);
      }
      expect((await handshake(eve)).status).toBe(200);
    });
  });

  it('is one live connection an Engine.IO session, however often that connects', async () => {
    const eve = await api.member();
    const { sid } = await handshake(eve);
    expect((await sendPackets(eve, sid, ['40', '40', '40'].join('\x1e'))).status).toBe(200);
    // Everything that the session receives until it ends.
    await eventually(async () => (await eve.browser.get(`${POLLING}&sid=${sid}`)).status === 400);
    expect(api.nova.app.get(LiveSockets).of(eve.id).size).toBe(0);
  });

  it('is not for a session that ended since the handshake', async () => {
    const eve = await api.member();
    const url = `${api.url.replace('http', 'ws')}/ws/?EIO=4&transport=websocket`;
    const socket = new WebSocket(url, { headers: { cookie: eve.browser.cookie } });
    await once(socket, 'message');
    expect((await eve.browser.post('/api/auth/signout')).status).toBe(200);
    const closed = once(socket, 'close');
    socket.send('40');
    await closed;
  });

  it('offers no video servers unless configured', async () => {
    expect((await ada.browser.get('/api/realtime/ice-servers')).body).toEqual({ iceServers: [] });
    expect((await api.browser().get('/api/realtime/ice-servers')).status).toBe(401);
  });
});

describe('a server that stops', () => {
  it('closes its sockets so that clients come back', async () => {
    const api = await startTestApi();
    const ada = await api.member();
    const [plain, socketIo] = [await openPlain(api, ada), await openSocketIo(api, ada)];
    const begin = Date.now();
    await api.close();
    await plain.untilClosed();
    expect(plain.closeCode).toBe(1012);
    expect(socketIo.isOpen).toBe(false);
    expect(Date.now() - begin).toBeLessThan(8_000);
  });

  it('waits for no client that does not answer the end of its session', async () => {
    const api = await startTestApi();
    const ada = await api.member();
    const silent = await openPlain(api, ada);
    silent.socket.pause();
    await ada.browser.post('/api/auth/signout');
    await eventually(() => api.nova.app.get(LiveSockets).of(ada.id).size === 0);
    const begin = Date.now();
    await api.close();
    expect(Date.now() - begin).toBeLessThan(8_000);
    silent.socket.terminate();
  });
});
