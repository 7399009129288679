import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { connectionReader, isOurOrigin } from './origin.js';

const PUBLIC = 'https://nova.example';

describe('whether a page is ours', () => {
  it.each([
    ['our public address', PUBLIC, 'nova.example', 'http', true],
    ['our public address by another scheme', 'http://nova.example', 'nova.example', 'http', false],
    ['the same on a port', 'http://nova.example:443', 'nova.example:443', 'http', false],
    ['our public host on another port', 'https://nova.example:8443', 'nova.example:8443', 'https', true],
    ['the address that the browser reached us at', 'http://10.0.0.7:3000', '10.0.0.7:3000', 'http', true],
    ['the same by a scheme that it was not reached by', 'https://10.0.0.7:3000', '10.0.0.7:3000', 'http', false],
    ['the same where a trusted proxy says so', 'https://10.0.0.7:3000', '10.0.0.7:3000', 'https', true],
    ['a default port that the header names', 'https://other.example', 'OTHER.example:443', 'https', true],
    ['another host', 'https://evil.example', 'nova.example', 'https', false],
    ['no host at all', 'https://evil.example', undefined, 'https', false],
    ['no origin', 'null', 'nova.example', 'https', false],
  ])('%s', (_, origin, host, protocol, isOurs) => {
    expect(isOurOrigin(origin, PUBLIC, { host, protocol })).toBe(isOurs);
  });

  it('goes by the scheme and the address that a proxy tells only where somebody trusts the proxy', () => {
    const request = new IncomingMessage(new Socket());
    Object.defineProperty(request.socket, 'remoteAddress', { value: '10.0.0.1' });
    request.headers['x-forwarded-proto'] = 'http, https';
    request.headers['x-forwarded-for'] = '198.51.100.1, 203.0.113.1';
    const read = (trustProxy: string | false) => {
      const { schemeOf, addressOf } = connectionReader(trustProxy);
      return [schemeOf(request), addressOf(request)];
    };
    expect(read(false)).toEqual(['http', '10.0.0.1']);
    expect(read('192.0.2.0/24')).toEqual(['http', '10.0.0.1']);
    expect(read('loopback, 10.0.0.0/8')).toEqual(['https', '203.0.113.1']);
  });
});
