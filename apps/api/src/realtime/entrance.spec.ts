import { routedAddress, targetOf } from './entrance.js';

describe('the target of a request', () => {
  it.each(['/ws', '/ws/', '//ws', '/ws//', '///ws/', '/ws?', 'http://evil.example/ws', '/ws?EIO', '/ws?x=%zz'])(
    'is here: %s',
    (url) => expect(targetOf(url)?.place).toBe('here'),
  );

  it.each(['/ws/chat/123', '/ws/..', '/ws/%00', '//ws//x', '/ws/\ud800'])('is below, where nothing is: %s', (url) =>
    expect(targetOf(url)?.place).toBe('elsewhere'),
  );

  it.each([undefined, '', '/', '//', '*', '/wsx', '/api/ws', 'ws', '?/ws', 'http://', 'http:///', '/WS', '\\ws'])(
    'is not ours: %s',
    (url) => expect(targetOf(url)).toBeUndefined(),
  );

  it('tells the protocols apart by Engine.IO’s parameter', () => {
    expect(targetOf('/ws/?EIO=4&transport=websocket')).toEqual({
      place: 'here',
      protocol: 'socket.io',
      sid: '',
      query: '?EIO=4&transport=websocket',
    });
    for (const url of ['/ws', '/ws?eio=4', '/ws?xEIO=4', '/ws?a=EIO']) expect(targetOf(url)?.protocol).toBe('plain');
  });
  it.each([
    ['/ws?EIO=4&sid=a', 'a'],
    ['/ws?EIO=4&sid=a&sid=b', 'b'],
    ['/ws?EIO=4&sid=a&sid=', ''],
    ['/ws?sid=a', ''],
  ])('has the session that Engine.IO goes by: %s', (url, sid) => expect(targetOf(url)?.sid).toBe(sid));
});

describe('the address by which the router knows a request', () => {
  it.each(['/ws?EIO=4&x=1', '//ws/?EIO=4&x=1', '/ws//?EIO=4&x=1', '/ws/chat/1?EIO=4&x=1'])(
    'is the one route of polling: %s',
    (address) => expect(routedAddress(address)).toBe('/ws/?EIO=4&x=1'),
  );

  it.each(['/ws', '/ws/', '//ws//', '/ws/?x=1', '/ws/chat/1'])('is not that route for anything else: %s', (address) =>
    expect(routedAddress(address)).not.toMatch(/^\/ws\/(?:\?|$)/),
  );

  it.each(['/', '/api/ws', '/wsx?EIO=4', '/api/chats?x=/ws'])('is as it came where it is not ours: %s', (address) =>
    expect(routedAddress(address)).toBe(address),
  );
});
