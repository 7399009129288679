import { networkOf, siteOf } from './network.js';

describe('networks that limits count by', () => {
  it.each([
    ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
    ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['another one of the same /64', '2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['one of the next /64', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['an IPv4-mapped address', '::ffff:203.0.113.7', '203.0.113.7'],
    ['an IPv4-mapped address in hexadecimal', '::ffff:cb00:7107', '203.0.113.7'],
    ['an address behind NAT64', '64:ff9b::cb00:7107', '203.0.113.7'],
    ['an address behind NAT64, written with dots', '64:ff9b::203.0.113.7', '203.0.113.7'],
    ['a neighbour of NAT64', '64:ff9b:1::cb00:7107', '64:ff9b:1::/64'],
    ['a 6to4 address', '2002:cb00:7107:1234::1', '203.0.113.7'],
    ['a Teredo address', '2001:0:4136:e378:8000:63bf:34ff:8ef8', '203.0.113.7'],
    ['a link-local address with its zone', 'fe80::1%eth0', 'fe80::/64'],
    ['loopback', '::1', '::/64'],
    ['an address with a port', '203.0.113.7:4711', '203.0.113.7'],
    ['an address in brackets with a port', '[2001:db8:1:2::1]:4711', '2001:db8:1:2::/64'],
  ])('%s', (_, address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it.each([
    '',
    'unknown',
    '1',
    '0x7f.1',
    '999.1.1.1',
    '::ffff:999.1.1.1',
    '2001:db8::/32',
    'a:b',
    '%eth0',
    '[',
    '[]:1',
  ])('count %p with everything that is no address', (garbage) => {
    expect(networkOf(garbage)).toBe('unknown');
  });

  it('are of one site in a /48, and each of its own where they are IPv4', () => {
    expect(siteOf('2001:db8:1:2::1')).toBe(siteOf('2001:db8:1:ffff::1'));
    expect(siteOf('2001:db8:1:2::1')).not.toBe(siteOf('2001:db8:2:2::1'));
    expect(siteOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
  });
});
