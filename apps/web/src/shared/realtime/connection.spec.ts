import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { learnServerTime } from '@/shared/api/server-clock';
import { ChatRooms, SEND_AGAIN_MS, TYPING_STOP_MS } from './chat-rooms';
import { RealtimeConnection, RECONNECT_MS, SESSION_ENDED, type Socket } from './connection';

const ME = 'me';
const CHAT = 'chat-1';

class FakeSocket extends EventTarget implements Socket {
  readonly sent: { type: string; [field: string]: unknown }[] = [];
  readonly close = jest.fn<(code?: number) => void>();

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string });
  }

  says(frame: unknown): void {
    const data = typeof frame === 'string' ? frame : JSON.stringify(frame);
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }

  opens(): void {
    this.dispatchEvent(new Event('open'));
  }

  ends(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }

  types(): string[] {
    return this.sent.map(({ type }) => type);
  }
}

const message = (id: string, given: Partial<{ senderId: string; clientMessageId: string }> = {}) => ({
  type: 'new_message',
  message: { id, chatId: CHAT, senderId: 'other', text: id, clientMessageId: null, ...given },
});

describe('the live connection of the client', () => {
  let sockets: FakeSocket[];
  let connection: RealtimeConnection;
  let rooms: ChatRooms;
  const onSessionDoubt = jest.fn();
  const socket = (): FakeSocket => {
    const last = sockets.at(-1);
    if (!last) throw new Error('no socket was opened');
    return last;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    onSessionDoubt.mockClear();
    sockets = [];
    const openSocket = () => {
      const opened = new FakeSocket();
      sockets.push(opened);
      return opened;
    };
    connection = new RealtimeConnection({ userId: ME, openSocket, onSessionDoubt });
    let ids = 0;
    rooms = new ChatRooms({ connection, userId: ME, newId: () => `c${(ids += 1)}` });
    connection.open();
  });
  afterEach(() => {
    connection.close();
    jest.useRealTimers();
  });

  it('joins globally as soon as it is open', () => {
    expect(connection.status).toBe('connecting');
    expect(connection.send({ type: 'ping' })).toBe(false);
    socket().opens();
    expect(connection.status).toBe('connected');
    expect(socket().sent).toEqual([{ type: 'join_global', userId: ME }]);
  });

  it.each([1006, 1011, 1012, SESSION_ENDED, 4429])('connects again 5 seconds after a close with %d', (code) => {
    socket().opens();
    socket().ends(code);
    expect(connection.status).toBe('connecting');
    jest.advanceTimersByTime(RECONNECT_MS - 1);
    expect(sockets).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(sockets).toHaveLength(2);
  });

  it.each([1000, 1001])('stays closed after %d', (code) => {
    socket().opens();
    socket().ends(code);
    jest.advanceTimersByTime(10 * RECONNECT_MS);
    expect(sockets).toHaveLength(1);
    expect(connection.status).toBe('closed');
    expect(onSessionDoubt).not.toHaveBeenCalled();
  });

  it('asks about a session that ended, and stays closed where nobody is signed in any more', () => {
    onSessionDoubt.mockImplementationOnce(() => connection.close());
    socket().opens();
    socket().ends(SESSION_ENDED);
    jest.advanceTimersByTime(10 * RECONNECT_MS);
    expect(onSessionDoubt).toHaveBeenCalledTimes(1);
    expect(sockets).toHaveLength(1);
    expect(connection.status).toBe('closed');
  });

  it('asks about the session after a handshake that failed, and says so once an outage', () => {
    const errors = jest.fn();
    connection.on('error', errors);
    for (let n = 0; n < 3; n++) {
      socket().ends(1006);
      jest.advanceTimersByTime(RECONNECT_MS);
    }
    expect(onSessionDoubt).toHaveBeenCalledTimes(3);
    expect(errors).toHaveBeenCalledTimes(1);
  });

  it('says once an outage that a lost connection does not come back', () => {
    const errors = jest.fn();
    connection.on('error', errors);
    for (const outage of [1, 2]) {
      socket().opens();
      socket().ends(1006);
      expect(errors).toHaveBeenCalledTimes(outage - 1);
      jest.advanceTimersByTime(RECONNECT_MS);
      for (let failures = 1; failures <= 2; failures++) {
        socket().ends(1006);
        jest.advanceTimersByTime(RECONNECT_MS);
        expect(errors).toHaveBeenCalledTimes(outage);
      }
    }
  });

  it('stays closed for good once closed', () => {
    socket().opens();
    connection.close();
    expect(socket().close).toHaveBeenCalledWith(1000);
    jest.advanceTimersByTime(10 * RECONNECT_MS);
    expect(sockets).toHaveLength(1);
  });

  it('gives up a connection that does not answer a ping', () => {
    socket().opens();
    jest.advanceTimersByTime(25_000);
    expect(socket().types()).toContain('ping');
    socket().says({ type: 'pong' });
    jest.advanceTimersByTime(24_000);
    expect(connection.status).toBe('connected');
    jest.advanceTimersByTime(1_000 + 10_000 + RECONNECT_MS);
    expect(sockets).toHaveLength(2);
    expect(sockets[0]?.close).toHaveBeenCalled();
  });

  it('counts as lost at once where the network is gone, and comes back with it', () => {
    socket().opens();
    connection.networkLost();
    expect(connection.status).toBe('connecting');
    expect(onSessionDoubt).not.toHaveBeenCalled();
    connection.open();
    socket().opens();
    expect([connection.status, sockets.length]).toEqual(['connected', 2]);
  });

  it('hands a message on once, and nothing of what it cannot read', () => {
    const heard = jest.fn();
    connection.on('new_message', heard);
    socket().opens();
    for (const frame of [message('m1'), message('m1'), '{', 'null', '[1]', { type: 7 }, { type: 'unknown' }]) {
      socket().says(frame);
    }
    socket().ends(1006);
    jest.advanceTimersByTime(RECONNECT_MS);
    socket().opens();
    socket().says(message('m1'));
    socket().says(message('m2'));
    expect(heard.mock.calls.map(([frame]) => (frame as { message: { id: string } }).message.id)).toEqual(['m1', 'm2']);
  });

  it('stops handing on when asked', () => {
    const heard = jest.fn();
    socket().opens();
    connection.on('chat_accepted', heard)();
    socket().says({ type: 'chat_accepted', chatId: CHAT, message: '' });
    expect(heard).not.toHaveBeenCalled();
  });

  describe('a chat', () => {
    it('is joined now and after every loss, from the newest message on', () => {
      rooms.enter(CHAT);
      socket().opens();
      expect(socket().sent.at(-1)).toEqual({ type: 'join_chat', chatId: CHAT });
      socket().says({ type: 'joined', chatId: CHAT });
      expect(rooms.state(CHAT).joined).toBe(true);
      rooms.loadedThrough(CHAT, 'm1');
      expect(socket().sent.at(-1)).toEqual({ type: 'join_chat', chatId: CHAT, after: 'm1' });
      socket().says(message('m2'));
      socket().ends(1006);
      expect(rooms.state(CHAT).joined).toBe(false);
      jest.advanceTimersByTime(RECONNECT_MS);
      socket().opens();
      expect(socket().sent.at(-1)).toEqual({ type: 'join_chat', chatId: CHAT, after: 'm2' });
    });

    it('is joined from the newest message on, also where one came before it was loaded', () => {
      rooms.enter(CHAT);
      socket().opens();
      socket().says(message('m2'));
      rooms.loadedThrough(CHAT, 'm1');
      const joins = socket().sent.length;
      rooms.loadedThrough(CHAT, 'm1');
      expect(socket().sent).toHaveLength(joins);
      socket().ends(1006);
      jest.advanceTimersByTime(RECONNECT_MS);
      socket().opens();
      expect(socket().sent.at(-1)).toEqual({ type: 'join_chat', chatId: CHAT, after: 'm2' });
    });

    it('is no longer joined once everybody left it', () => {
      const leave = [rooms.enter(CHAT), rooms.enter(CHAT)];
      socket().opens();
      for (const each of leave) each();
      socket().ends(1006);
      jest.advanceTimersByTime(RECONNECT_MS);
      socket().opens();
      expect(socket().types()).toEqual(['join_global']);
    });

    it('sends again what was not acknowledged, under the same id', () => {
      rooms.enter(CHAT);
      socket().opens();
      rooms.send(CHAT, ' one ');
      rooms.send(CHAT, 'two');
      socket().says({ type: 'message_ack', clientMessageId: 'c1', id: 'm1' });
      expect(rooms.state(CHAT).outgoing.map(({ text, status }) => [text, status])).toEqual([
        ['one', 'sent'],
        ['two', 'waiting'],
      ]);
      socket().ends(1006);
      jest.advanceTimersByTime(RECONNECT_MS);
      socket().opens();
      const again = socket().sent.filter(({ type }) => type === 'chat_message');
      expect(again).toEqual([{ type: 'chat_message', chatId: CHAT, text: 'two', clientMessageId: 'c2' }]);
      socket().says(message('m1', { senderId: ME, clientMessageId: 'c1' }));
      socket().says(message('m2', { senderId: ME, clientMessageId: 'c2' }));
      expect(rooms.state(CHAT).outgoing).toEqual([]);
    });

    it("dates a message by the server's clock, as the server will", () => {
      const hourAgo = new Date(Date.now() - 3_600_000);
      hourAgo.setMilliseconds(500);
      learnServerTime(hourAgo.toUTCString(), Date.now(), Date.now());
      rooms.enter(CHAT);
      socket().opens();
      rooms.send(CHAT, 'now');
      learnServerTime(new Date().toUTCString(), Date.now(), Date.now());
      expect(rooms.state(CHAT).outgoing).toMatchObject([{ writtenAt: hourAgo.toISOString() }]);
    });

    it('keeps a refused message until it is tried again or discarded', () => {
      rooms.enter(CHAT);
      socket().opens();
      rooms.send(CHAT, 'late');
      const refusal = { type: 'error', message: 'The chat is over.', code: 'CHAT_ENDED', clientMessageId: 'c1' };
      socket().says(refusal);
      expect(rooms.state(CHAT).outgoing).toMatchObject([{ status: 'failed', error: 'The chat is over.' }]);
      rooms.retry('c1');
      expect(
        socket()
          .types()
          .filter((type) => type === 'chat_message'),
      ).toHaveLength(2);
      expect(rooms.state(CHAT).outgoing).toMatchObject([{ status: 'waiting' }]);
      socket().says(refusal);
      rooms.discard('c1');
      expect(rooms.state(CHAT).outgoing).toEqual([]);
    });

    it('tells of a message that failed, once however often it is refused, also after everybody left the chat', () => {
      const failed = jest.fn();
      rooms.onFailed(failed);
      const leave = rooms.enter(CHAT);
      socket().opens();
      rooms.send(CHAT, 'late');
      leave();
      const refusal = { type: 'error', message: 'The chat is over.', code: 'CHAT_ENDED', clientMessageId: 'c1' };
      socket().says({ ...refusal, code: 'BUSY' });
      expect(failed).not.toHaveBeenCalled();
      socket().says(refusal);
      socket().says(refusal);
      expect(failed.mock.calls).toEqual([['The chat is over.']]);
      rooms.retry('c1');
      socket().says(refusal);
      expect(failed).toHaveBeenCalledTimes(2);
    });

    it('sends again by itself after trouble that passes, for a while', () => {
      rooms.enter(CHAT);
      socket().opens();
      rooms.send(CHAT, 'patience');
      const sends = () =>
        socket()
          .types()
          .filter((type) => type === 'chat_message').length;
      const refusal = { type: 'error', message: 'Too much is happening.', code: 'BUSY', clientMessageId: 'c1' };
      for (let tries = 1; tries <= 5; tries++) {
        socket().says(refusal);
        expect(rooms.state(CHAT).outgoing).toMatchObject([{ status: 'waiting' }]);
        jest.advanceTimersByTime(SEND_AGAIN_MS);
        expect(sends()).toBe(tries + 1);
      }
      socket().says(refusal);
      expect(rooms.state(CHAT).outgoing).toMatchObject([{ status: 'failed' }]);
      jest.advanceTimersByTime(10 * SEND_AGAIN_MS);
      expect(sends()).toBe(6);
    });

    it('takes no blank text, and sends what was written without a connection with the next one', () => {
      rooms.enter(CHAT);
      expect(rooms.send(CHAT, ' \n')).toBeUndefined();
      const clientMessageId = rooms.send(CHAT, 'too early');
      expect(rooms.state(CHAT).outgoing).toMatchObject([{ clientMessageId, status: 'waiting' }]);
      expect(socket().types()).not.toContain('chat_message');
      socket().opens();
      expect(socket().sent).toContainEqual({ type: 'chat_message', chatId: CHAT, text: 'too early', clientMessageId });
    });

    it('gives up a connection on which a message is not answered', () => {
      socket().opens();
      rooms.enter(CHAT);
      rooms.send(CHAT, 'Hello?');
      jest.advanceTimersByTime(9_999);
      expect(connection.status).toBe('connected');
      jest.advanceTimersByTime(1);
      expect(connection.status).toBe('connecting');
    });

    it('stops typing 3 seconds after the last key, and at once with the message', () => {
      rooms.enter(CHAT);
      socket().opens();
      const typing = () =>
        socket()
          .types()
          .filter((type) => type.startsWith('typing'));
      rooms.keyPressed(CHAT);
      jest.advanceTimersByTime(TYPING_STOP_MS - 1_500);
      rooms.keyPressed(CHAT);
      jest.advanceTimersByTime(TYPING_STOP_MS - 1);
      expect(typing()).toEqual(['typing_start']);
      jest.advanceTimersByTime(1);
      expect(typing()).toEqual(['typing_start', 'typing_stop']);
      rooms.keyPressed(CHAT);
      rooms.send(CHAT, 'there');
      expect(typing()).toEqual(['typing_start', 'typing_stop', 'typing_start', 'typing_stop']);
    });

    it('shows the other side typing until their message, or a while', () => {
      rooms.enter(CHAT);
      socket().opens();
      const types = { type: 'user_typing', chatId: CHAT, userId: 'other', typing: true };
      socket().says({ ...types, userId: ME });
      expect(rooms.state(CHAT).otherIsTyping).toBe(false);
      socket().says(types);
      expect(rooms.state(CHAT).otherIsTyping).toBe(true);
      socket().says(message('m1'));
      expect(rooms.state(CHAT).otherIsTyping).toBe(false);
      socket().says(types);
      jest.advanceTimersByTime(10_000);
      expect(rooms.state(CHAT).otherIsTyping).toBe(false);
      socket().says(types);
      socket().ends(1006);
      expect(rooms.state(CHAT).otherIsTyping).toBe(false);
    });
  });
});
