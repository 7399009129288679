import { CHATS_PER_SOCKET_MAX } from './limits.js';
import { LiveSocket } from './live-socket.js';
import { LiveSockets } from './live-sockets.js';

const handshake = (id = 'me') => ({
  member: { id, isAdmin: false, sessionId: 's', deviceId: 'd', signedInAt: new Date(0) },
  sessionToken: 't',
});

function open(memberId = 'me') {
  const sent: unknown[] = [];
  const socket = new LiveSocket(handshake(memberId), {
    send: (type, payload) => void sent.push(payload['n'] ?? type),
    close: () => undefined,
    terminate: () => undefined,
  });
  return { socket, sent };
}

const message = (n: number) => ({ revision: n, payload: { n } });

describe('a socket', () => {
  it('gets the messages that it missed before those that come meanwhile, each once', async () => {
    const { socket, sent } = open();
    socket.join('chat', 'other');
    let found: (messages: ReturnType<typeof message>[]) => void = () => undefined;
    const replayed = socket.replay('chat', () => new Promise((resolve) => (found = resolve)));
    socket.sendMessage('chat', 3, { n: 3 });
    socket.sendMessage('chat', 4, { n: 4 });
    expect(sent).toEqual([]);
    found([message(1), message(2), message(3)]);
    await replayed;
    expect(sent).toEqual([1, 2, 3, 4]);
    socket.sendMessage('chat', 4, { n: 4 });
    socket.sendMessage('chat', 5, { n: 5 });
    expect(sent).toEqual([1, 2, 3, 4, 5]);
  });

  it('gets what came meanwhile although what it missed could not be read', async () => {
    const { socket, sent } = open();
    socket.join('chat', 'other');
    const replayed = socket.replay('chat', async () => {
      socket.sendMessage('chat', 1, { n: 1 });
      throw new Error('no database');
    });
    await expect(replayed).rejects.toThrow('no database');
    expect(sent).toEqual([1]);
  });

  it('does not hear a message twice because it joined again', () => {
    const { socket, sent } = open();
    socket.join('chat', 'other');
    socket.sendMessage('chat', 1, { n: 1 });
    socket.join('chat', 'other');
    socket.sendMessage('chat', 1, { n: 1 });
    expect(sent).toEqual([1]);
  });
});

describe('the sockets of a process', () => {
  it('tell a member’s sockets that listen to everything or to the chat', () => {
    const sockets = new LiveSockets();
    const [global, inside, outside, stranger] = [open(), open(), open(), open('stranger')];
    for (const { socket } of [global, inside, outside, stranger]) sockets.add(socket);
    global.socket.isGlobal = true;
    stranger.socket.isGlobal = true;
    sockets.join(inside.socket, 'chat', 'other');
    sockets.tell('me', 'chat', 'chat_nudged', {});
    expect([global, inside, outside, stranger].map(({ sent }) => sent.length)).toEqual([1, 1, 0, 0]);
  });

  it('know a member’s first and last', () => {
    const sockets = new LiveSockets();
    const [one, two] = [open().socket, open().socket];
    expect([sockets.add(one), sockets.add(two), sockets.remove(one), sockets.remove(one), sockets.remove(two)]).toEqual(
      [true, false, false, false, true],
    );
    expect(sockets.size).toBe(0);
  });

  it('know who watches whom, until the chat or the socket is left', () => {
    const sockets = new LiveSockets();
    const { socket } = open();
    sockets.add(socket);
    for (let n = 0; n < CHATS_PER_SOCKET_MAX; n++) sockets.join(socket, `chat-${n}`, `other-${n}`);
    expect(sockets.watching('other-0').size).toBe(1);
    sockets.join(socket, 'one too many', 'last');
    expect(sockets.watching('other-0').size).toBe(0);
    expect(socket.hears('chat-0')).toBe(false);
    expect(sockets.watching('last').size).toBe(1);
    sockets.remove(socket);
    expect(sockets.watching('last').size).toBe(0);
  });
});
