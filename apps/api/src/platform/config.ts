import { createPrivateKey, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { Inject } from '@nestjs/common';
import { isEmail } from 'class-validator';
import type { EnvelopeVersion } from '@app/ledger';
import ipaddr from 'ipaddr.js';
import { errorCode } from './errors/error-code.js';
import { JournalKeys } from './ledger/journal-keys.js';
import { SecretFileError, withSecretFiles } from './secret-settings.js';
import { emailKey } from './text.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface StripeConfig {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  /** Whether the secret key moves real money (`sk_live_…`). */
  readonly livemode: boolean;
}

/** A server that helps two browsers to find each other, as `RTCPeerConnection` takes it. */
export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

/** How much room members' files may take. */
export interface UploadSettings {
  /** Of all files of one member. */
  readonly bytesMax: number;
  readonly filesMax: number;
  /** Below so much free space beside the data folder no file is taken; 0: the disk is not looked at. */
  readonly diskFloorBytes: number;
  /** Takes pictures of videos, and converts what browsers do not play. Undefined: the installation does without. */
  readonly ffmpegPath: string | undefined;
}

/** Where members' files are kept instead of the data folder. */
export interface S3Config {
  /** How this server reaches the service. */
  readonly endpoint: string;
  /** How browsers reach it: files are sent there directly. */
  readonly publicEndpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket stands in the path (true) or in the host's name. */
  readonly pathStyle: boolean;
}

/** Where checkpoints of a signed journal go, beside the data folder. */
export interface CheckpointsConfig {
  /** In the data folder. */
  readonly folder: string;
  /** Another folder, of another machine for instance. */
  readonly copies: string | undefined;
  readonly bucket: CheckpointBucketConfig | undefined;
  /** An address that is told of each. */
  readonly webhook: string | undefined;
}

/** A bucket of the store that the `S3_` settings name. */
export interface CheckpointBucketConfig extends S3Config {
  /** For so many days nobody can delete what is put there; 0: the bucket's own rule holds. */
  readonly lockDays: number;
}

/** What passkeys need to know of the address that browsers reach this installation at. */
export interface PasskeyConfig {
  /**
   * The name that passkeys are bound to: the host of `PUBLIC_URL`. Undefined where browsers allow none: at an IP address, and
   * on plain http unless the host is this machine.
   */
  readonly rpId: string | undefined;
  /** Where browsers must be when they use one. */
  readonly origin: string;
  /** Whether an admin without one is refused. */
  readonly demandedOfAdmins: boolean;
  /** What an operator is warned of at each start; undefined where there is nothing. */
  readonly warning: string | undefined;
}

/** How mail is sent. */
export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps://`), after STARTTLS, which is then demanded, or none at all. */
  readonly security: 'tls' | 'starttls' | 'none';
  /** Undefined: the server asks for none. */
  readonly credentials: { readonly user: string; readonly pass: string } | undefined;
  /** A PEM file of further authorities that may vouch for the server. */
  readonly authorityFile: string | undefined;
  readonly from: { readonly name: string; readonly address: string };
}

