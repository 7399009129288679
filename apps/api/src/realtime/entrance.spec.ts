import { targetOf } from './entrance.js';

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
