import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { StoreRefused } from '../port.js';
import { portOf } from './silent-servers.js';

const ADDRESS = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(?:[^@/?]*@)?([^/?]+)\/?(?:\?(.*))?$/i;
/** The options of the client, in lower case. For any other it prints a warning with the password. */
const OPTIONS: ReadonlySet<string> = new Set([
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'keepaliveinterval',
  'keepalivetimeout',
  'maxdiscoverattempts',
  'nodepreference',
  'throwonappendfailure',
  'tls',
  'tlscafile',
  'tlsverifycert',
  'usercertfile',
  'userkeyfile',
]);
const PROBE_MS_MAX = 2_000;

interface Address {
  /** `host:port`, as written. */
  readonly hosts: readonly string[];
  readonly options: ReadonlyMap<string, string>;
}

/**
 * The address as the client takes it.
 * @throws StoreRefused there is something in it that the client does not know; the sentence has nothing of the password
 */
export function clientAddress(connectionString: string): string {
  const { options } = read(connectionString);
  const unknown = [...options.keys()].find((name) => !OPTIONS.has(name));
  if (unknown !== undefined) throw new StoreRefused(`the option ${unknown} of its address is not known`);
  if (options.get('tlsverifycert') === 'false') {
    throw new StoreRefused(
      'tlsVerifyCert=false has no effect: name the authority of its certificate with tlsCAFile=FILE instead',
    );
  }
  return connectionString.trim().replace(/^kurrentdb/i, 'esdb');
}

function read(connectionString: string): Address {
  const [found, , hosts = '', query = ''] = ADDRESS.exec(connectionString.trim()) ?? [];
  if (found === undefined) throw new StoreRefused('its address is not of the form esdb://NAME:PASSWORD@HOST:PORT');
  const pairs = query.split('&').filter((pair) => pair !== '');
  const options = new Map(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [name.trim().toLowerCase().replaceAll(/[_-]/g, ''), decodeURIComponent(value.trim())];
    }),
  );
  return { hosts: hosts.split(','), options };
}

/** Describes the client's error about the address without its text, which may contain a password. */
export function addressError(error: unknown): StoreRefused {
  if (error instanceof StoreRefused) return error;
  if (error instanceof Error && 'expected' in error) {
    return new StoreRefused(`its address is not as it should be: ${String(error.expected)} is expected in it`);
  }
  return new StoreRefused(`its address cannot be used: ${error instanceof Error ? error.message : String(error)}`);
}

/**
 * The TLS reason why reachable nodes cannot be used, or undefined. The client itself says only that it could not
 * connect.
 */
export async function tlsTrouble(connectionString: string): Promise<StoreRefused | undefined> {
  const { hosts, options } = read(connectionString);
  const isPlain = options.get('tls') === 'false';
  const file = options.get('tlscafile');
  const ca = file !== undefined && existsSync(file) ? readFileSync(file) : undefined;
  const greetings = await Promise.all(hosts.map(async (host) => ({ host, greeting: await greet(host, ca) })));
  for (const { host, greeting } of greetings) {
    if (greeting === undefined) continue;
    if (isPlain && greeting.speaksTls) {
      return new StoreRefused(
        `${host} speaks TLS, and the address says tls=false: take that out, and name the authority of its certificate ` +
          'with tlsCAFile=FILE where it is your own',
      );
    }
    if (!isPlain && !greeting.speaksTls) {
      return new StoreRefused(`${host} does not speak TLS: give it a certificate, or say tls=false in the address`);
    }
    if (!isPlain && greeting.distrust !== undefined) {
      return new StoreRefused(
        `the certificate of ${host} is not trusted (${greeting.distrust}): name its authority with tlsCAFile=FILE`,
      );
    }
  }
  return undefined;
}

interface Greeting {
  readonly speaksTls: boolean;
  readonly distrust?: string;
}

/** Undefined if nobody answers. */
function greet(hostAndPort: string, ca: Buffer | undefined): Promise<Greeting | undefined> {
  const host = hostAndPort.replace(/:\d+$/, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: portOf(hostAndPort),
      rejectUnauthorized: false,
      timeout: PROBE_MS_MAX,
      ALPNProtocols: ['h2'],
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca && { ca }),
    });
    const end = (greeting?: Greeting): void => {
      resolve(greeting);
      socket.destroy();
    };
    socket.once('secureConnect', () => {
      const { authorized, authorizationError } = socket;
      end({ speaksTls: true, ...(!authorized && { distrust: String(authorizationError) }) });
    });
    socket.once('timeout', () => end());
    socket.on('error', (error) => {
      const isOtherLanguage = 'code' in error && /^(?:ERR_SSL_|EPROTO)/.test(String(error.code));
      end(isOtherLanguage ? { speaksTls: false } : undefined);
    });
  });
}