/** The environment, read and validated once. Nothing else reads `process.env`. */
export interface Config {
  readonly port: number;
  /** Where everything lives that this installation owns: the embedded Postgres and the secrets it made. */
  readonly dataDir: string;
  /** Undefined: the embedded Postgres in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The same database, with the role that owns the journal: for commands alone. Undefined: `databaseUrl` has that role. */
  readonly databaseOwnerUrl: string | undefined;
  /** Undefined: events are kept in Postgres. */
  readonly eventStoreUrl: string | undefined;
  /** How metadata of events is written; undefined: as the ledger's last event has it, and 2 before the first. */
  readonly journalEnvelope: EnvelopeVersion | undefined;
  /** How browsers reach this installation, without a trailing slash. */
  readonly publicUrl: string;
  /** In the form that accounts are compared in. */
  readonly adminEmail: string | undefined;
  /** An admin's session that nobody uses for so long ends; 0: it does not. */
  readonly adminIdleMinutes: number;
  /** `npm start` asks for them on a new installation of its own. */
  readonly demoData: boolean;
  readonly allowTestPerks: boolean;
  /** Multiplies every rate limit. */
  readonly rateLimitFactor: number;
  /** Where to tell of a weakness, for `/.well-known/security.txt`; undefined: there is no such file. */
  readonly securityContact: string | undefined;
  /** Undefined: the local stand-in, where `sandboxPayments` allows it. */
  readonly stripe: StripeConfig | undefined;
  /** Whether the stand-in for Stripe answers. */
  readonly sandboxPayments: boolean;
  readonly logLevel: LogLevel;
  /** The OpenTelemetry collector that traces are sent to; undefined: there are none. */
  readonly traceEndpoint: string | undefined;
  readonly production: boolean;
  /** Addresses of proxies whose `X-Forwarded-For` counts, as Fastify's `trustProxy` takes them; false for none. */
  readonly trustProxy: string | false;
  /** Whether browsers are told that every host below this one speaks https as well. */
  readonly hstsSubdomains: boolean;
  /** For video chats; none unless configured. */
  readonly iceServers: readonly IceServer[];
  readonly uploads: UploadSettings;
  /** Undefined: members' files are in `dataDir`. */
  readonly s3: S3Config | undefined;
  /** Undefined: no mail is sent. */
  readonly mail: MailConfig | undefined;
  /** Private keys that sign id tokens, the signing one first. Undefined: made in `dataDir`. */
  readonly oidcKeys: readonly JsonWebKey[] | undefined;
  /** What the journal is signed with, and known by. */
  readonly journalKeys: JournalKeys;
  readonly checkpoints: CheckpointsConfig;
  readonly passkeys: PasskeyConfig;
  readonly secrets: Secrets;
}

/** Made at random in `dataDir` when the environment does not set them. */
export interface Secrets {
  readonly session: string;
  readonly sandboxApiKey: string;
  readonly sandboxWebhookSecret: string;
}

export const CONFIG = Symbol('CONFIG');
export const InjectConfig = (): ParameterDecorator => Inject(CONFIG);

/** A setting is wrong: its message is a sentence that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and validates the environment, and makes absent secrets in the data folder (mode 0600).
 * @throws ConfigError names the first setting that is wrong
 */
export function loadConfig(environment: Environment): Config {
  const settings = readSettings(environment);
  return { ...settings, secrets: loadSecrets(settings.dataDir, settingsReader(environment).text('SESSION_SECRET')) };
}

/** The settings alone: nothing is written to disk, and nothing read but the files that settings name (`NAME_FILE`). */
export function readSettings(environment: Environment): Omit<Config, 'secrets'> {
  const read = settingsReader(environment);
  const port = read.integer('PORT', { absent: 3000, min: 0, max: 65_535 });
  const dataDir = path.resolve(read.text('NOVA_DATA_DIR') ?? '.nova');
  const publicUrl = read.url('PUBLIC_URL', ['http:', 'https:']) ?? `http://localhost:${port}`;
  const stripe = readStripe(read);
  const production = environment['NODE_ENV'] === 'production';
  const allowed = read.flag('SANDBOX_PAYMENTS');
  const sandboxPayments = stripe === undefined && !production && (allowed ?? isLoopback(publicUrl));
  if (allowed === true && stripe) {
    throw new ConfigError('SANDBOX_PAYMENTS is true while STRIPE_SECRET_KEY is set: take one of the two away.');
  }
  if (allowed === true && production) {
    throw new ConfigError('SANDBOX_PAYMENTS is true while NODE_ENV is production: set the STRIPE_ keys instead.');
  }
  const demoData = read.flag('DEMO_DATA') ?? false;
  return {
    port,
    dataDir,
    databaseUrl: read.url('DATABASE_URL', POSTGRES),
    databaseOwnerUrl: read.url('DATABASE_OWNER_URL', POSTGRES),
    eventStoreUrl: readEventStore(read),
    journalEnvelope: readEnvelope(read),
    publicUrl: publicUrl.replace(/\/+$/, ''),
    adminEmail: readEmail(read),
    adminIdleMinutes: read.integer('ADMIN_IDLE_MINUTES', { absent: 30, min: 0, max: 24 * 60 }),
    demoData,
    // A demo is for trying things out (rule status-4).
    allowTestPerks: read.flag('ALLOW_TEST_PERKS') ?? demoData,
    rateLimitFactor: read.decimal('RATE_LIMIT_FACTOR', { absent: 1, min: 0.001, max: 1_000_000 }),
    securityContact: readSecurityContact(read),
    stripe,
    sandboxPayments,
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS) ?? 'info',
    traceEndpoint: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    production,
    trustProxy: readProxies(read),
    hstsSubdomains: read.flag('HSTS_SUBDOMAINS') ?? false,
    iceServers: readIceServers(read),
    uploads: readUploads(read),
    s3: readS3(read),
    mail: readMail(read),
    oidcKeys: readOidcKeys(read),
    journalKeys: new JournalKeys(path.join(dataDir, 'journal'), {
      key: read.text('JOURNAL_KEY'),
      trust: read.text('JOURNAL_TRUST'),
    }),
    checkpoints: readCheckpoints(read, dataDir),
    passkeys: readPasskeys(read, publicUrl),
  };
}

