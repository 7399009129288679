import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** A household or a server gets a /64 at least, and may use any address in it. */
const NETWORK_BITS = 64;
/** Tunnel brokers and hosting companies give whole sites away for free: 65,536 networks. */
const SITE_BITS = 48;
/** Anything that is no address counts as one, so that it cannot bypass a limit. */
const NO_NETWORK = 'unknown';

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');
const TEREDO = ipaddr.IPv6.parseCIDR('2001::/32');

/** Each call asks several times, and the next ones come from the same addresses. */
const REMEMBERED_MAX = 10_000;
/** The longest address with its zone and a port is shorter: what a stranger makes up takes no more memory. */
const REMEMBERED_LENGTH_MAX = 100;

/**
 * The key of limits by address, from `request.ip`: an IPv4 address as it is, an IPv6 address as its /64. An IPv6
 * address that carries an IPv4 address (IPv4-mapped, NAT64, 6to4, Teredo) counts as that one.
 */
export const networkOf = remembered(NETWORK_BITS);

/** As `networkOf`, with an IPv6 address as its /48: what one party can get without paying for each network in it. */
export const siteOf = remembered(SITE_BITS);

function remembered(bits: number): (address: string) => string {
  const known = new LRUCache<string, string>({ max: REMEMBERED_MAX });
  return (address) => {
    const found = known.get(address);
    if (found !== undefined) return found;
    const prefix = prefixOf(address, bits);
    if (address.length <= REMEMBERED_LENGTH_MAX) known.set(address, prefix);
    return prefix;
  };
}

function prefixOf(address: string, bits: number): string {
  const bare = withoutPort(address);
  if (isIP(bare) === 0 || !ipaddr.isValid(bare)) return NO_NETWORK;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const inside = ipv4Inside(parsed);
  if (inside) return inside.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString()}/${bits}`;
}

/** Some proxies forward the caller's port too. The zone of a link-local address names our own interface. */
const withoutPort = (address: string): string =>
  (/^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address).replace(
    /%.*$/,
    '',
  );

function ipv4Inside(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  if (address.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12));
  if (address.match(SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6));
  // Teredo hides the client's address from routers by turning its bits over.
  if (address.match(TEREDO)) return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
  return undefined;
}
