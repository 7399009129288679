import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { PlainFrame } from './frame-decoder.js';
import { BACKLOG_BYTES_MAX } from './limits.js';
import { PlainConnection } from './plain-connection.js';

const opened: EventEmitter[] = [];

function open({ bufferedAmount = 0, readyState = 1 } = {}) {
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState,
    bufferedAmount,
    send: jest.fn(),
    close: jest.fn(),
    terminate: jest.fn(),
    pause: jest.fn(),
    resume: jest.fn(),
  });
  opened.push(socket);
  const request = { socket: {} } as IncomingMessage;
  return { socket, connection: new PlainConnection(request, socket as unknown as WebSocket, false) };
}

describe('a plain connection', () => {
  // Each connection watches its other end until it is closed.
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.emit('close');
  });

  it('says events with their type beside their fields', () => {
    const { socket, connection } = open();
    connection.write('2["joined",{"chatId":"x","text":"] \\" {"}]');
    connection.write('2["pong",{}]');
    expect(socket.send.mock.calls).toEqual([['{"type":"joined","chatId":"x","text":"] \\" {"}'], ['{"type":"pong"}']]);
  });

  it('makes the frame of a broadcast once', () => {
    const [one, two] = [open(), open()];
    const options = {};
    one.connection.write('2["presence",{"a":1}]', options);
    two.connection.write('2["something else",{}]', options);
    expect(two.socket.send.mock.calls).toEqual(one.socket.send.mock.calls);
  });

  it('says nothing of other packets', () => {
    const { socket, connection } = open();
    for (const packet of ['0{"sid":"x"}', '1', '31[{}]', '4{"message":"x"}']) connection.write(packet);
    expect(socket.send).not.toHaveBeenCalled();
  });

  it('is heard once Socket.IO listens', () => {
    const { socket, connection } = open();
    expect([socket.pause.mock.calls.length, socket.resume.mock.calls.length]).toEqual([1, 0]);
    connection.write('0{"sid":"x"}');
    expect(socket.resume).toHaveBeenCalledTimes(1);
    const heard: unknown[] = [];
    connection.on('data', (data) => heard.push(data));
    socket.emit('message', Buffer.from('{}'), false);
    socket.emit('message', [Buffer.from('{'), Buffer.from('}')], true);
    expect(heard).toEqual([new PlainFrame(Buffer.from('{}'), false), new PlainFrame(Buffer.from('{}'), true)]);
    socket.emit('close');
  });

  it('ends where nobody takes what it says', () => {
    const [slow, fast] = [open({ bufferedAmount: BACKLOG_BYTES_MAX + 1 }), open({ bufferedAmount: BACKLOG_BYTES_MAX })];
    for (const { connection } of [slow, fast]) connection.write('2["pong",{}]');
    expect([slow, fast].map(({ socket }) => socket.terminate.mock.calls.length)).toEqual([1, 0]);
  });

  it('says nothing while it is closing', () => {
    const { socket, connection } = open({ readyState: 2 });
    connection.write('2["pong",{}]');
    expect(socket.send).not.toHaveBeenCalled();
  });

  it('closes with a code by which clients come back, unless another is given, and is cut where nobody is asked', () => {
    const { socket, connection } = open();
    connection.close();
    connection.closing = { code: 4401, sentence: 'Your session has ended.' };
    connection.close();
    expect(socket.close.mock.calls).toEqual([
      [1012, 'The server restarts.'],
      [4401, 'Your session has ended.'],
    ]);
    connection.close(true);
    expect(socket.terminate).toHaveBeenCalledTimes(1);
  });
});
