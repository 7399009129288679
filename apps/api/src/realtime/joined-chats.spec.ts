import { offlineServer, openOffline } from '../../../../test/support/offline-sockets.js';
import { JoinedChats } from './joined-chats.js';
import { CHATS_PER_SOCKET_MAX } from './limits.js';
import { LiveSockets } from './live-sockets.js';
import type { ReplayedMessage } from './message-replay.js';

function start() {
  const server = offlineServer();
  const sockets = new LiveSockets();
  sockets.serve(server);
  const joined = new JoinedChats(sockets);
  const open = async (memberId = 'me') => {
    const opened = await openOffline(server, memberId);
    sockets.add(opened.socket);
    return { ...opened, heard: () => opened.connection.events() };
  };
  return { sockets, joined, open };
}

const message = (n: number): ReplayedMessage => ({ revision: n, payload: { n } });
const told = (...numbers: number[]) => numbers.map((n) => ['new_message', { n }]);

describe('a socket in a chat', () => {
  it('gets the messages that it missed before those that come meanwhile, each once', async () => {
    const { joined, open } = start();
    const { socket, heard } = await open();
    joined.join(socket, 'chat', 'other');
    let found: (messages: ReplayedMessage[]) => void = () => undefined;
    const replayed = joined.replay(socket, 'chat', () => new Promise((resolve) => (found = resolve)));
    joined.tell(socket, 'chat', message(3));
    joined.tell(socket, 'chat', message(4));
    expect(heard()).toEqual([]);
    found([message(1), message(2), message(3)]);
    await replayed;
    expect(heard()).toEqual(told(1, 2, 3, 4));
    joined.tell(socket, 'chat', message(4));
    joined.tell(socket, 'chat', message(5));
    expect(heard()).toEqual(told(1, 2, 3, 4, 5));
  });

  it('gets what came meanwhile although what it missed could not be read', async () => {
    const { joined, open } = start();
    const { socket, heard } = await open();
    joined.join(socket, 'chat', 'other');
    const replayed = joined.replay(socket, 'chat', async () => {
      joined.tell(socket, 'chat', message(1));
      throw new Error('no database');
    });
    await expect(replayed).rejects.toThrow('no database');
    expect(heard()).toEqual(told(1));
  });

  it('does not hear a message twice because it joined again', async () => {
    const { joined, open } = start();
    const { socket, heard } = await open();
    joined.join(socket, 'chat', 'other');
    joined.tell(socket, 'chat', message(1));
    joined.join(socket, 'chat', 'other');
    joined.tell(socket, 'chat', message(1));
    expect(heard()).toEqual(told(1));
  });

  it('is in none once it is closed', async () => {
    const { sockets, joined, open } = start();
    const { socket } = await open();
    socket.disconnect(true);
    joined.join(socket, 'chat', 'other');
    expect([joined.partnerIn(socket, 'chat'), sockets.hearing('me', 'chat').size]).toEqual([undefined, 0]);
  });
});

describe('the sockets of a process', () => {
  it('are told of a chat where they listen to everything or to it, each once', async () => {
    const { sockets, joined, open } = start();
    const [everything, inside, both, outside, stranger] = [
      await open(),
      await open(),
      await open(),
      await open(),
      await open('stranger'),
    ];
    for (const { socket } of [everything, both, stranger]) sockets.joinEverything(socket);
    for (const { socket } of [inside, both]) joined.join(socket, 'chat', 'other');
    sockets.tell('me', 'chat', 'chat_nudged', {});
    expect([everything, inside, both, outside, stranger].map(({ heard }) => heard().length)).toEqual([1, 1, 1, 0, 0]);
    expect(sockets.hearing('me', 'chat')).toEqual(new Set([everything.socket, inside.socket, both.socket]));
    sockets.tellEverywhere('me', 'balance_changed', {});
    expect([everything, inside, both, outside, stranger].map(({ heard }) => heard().length)).toEqual([2, 1, 2, 0, 0]);
  });

  it('know a member’s first and last', async () => {
    const server = offlineServer();
    const sockets = new LiveSockets();
    sockets.serve(server);
    const [one, two] = [await openOffline(server, 'me'), await openOffline(server, 'me')];
    expect([sockets.add(one.socket), sockets.add(two.socket)]).toEqual([true, false]);
    expect([sockets.size, sockets.members()]).toEqual([2, ['me']]);
    one.socket.disconnect(true);
    expect([sockets.has('me'), sockets.of('me').size]).toEqual([true, 1]);
    two.connection.close();
    expect([sockets.has('me'), sockets.size, sockets.members()]).toEqual([false, 0, []]);
  });

  it('hear of a member until the last chat with them, or the socket, is left', async () => {
    const { sockets, joined, open } = start();
    const { socket, heard } = await open();
    const hears = (memberId: string) => {
      const before = heard().length;
      sockets.tellAbout(memberId, 'presence', {});
      return heard().length > before;
    };
    joined.join(socket, 'chat', 'other');
    joined.join(socket, 'with the same', 'other');
    for (let n = 2; n < CHATS_PER_SOCKET_MAX; n++) joined.join(socket, `chat-${n}`, `other-${n}`);
    joined.join(socket, 'one too many', 'last');
    expect(joined.partnerIn(socket, 'chat')).toBeUndefined();
    expect(sockets.hearing('me', 'chat').size).toBe(0);
    expect([hears('other'), hears('last')]).toEqual([true, true]);
    joined.join(socket, 'two too many', 'last');
    expect([hears('other'), hears('last')]).toEqual([false, true]);
    socket.disconnect(true);
    expect(hears('last')).toBe(false);
  });
});
