import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../config.js';

/** A request to an address that a stranger named. */
export interface PublicRequest {
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether this machine, also by http, may be reached as well: on an installation that only itself reaches. */
  readonly loopbackAllowed: boolean;
  /** For all of it, from the look-up of the name to the last byte of the answer. */
  readonly timeMsMax: number;
  /** The connection is closed once the answer has more; what came is kept. */
  readonly answerBytesMax: number;
  /** Connections to use again, made with the same `loopbackAllowed`; without them each request opens its own. */
  readonly connections?: PublicConnections;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

/** An idle connection is closed after so long, before most servers close it. */
const IDLE_MS_MAX = 4_000;
const IDLE_MAX = 256;

/**
 * Connections to addresses that strangers named, kept open for the next request to the same host. Each goes to the address that
 * was checked when it was opened, and stays there whatever the name leads to later. They are told apart by protocol, host, port
 * and certificate name.
 */
export class PublicConnections {
  private readonly http = new http.Agent(KEPT);
  private readonly https = new https.Agent(KEPT);

  constructor(readonly loopbackAllowed: boolean) {}

  /** @throws Error they were made for another reach */
  agentFor({ protocol, loopbackAllowed }: Reach): http.Agent {
    if (loopbackAllowed !== this.loopbackAllowed) throw new Error('these connections have another reach');
    return protocol === 'https:' ? this.https : this.http;
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }
}

const KEPT: http.AgentOptions = {
  keepAlive: true,
  timeout: IDLE_MS_MAX,
  maxFreeSockets: IDLE_MAX,
  maxTotalSockets: Infinity,
};

export interface PublicAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The address is none that a stranger may have this server reach. No connection was opened. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

const MAPPED = ipaddr.IPv6.parseCIDR('::ffff:0:0/96');
/** What the internet uses of IPv6 (RFC 4291); the rest is reserved, local, or holds an address of IPv4. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

const parsed = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const bare = address.replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.parse(bare) : undefined;
};

/**
 * Whether the internet routes to the address. Private, shared, link-local, loopback, multicast and reserved ones are not
 * public, nor those of IPv6 that stand for one of IPv4 (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  const ip = parsed(address);
  if (ip?.range() !== 'unicast') return false;
  return ip instanceof ipaddr.IPv4 || ip.match(GLOBAL);
}

/** Whether the address is this machine's own. */
function isLoopbackAddress(address: string): boolean {
  const ip = parsed(address);
  if (ip instanceof ipaddr.IPv6 && ip.match(MAPPED)) return ip.toIPv4Address().range() === 'loopback';
  return ip?.range() === 'loopback';
}

interface Reach {
  readonly protocol: string;
  readonly loopbackAllowed: boolean;
}

const mayReach = (address: string, { protocol, loopbackAllowed }: Reach): boolean =>
  (protocol === 'https:' && isPublicAddress(address)) || (loopbackAllowed && isLoopbackAddress(address));

/**
 * Why an address of a stranger is refused before its name is looked up; undefined where it is not. It must be https
 * without a name or a password in it, and its host, if it is a number, public.
 */
export function refusalOfAddress(text: string, loopbackAllowed: boolean): string | undefined {
  if (!URL.canParse(text)) return 'it is not an address';
  const { protocol, username, password, hostname } = new URL(text);
  const isHere = protocol === 'http:' && loopbackAllowed && isLoopback(text);
  if (protocol !== 'https:' && !isHere) return 'it does not begin with https://';
  if (username !== '' || password !== '') return 'it has a name or a password in it';
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  if (parsed(host) && !mayReach(host, { protocol, loopbackAllowed })) return 'its host is not public';
  return undefined;
}

const HERE: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * From the name servers, and not by the system's look-up, of which a process does two at a time: names whose servers never answer
 * would keep everybody else's waiting.
 */
async function addressesOf(name: string): Promise<readonly LookupAddress[]> {
  if (/(?:^|\.)localhost\.?$/.test(name)) return HERE;
  const [v4, v6] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
  ];
}

const withAddresses = callbackify(addressesOf);

/** Looks a name up once, and lets the connection go to what was checked and nowhere else. */
const checkedLookup =
  (reach: Reach): LookupFunction =>
  (hostname, options, done) => {
    withAddresses(hostname, (error: NodeJS.ErrnoException | null, addresses) => {
      if (error) return done(error, []);
      const refused = addresses.find(({ address }) => !mayReach(address, reach));
      const [first] = addresses;
      if (refused || !first) return done(new AddressRefused(`${hostname} is not public`), []);
      if (options.all) return done(null, [...addresses]);
      done(null, first.address, first.family);
    });
  };

/**
 * Sends a request to an address that a stranger named: https alone, to public addresses alone, which are checked when the
 * name is looked up and kept for the connection. It follows no redirect, uses no proxy, and ends in time.
 * @throws AddressRefused; Error it could not be reached, or did not answer in time
 */
export async function requestPublic(request: PublicRequest): Promise<PublicAnswer> {
  const { url, timeMsMax, signal, loopbackAllowed, connections } = request;
  const refusal = refusalOfAddress(url, loopbackAllowed);
  if (refusal !== undefined) throw new AddressRefused(refusal);
  const target = new URL(url);
  const reach = { protocol: target.protocol, loopbackAllowed };
  const inTime = AbortSignal.timeout(timeMsMax);
  const ending = signal ? AbortSignal.any([inTime, signal]) : inTime;
  const send = (agent: http.Agent | false): Promise<PublicAnswer> =>
    exchange(request, target, { agent, reach, ending });
  if (!connections) return send(false);
  try {
    return await send(connections.agentFor(reach));
  } catch (error) {
    // The other side closed an idle connection just when it was used again.
    if (error instanceof StaleConnection) return send(false);
    throw error;
  }
}

class StaleConnection extends Error {}

interface Way {
  readonly agent: http.Agent | false;
  readonly reach: Reach;
  readonly ending: AbortSignal;
}

function exchange(
  { method, headers, body, answerBytesMax }: PublicRequest,
  target: URL,
  { agent, reach, ending }: Way,
): Promise<PublicAnswer> {
  return new Promise((answer, fail) => {
    // Whatever the other side does: an answer of another protocol, for one, ends the connection and says nothing.
    ending.addEventListener('abort', () => fail(ending.reason), { once: true });
    const options = {
      method,
      headers: { ...headers, 'content-length': body.length },
      agent,
      lookup: checkedLookup(reach),
      signal: ending,
    };
    const sent = target.protocol === 'https:' ? https.request(target, options) : http.request(target, options);
    let isAnswered = false;
    sent.on('error', (error) => {
      const isStale = sent.reusedSocket && !isAnswered && !ending.aborted;
      fail(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    sent.on('response', (response) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      let bytes = 0;
      const end = (): void => {
        const whole = Buffer.concat(chunks).subarray(0, answerBytesMax);
        answer({ status: response.statusCode ?? 0, headers: response.headers, body: whole });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= answerBytesMax) return;
        end();
        sent.destroy();
      });
      response.on('end', end);
      response.on('error', fail);
    });
    sent.end(body);
  });
}