interface Limits {
  readonly absent: number;
  readonly min: number;
  readonly max: number;
}

type Reader = ReturnType<typeof reader>;

function readSecurityContact(read: Reader): string | undefined {
  const value = read.text('SECURITY_CONTACT');
  if (value === undefined) return undefined;
  // The address as a browser writes it has no line breaks.
  if (/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/.+)$/.test(value) && URL.canParse(value)) return new URL(value).href;
  throw new ConfigError(`SECURITY_CONTACT must begin with mailto: or https://, but it is "${value}".`);
}

const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

const isProxy = (part: string): boolean => {
  const [address = '', bits] = part.split('/', 2);
  if (isIP(address) === 0) return PROXY_NAMES.has(part);
  // A network of everybody would let everybody write their own address.
  return bits === undefined || (ipaddr.isValidCIDR(part) && Number(bits) > 0);
};

/** Addresses, networks (`10.0.0.0/8`) or names of kinds of addresses, with commas between. */
function readProxies(read: Reader): string | false {
  const value = read.text('TRUST_PROXY');
  if (value === undefined) return false;
  if (value.split(',').every((part) => isProxy(part.trim()))) return value;
  throw new ConfigError(
    `TRUST_PROXY must list addresses or networks of proxies, loopback, linklocal or uniquelocal, but it is "${value}".`,
  );
}

const ICE_URL = /^(?:stun|turn)s?:[\w.[\]:-]+(?:\?transport=(?:udp|tcp))?$/;

/** `STUN_URLS` and `TURN_URLS` with commas between; the latter with `TURN_USERNAME` and `TURN_CREDENTIAL`. */
function readIceServers(read: Reader): IceServer[] {
  const urls = (name: string): string[] => {
    const all = (read.text(name) ?? '').split(',').map((part) => part.trim());
    const scheme = name.startsWith('STUN') ? 'stun' : 'turn';
    const given = all.filter((url) => url !== '');
    const wrong = given.find((url) => !ICE_URL.test(url) || !url.startsWith(scheme));
    if (wrong === undefined) return given;
    throw new ConfigError(`${name} must list addresses that begin with ${scheme}: or ${scheme}s:, but has "${wrong}".`);
  };
  const stun = urls('STUN_URLS');
  const turn = urls('TURN_URLS');
  const username = read.text('TURN_USERNAME');
  const credential = read.text('TURN_CREDENTIAL');
  if (turn.length > 0 && (username === undefined || credential === undefined)) {
    throw new ConfigError('TURN_USERNAME and TURN_CREDENTIAL must be set where TURN_URLS is.');
  }
  return [
    ...(stun.length > 0 ? [{ urls: stun }] : []),
    ...(turn.length > 0 && username !== undefined && credential !== undefined
      ? [{ urls: turn, username, credential }]
      : []),
  ];
}

