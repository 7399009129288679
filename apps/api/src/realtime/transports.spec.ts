import type { Socket } from 'socket.io';
import type { WebSocket } from 'ws';
import { BACKLOG_BYTES_MAX, BACKLOG_PACKETS_MAX, FRAME_BYTES_MAX } from './limits.js';
import { PlainTransport, readPlainFrame } from './plain-transport.js';
import { readSocketIoEvent, SocketIoTransport } from './socketio-transport.js';
import { REFUSED } from './tolerant-parser.js';

describe('plain frames', () => {
  const fake = (bufferedAmount: number, readyState = 1) => ({
    OPEN: 1,
    readyState,
    bufferedAmount,
    send: jest.fn(),
    terminate: jest.fn(),
  });
  const read = (data: string | Buffer, isBinary = false) => readPlainFrame(Buffer.from(data), isBinary).frame;

  it('have their type beside their fields', () => {
    const socket = fake(0);
    new PlainTransport(socket as unknown as WebSocket).send('joined', { chatId: 'x' });
    expect(socket.send).toHaveBeenCalledWith('{"type":"joined","chatId":"x"}');
    expect(read('{"type":"ping","a":1}')).toEqual({ type: 'ping', payload: { type: 'ping', a: 1 } });
  });

  it('that nobody takes end the socket', () => {
    const [slow, fast] = [fake(BACKLOG_BYTES_MAX + 1), fake(BACKLOG_BYTES_MAX)];
    for (const socket of [slow, fast]) new PlainTransport(socket as unknown as WebSocket).send('pong', {});
    expect([slow, fast].map(({ terminate }) => terminate.mock.calls.length)).toEqual([1, 0]);
  });

  it('are not sent to a socket that is closing', () => {
    const socket = fake(0, 2);
    new PlainTransport(socket as unknown as WebSocket).send('pong', {});
    expect(socket.send).not.toHaveBeenCalled();
  });

  it('are refused where they are no objects, binary or too large, taking no room', () => {
    for (const data of ['', '{', 'null', '7', '[]', '"x"', '\ufeff{}x']) expect(read(data).refusal).toBe('malformed');
    expect(read('{"type":"ping"}', true).refusal).toBe('malformed');
    const large = `{"type":"${'x'.repeat(FRAME_BYTES_MAX)}"}`;
    expect(readPlainFrame(Buffer.from(large), false)).toMatchObject({ bytes: 0, frame: { refusal: 'too-large' } });
    expect(readPlainFrame([Buffer.from('{"type"'), Buffer.from(':"ping"}')], false).frame.type).toBe('ping');
  });
});

describe('Socket.IO events', () => {
  const fake = (waiting: number) => ({
    emit: jest.fn(),
    conn: { writeBuffer: Array.from({ length: waiting }), close: jest.fn(), transport: { name: 'websocket' } },
    disconnect: jest.fn(),
  });

  it('that nobody takes end the socket', () => {
    const [slow, fast] = [fake(BACKLOG_PACKETS_MAX + 1), fake(BACKLOG_PACKETS_MAX)];
    for (const socket of [slow, fast]) new SocketIoTransport(socket as unknown as Socket).send('pong', {});
    expect([slow, fast].map(({ conn }) => conn.close.mock.calls)).toEqual([[[true]], []]);
  });

  it('say why they end, where the client must know', () => {
    const socket = fake(0);
    new SocketIoTransport(socket as unknown as Socket).close('sessionEnded', 'Your session has ended.');
    expect(socket.emit).toHaveBeenCalledWith('error', { message: 'Your session has ended.', code: 'SESSION_ENDED' });
    expect(socket.disconnect).toHaveBeenCalledWith(true);
  });

  it('come with a payload, an acknowledgement, both or neither', () => {
    const acknowledge = jest.fn();
    expect(readSocketIoEvent('ping', [])).toEqual({ type: 'ping', payload: {}, acknowledge: undefined });
    expect(readSocketIoEvent('x', [{ a: 1 }, 'more']).payload).toEqual({ a: 1 });
    for (const args of [[acknowledge], [{}, acknowledge]]) readSocketIoEvent('x', args).acknowledge?.({ ok: true });
    expect(acknowledge.mock.calls).toEqual([[{ ok: true }], [{ ok: true }]]);
    expect(readSocketIoEvent(REFUSED, ['too-large']).refusal).toBe('too-large');
  });
});
