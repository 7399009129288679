import { EventEmitter } from 'node:events';
import { of } from 'rxjs';
import { eventually } from '../../../../test/support/eventually.js';
import { OfflineConnection, offlineServer } from '../../../../test/support/offline-sockets.js';
import { BACKLOG_PACKETS_MAX } from './limits.js';
import { endSocket, type LiveSocket } from './live-socket.js';
import { LiveSockets } from './live-sockets.js';
import { NovaIoAdapter } from './nova-io.adapter.js';

const member = { id: 'ada', isAdmin: false, sessionId: 's', deviceId: 'd', signedInAt: new Date(0) };

function start() {
  const engine = Object.assign(new EventEmitter(), {
    isClosing: false,
    handshakeOf: () => ({ member, sessionToken: 'token' }),
  });
  const server = offlineServer();
  const relay = { open: () => server, close: jest.fn() };
  const watch = { check: jest.fn() };
  const sockets = new LiveSockets();
  const config = { rateLimitFactor: 1 };
  const adapter = new NovaIoAdapter(config as never, engine as never, relay as never, sockets, watch as never);
  const handled: unknown[] = [];
  const callback = (payload: unknown): Promise<unknown> => Promise.resolve(handled.push(payload));
  const opened: LiveSocket[] = [];
  adapter.createIOServer().on('connection', (socket: LiveSocket) => {
    opened.push(socket);
    // Called once for each gateway, as Nest does.
    for (const message of ['one', 'two', 'error']) {
      const handler = { message, callback, methodName: message, isAckHandledManually: false };
      adapter.bindMessageHandlers(socket, message === 'error' ? [] : [handler], () => {
        return of({ ok: true, n: handled.length });
      });
    }
  });
  const connect = (packets = ['0']): OfflineConnection => {
    const connection = new OfflineConnection();
    engine.emit('connection', connection);
    for (const packet of packets) connection.emit('data', packet);
    return connection;
  };
  return { adapter, engine, sockets, relay, watch, handled, opened, connect };
}

/** Whether the connection is established and everything sent with it was answered. */
const isJoined = (connection: OfflineConnection) =>
  eventually(() => connection.written.some((packet) => packet.startsWith('0')));

describe('the adapter of the live connection', () => {
  it('hands every frame to the one handler of its type, whichever gateway has it, and acknowledges what it returns', async () => {
    const { connect, handled } = start();
    const connection = connect();
    await isJoined(connection);
    for (const packet of ['21["one",{"a":1}]', '2["two",{"b":2},"more"]', '22["two"]', '23["one",null]']) {
      connection.emit('data', packet);
    }
    await eventually(() => connection.written.length === 4);
    expect(handled).toEqual([{ a: 1 }, { b: 2 }, {}, {}]);
    expect(connection.written.slice(1)).toEqual([
      '31[{"ok":true,"n":1}]',
      '32[{"ok":true,"n":3}]',
      '33[{"ok":true,"n":4}]',
    ]);
  });

  it('lets no name that a client chose reach the socket’s own listeners', async () => {
    const { connect, opened } = start();
    const connection = connect();
    await isJoined(connection);
    const listener = jest.fn();
    for (const name of ['error', 'one', 'disconnecting', 'anything']) opened[0]?.on(name, listener);
    for (const name of ['error', 'anything']) connection.emit('data', `2["${name}",{}]`);
    connection.emit('data', '2["one",{}]');
    await eventually(() => connection.events().length === 2);
    expect(connection.events()).toEqual(
      ['error', 'anything'].map((name) => [
        'error',
        { code: 'UNKNOWN_TYPE', message: `There is no frame of the type "${name}".` },
      ]),
    );
    expect(listener).not.toHaveBeenCalled();
  });

  it('tells which frame it could not read, by its acknowledgement', async () => {
    const { connect } = start();
    const connection = connect();
    await isJoined(connection);
    connection.emit('data', '27["one"');
    await eventually(() => connection.written.length === 3);
    expect(connection.written[2]).toMatch(/^37\[\{"ok":false,.*"code":"MALFORMED_FRAME"/);
  });

  it('takes an Engine.IO session that connects twice in the same moment for none', async () => {
    const { connect, sockets, opened } = start();
    const connection = connect(['0', '0', '0']);
    await eventually(() => connection.readyState === 'closed');
    await new Promise((resolve) => void setImmediate(resolve));
    expect([sockets.size, opened.length]).toEqual([0, 0]);
  });

  it('lets it connect again once it has left', async () => {
    const { connect, opened } = start();
    const connection = connect();
    await isJoined(connection);
    connection.emit('data', '1');
    await eventually(() => opened[0]?.connected === false);
    connection.emit('data', '0');
    await eventually(() => opened.length === 2);
    expect(connection.listenerCount('packetCreate')).toBe(1);
  });

  it('looks once more whether the session lives, as the handshake may be long ago', async () => {
    const { connect, watch, opened } = start();
    await isJoined(connect());
    expect(watch.check.mock.calls).toEqual([[opened]]);
  });

  it('ends a socket that does not take what it is sent', async () => {
    const { connect } = start();
    const [slow, fast] = [connect(), connect()];
    await Promise.all([slow, fast].map(isJoined));
    slow.writeBuffer = Array.from({ length: BACKLOG_PACKETS_MAX + 1 });
    fast.writeBuffer = Array.from({ length: BACKLOG_PACKETS_MAX });
    for (const connection of [slow, fast]) connection.emit('packetCreate', {});
    expect([slow.closed, fast.closed]).toEqual([[true], []]);
  });

  it('lets nobody in while it closes, and closes every socket without a word', async () => {
    const { adapter, connect, relay } = start();
    const connection = connect();
    await isJoined(connection);
    const before = connection.written.length;
    await adapter.close();
    const late = connect();
    await eventually(() => late.readyState === 'closed');
    expect([connection.closed, connection.written.length, late.written]).toEqual([[false], before, []]);
    expect(relay.close).toHaveBeenCalledTimes(1);
  });

  it('tells Socket.IO’s clients why a socket is ended', async () => {
    const { connect, opened } = start();
    const connection = connect();
    await isJoined(connection);
    if (opened[0]) endSocket(opened[0], 'sessionEnded');
    expect(connection.events()).toEqual([
      ['error', { message: 'Your session has ended. Sign in again.', code: 'SESSION_ENDED' }],
    ]);
    expect(connection.readyState).toBe('closed');
  });
});