function settingsReader(environment: Environment): Reader {
  try {
    return reader(withSecretFiles(environment));
  } catch (error) {
    if (error instanceof SecretFileError) throw new ConfigError(error.message);
    throw error;
  }
}

function reader(environment: Environment) {
  /** An empty value counts as absent: shells and compose files pass those for unset names. */
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;

  const decimal = (name: string, { absent, min, max }: Limits): number => {
    const value = text(name);
    if (value === undefined) return absent;
    const number = Number(value);
    if (Number.isFinite(number) && number >= min && number <= max) return number;
    throw new ConfigError(`${name} must be a number from ${min} to ${max}, but it is "${value}".`);
  };

  return {
    text,
    decimal,
    integer(name: string, limits: Limits): number {
      const number = decimal(name, limits);
      if (Number.isInteger(number)) return number;
      throw new ConfigError(`${name} must be a whole number, but it is "${number}".`);
    },
    flag(name: string): boolean | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      if (value === 'true' || value === '1') return true;
      if (value === 'false' || value === '0') return false;
      throw new ConfigError(`${name} must be true or false, but it is "${value}".`);
    },
    oneOf<T extends string>(name: string, choices: readonly T[]): T | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      const choice = choices.find((each) => each === value);
      if (choice !== undefined) return choice;
      throw new ConfigError(`${name} must be one of ${choices.join(', ')}, but it is "${value}".`);
    },
    /** The value stays out of the message: such addresses carry passwords. */
    url(name: string, protocols: readonly string[], partsOf = (value: string) => [value]): string | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      const parts = partsOf(value).map((part) => (URL.canParse(part) ? new URL(part).protocol : ''));
      if (parts.every((protocol) => protocols.includes(protocol))) return value;
      throw new ConfigError(`${name} must be an address that begins with ${protocols.join('// or ')}//.`);
    },
  };
}

const POSTGRES = ['postgres:', 'postgresql:'];
const EVENT_STORES = ['esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:'];
const BEFORE_AND_HOSTS = /^([^/]+:\/\/(?:[^/?#]*@)?)([^/?#]*)/;

/** A cluster's address names several hosts with commas between: `esdb://a:2113,b:2113?tls=false`. */
function readEventStore(read: Reader): string | undefined {
  const eachHost = (value: string): string[] => {
    const [found = '', before = '', hosts = ''] = BEFORE_AND_HOSTS.exec(value) ?? [];
    return hosts.split(',').map((host) => before + host + value.slice(found.length));
  };
  return read.url('EVENTSTORE_URL', EVENT_STORES, eachHost);
}

function readEnvelope(read: Reader): EnvelopeVersion | undefined {
  const version = read.oneOf('JOURNAL_ENVELOPE', ['1', '2']);
  if (version === undefined) return undefined;
  return version === '1' ? 1 : 2;
}

function readStripe(read: Reader): StripeConfig | undefined {
  const secretKey = read.text('STRIPE_SECRET_KEY');
  const publishableKey = read.text('STRIPE_PUBLISHABLE_KEY');
  const webhookSecret = read.text('STRIPE_WEBHOOK_SECRET');
  if (!secretKey && !publishableKey && !webhookSecret) return undefined;
  if (!secretKey) throw new ConfigError('STRIPE_SECRET_KEY is missing while other STRIPE_ settings are there.');
  if (!publishableKey) throw new ConfigError('STRIPE_PUBLISHABLE_KEY is missing while STRIPE_SECRET_KEY is set.');
  if (!webhookSecret) throw new ConfigError('STRIPE_WEBHOOK_SECRET is missing while STRIPE_SECRET_KEY is set.');
  const kind = /^(?:sk|rk)_(live|test)_/.exec(secretKey)?.[1];
  if (!kind) throw new ConfigError('STRIPE_SECRET_KEY must begin with sk_live_ or sk_test_.');
  if (!publishableKey.startsWith(`pk_${kind}_`)) {
    throw new ConfigError(`STRIPE_PUBLISHABLE_KEY must begin with pk_${kind}_, as STRIPE_SECRET_KEY is a ${kind} key.`);
  }
  if (!webhookSecret.startsWith('whsec_')) throw new ConfigError('STRIPE_WEBHOOK_SECRET must begin with whsec_.');
  return { secretKey, publishableKey, webhookSecret, livemode: kind === 'live' };
}

const MB = 1_048_576;
const UPLOAD_QUOTA_MB = 2_048;
const UPLOAD_QUOTA_FILES = 1_000;
const DISK_FREE_MB_MIN = 1_024;

function readUploads(read: Reader): UploadSettings {
  const megabytes = (name: string, absent: number, min: number): number =>
    read.integer(name, { absent, min, max: 1_000_000_000 }) * MB;
  return {
    bytesMax: megabytes('UPLOAD_QUOTA_MB', UPLOAD_QUOTA_MB, 1),
    filesMax: read.integer('UPLOAD_QUOTA_FILES', { absent: UPLOAD_QUOTA_FILES, min: 1, max: 1_000_000_000 }),
    ffmpegPath: readProgram(read, 'FFMPEG_PATH'),
    diskFloorBytes: megabytes('DISK_FREE_MB_MIN', DISK_FREE_MB_MIN, 0),
  };
}

/** The absolute path of a program: no search path decides what reads members' files. */
function readProgram(read: Reader, name: string): string | undefined {
  const value = read.text(name);
  if (value === undefined) return undefined;
  if (!path.isAbsolute(value)) throw new ConfigError(`${name} must be an absolute path, but it is "${value}".`);
  try {
    accessSync(value, constants.X_OK);
    return value;
  } catch {
    throw new ConfigError(`${name} must be a program that can be run, but "${value}" is none.`);
  }
}

const S3_NAMES = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
const S3_OPTIONAL = ['S3_REGION', 'S3_PUBLIC_ENDPOINT', 'S3_PATH_STYLE'] as const;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** All of it or nothing: a bucket without its keys would lose what members send. */
function readS3(read: Reader): S3Config | undefined {
  const given = [...S3_NAMES, ...S3_OPTIONAL].find((name) => read.text(name) !== undefined);
  if (given === undefined) return undefined;
  const required = (name: (typeof S3_NAMES)[number]): string => {
    const value = read.text(name);
    if (value !== undefined) return value;
    throw new ConfigError(`${name} is missing while ${given} is set.`);
  };
  const address = (name: string): string | undefined => read.url(name, ['http:', 'https:'])?.replace(/\/+$/, '');
  const endpoint = address('S3_ENDPOINT') ?? required('S3_ENDPOINT');
  const bucket = required('S3_BUCKET');
  if (!BUCKET.test(bucket)) {
    throw new ConfigError(
      `S3_BUCKET must be the name of a bucket (small letters, digits, "-"), but it is "${bucket}".`,
    );
  }
  return {
    endpoint,
    publicEndpoint: address('S3_PUBLIC_ENDPOINT') ?? endpoint,
    bucket,
    region: read.text('S3_REGION') ?? 'us-east-1',
    accessKeyId: required('S3_ACCESS_KEY_ID'),
    secretAccessKey: required('S3_SECRET_ACCESS_KEY'),
    pathStyle: read.flag('S3_PATH_STYLE') ?? true,
  };
}

const LOCK_DAYS_MAX = 36_500;

function readCheckpoints(read: Reader, dataDir: string): CheckpointsConfig {
  const copies = read.text('CHECKPOINT_FOLDER');
  const bucket = read.text('CHECKPOINT_BUCKET');
  const lockDays = read.integer('CHECKPOINT_LOCK_DAYS', { absent: 0, min: 0, max: LOCK_DAYS_MAX });
  const s3 = readS3(read);
  if (bucket !== undefined && !BUCKET.test(bucket)) {
    throw new ConfigError(
      `CHECKPOINT_BUCKET must be the name of a bucket (small letters, digits, "-"), but it is "${bucket}".`,
    );
  }
  if (bucket !== undefined && !s3) throw new ConfigError('S3_ENDPOINT is missing while CHECKPOINT_BUCKET is set.');
  if (bucket === undefined && lockDays > 0) {
    throw new ConfigError('CHECKPOINT_BUCKET is missing while CHECKPOINT_LOCK_DAYS is set.');
  }
  return {
    folder: path.join(dataDir, 'checkpoints'),
    copies: copies && path.resolve(copies),
    bucket: s3 && bucket !== undefined ? { ...s3, bucket, lockDays } : undefined,
    webhook: withoutCredentials('CHECKPOINT_WEBHOOK', read.url('CHECKPOINT_WEBHOOK', ['http:', 'https:'])),
  };
}

/** Requests are not made to addresses with a name and a password in them; the path may hold a secret. */
function withoutCredentials(name: string, address: string | undefined): string | undefined {
  const { username, password } = new URL(address ?? 'http://none');
  if (username === '' && password === '') return address;
  throw new ConfigError(`${name} must have no name and no password before the host.`);
}

const MAIL_OPTIONAL = ['MAIL_FROM', 'SMTP_TLS', 'SMTP_CA_FILE'] as const;
const SECURITY = { required: 'starttls', off: 'none' } as const;
const DEFAULT_PORT = { tls: 465, starttls: 587, none: 587 } as const;
/** A name and an address in angle brackets, or the address alone. */
const MAIL_FROM = /^(?:"?(?<name>[^"<>\p{Cc}]*?)"?\s*<(?<bracketed>[^<>]+)>|(?<plain>[^<>]+))$/u;

/** All of it or nothing. `SMTP_URL` is never part of a message: it carries a password. */
function readMail(read: Reader): MailConfig | undefined {
  const value = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  if (value === undefined) {
    const given = MAIL_OPTIONAL.find((name) => read.text(name) !== undefined);
    if (given !== undefined) throw new ConfigError(`SMTP_URL is missing while ${given} is set.`);
    return undefined;
  }
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(value);
  if (hostname === '' || !['', '/'].includes(pathname) || search !== '' || hash !== '') {
    throw new ConfigError('SMTP_URL must be of the form smtp://user:password@host:port, with nothing after the port.');
  }
  if ((username === '') !== (password === '')) {
    throw new ConfigError('SMTP_URL must name a user with a password, or neither.');
  }
  const isImplicit = protocol === 'smtps:';
  const tls = read.oneOf('SMTP_TLS', ['required', 'off']) ?? 'required';
  if (isImplicit && tls === 'off') throw new ConfigError('SMTP_TLS is off while SMTP_URL begins with smtps://.');
  const security = isImplicit ? 'tls' : SECURITY[tls];
  return {
    host: hostname.replace(/^\[(.+)\]$/, '$1'),
    port: port === '' ? DEFAULT_PORT[security] : Number(port),
    security,
    credentials: username === '' ? undefined : { user: decoded(username), pass: decoded(password) },
    authorityFile: read.text('SMTP_CA_FILE'),
    from: readMailFrom(read),
  };
}

function readMailFrom(read: Reader): MailConfig['from'] {
  const value = read.text('MAIL_FROM');
  if (value === undefined) throw new ConfigError('MAIL_FROM is missing while SMTP_URL is set.');
  const { name, bracketed, plain = '' } = MAIL_FROM.exec(value)?.groups ?? {};
  const address = (bracketed ?? plain).trim();
  if (isEmail(address)) return { name: name?.trim() || 'Nova', address };
  throw new ConfigError(
    'MAIL_FROM must be an e-mail address, or a name and an address as in "Nova <nova@example.com>".',
  );
}

/** What a URL's part says. A percent sign that begins no escape stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** `OIDC_JWKS`: a JSON Web Key Set of private RSA keys. Never part of a message: it is secret. */
function readOidcKeys(read: Reader): JsonWebKey[] | undefined {
  const value = read.text('OIDC_JWKS');
  if (value === undefined) return undefined;
  try {
    const { keys } = JSON.parse(value) as { keys: JsonWebKey[] };
    const bits = keys.map((key) => rsaBits(createPrivateKey({ key, format: 'jwk' })));
    const [signing = 0, ...older] = bits;
    if (signing >= SIGNING_BITS_MIN && older.every((size) => size >= OLDER_BITS_MIN)) return keys;
  } catch {
    // What is wrong with it would tell what is in it.
  }
  throw new ConfigError(
    'OIDC_JWKS must be a JSON Web Key Set of private RSA keys, the first of at least 3072 bits. One of 2048 may stand behind it.',
  );
}

/** As strong as all else here, 128 bits. */
const SIGNING_BITS_MIN = 3_072;
/** What signed before is only published while its tokens live. */
const OLDER_BITS_MIN = 2_048;

const rsaBits = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): number =>
  asymmetricKeyType === 'rsa' ? (asymmetricKeyDetails?.modulusLength ?? 0) : 0;

function readEmail(read: Reader): string | undefined {
  const value = read.text('ADMIN_EMAIL');
  if (value === undefined) return undefined;
  if (!/^[^\s@]+@[^\s@]+$/.test(value))
    throw new ConfigError(`ADMIN_EMAIL must be an e-mail address, but it is "${value}".`);
  return emailKey(value);
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;
/** Whether only this machine reaches the address. */
export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

/** `ADMIN_PASSKEYS`: true wherever strangers may reach the installation by a name. */
function readPasskeys(read: Reader, publicUrl: string): PasskeyConfig {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
  const isHere = isLoopback(publicUrl);
  const rpId = isAddress || (protocol === 'http:' && !isHere) ? undefined : hostname;
  const asked = read.flag('ADMIN_PASSKEYS');
  if (asked === true && rpId === undefined) {
    throw new ConfigError(
      'ADMIN_PASSKEYS is true, but passkeys need a PUBLIC_URL with https and a domain name (or http://localhost).',
    );
  }
  const demandedOfAdmins = rpId !== undefined && (asked ?? !isHere);
  return { rpId, origin, demandedOfAdmins, warning: passkeyWarning({ isAddress, isHere, rpId, demandedOfAdmins }) };
}

interface PasskeySituation extends Pick<PasskeyConfig, 'rpId' | 'demandedOfAdmins'> {
  readonly isAddress: boolean;
  readonly isHere: boolean;
}

function passkeyWarning({ isAddress, isHere, rpId, demandedOfAdmins }: PasskeySituation): string | undefined {
  if (isHere || isAddress || demandedOfAdmins) return undefined;
  return rpId === undefined
    ? 'PUBLIC_URL begins with http: browsers allow no passkeys there, so admins are protected by their passwords alone.'
    : 'ADMIN_PASSKEYS is false: admins need no passkey here and are protected by their passwords alone.';
}

const SECRET_MIN_LENGTH = 16;

function loadSecrets(dataDir: string, session: string | undefined): Secrets {
  if (session !== undefined && session.length < SECRET_MIN_LENGTH) {
    throw new ConfigError(`SESSION_SECRET must have at least ${SECRET_MIN_LENGTH} characters.`);
  }
  const folder = path.join(dataDir, 'secrets');
  return {
    session: session ?? secretFile(folder, 'session'),
    sandboxApiKey: `sk_test_${secretFile(folder, 'sandbox-api-key')}`,
    sandboxWebhookSecret: `whsec_${secretFile(folder, 'sandbox-webhook')}`,
  };
}

/** Several processes may start at once: whoever puts the whole file there first decides, the others read it. */
function secretFile(folder: string, name: string): string {
  const file = path.join(folder, name);
  if (!existsSync(file)) makeSecret(folder, file);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= SECRET_MIN_LENGTH) return secret;
  throw new ConfigError(`The secret in ${file} is damaged: delete the file to have a new one made.`);
}

function makeSecret(folder: string, file: string): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
    linkSync(draft, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw new ConfigError(`NOVA_DATA_DIR must be a folder that can be written to: ${String(error)}`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}
