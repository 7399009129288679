import { createPrivateKey, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { Inject } from '@nestjs/common';
import { isEmail } from 'class-validator';
import type { EnvelopeVersion } from '@app/ledger';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { IANAZone } from 'luxon';
import { errorCode } from './errors/error-code.js';
import { JournalKeys } from './ledger/journal-keys.js';
import { SecretFileError, withSecretFiles } from './secret-settings.js';
import { emailKey } from './text.js';
import { RELEASE } from './version.js';

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

/** Backups of the whole installation. */
export interface BackupsConfig {
  /** A folder, or a bucket of the store that the `S3_` settings name. Undefined: none are made. */
  readonly to: string | S3Config | undefined;
  /** From one to the next; 0: servers make none, the command does. */
  readonly everyHours: number;
  /** How many days, weeks and months back there is one for each. */
  readonly keep: { readonly days: number; readonly weeks: number; readonly months: number };
  /** Whether they have what the installation made for itself: keys and other secrets. */
  readonly withSecrets: boolean;
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
  /** The one address that it listens at; undefined: every address of the machine. */
  readonly host: string | undefined;
  /** When asked to stop it serves everything for so long, while `/health/ready` says that it will. */
  readonly drainSeconds: number;
  /** Of the release, and the commit that it was built from where that is known: `1.0.0+3f2a91c`. */
  readonly version: string;
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
  /** Whether a member's next Nova repays what the reversal of a purchase could not take. */
  readonly repayShortfalls: boolean;
  /** Undefined: the local stand-in, where `sandboxPayments` allows it. */
  readonly stripe: StripeConfig | undefined;
  /** Whether the stand-in for Stripe answers. */
  readonly sandboxPayments: boolean;
  readonly logLevel: LogLevel;
  /** How answers to probes (`/health`, `/metrics`) are logged. */
  readonly probeLogLevel: LogLevel;
  /** Whose days and months the dollar books have (IANA). */
  readonly fiscalTimeZone: string;
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
  readonly backups: BackupsConfig;
  readonly passkeys: PasskeyConfig;
  /** What servers work with but operators should know, each a sentence. */
  readonly warnings: readonly string[];
  readonly secrets: Secrets;
}

/** Made at random in `dataDir` when the environment does not set them. */
export interface Secrets {
  readonly session: string;
  readonly sandboxApiKey: string;
  readonly sandboxWebhookSecret: string;
  /** The private key that push services know this installation by: 32 bytes, a number of P-256. */
  readonly push: Buffer;
  /** What the secrets of webhooks are encrypted with in the database: 32 bytes. */
  readonly webhooks: Buffer;
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
  const read = settingsReader(environment);
  return { ...settings, secrets: loadSecrets(settings.dataDir, read) };
}

/** Longer than proxies take to look at `/health/ready` and to have it answered. */
const DRAIN_SECONDS = 6;

/** The settings alone: nothing is written to disk, and nothing read but the files that settings name (`NAME_FILE`). */
export function readSettings(environment: Environment): Omit<Config, 'secrets'> {
  const read = settingsReader(environment);
  const port = read('PORT', whole({ absent: 3000, min: 0, max: 65_535 }));
  const dataDir = path.resolve(read('NOVA_DATA_DIR', z.string().default('.nova')));
  const publicUrl = read('PUBLIC_URL', PUBLIC_ORIGIN) ?? `http://localhost:${port}`;
  const trustProxy = read('TRUST_PROXY', PROXIES) ?? false;
  const stripe = readStripe(read);
  const production = environment['NODE_ENV'] === 'production';
  const allowed = read('SANDBOX_PAYMENTS', FLAG);
  const sandboxPayments = stripe === undefined && !production && (allowed ?? isLoopback(publicUrl));
  if (allowed === true && stripe) {
    throw new ConfigError('SANDBOX_PAYMENTS is true while STRIPE_SECRET_KEY is set: take one of the two away.');
  }
  if (allowed === true && production) {
    throw new ConfigError('SANDBOX_PAYMENTS is true while NODE_ENV is production: set the STRIPE_ keys instead.');
  }
  const demoData = read('DEMO_DATA', FLAG) ?? false;
  return {
    port,
    host: read('HOST', IP_ADDRESS),
    drainSeconds: read('DRAIN_SECONDS', whole({ absent: trustProxy === false ? 0 : DRAIN_SECONDS, min: 0, max: 60 })),
    version: [RELEASE, read('NOVA_COMMIT', COMMIT)?.slice(0, 8) ?? []].flat().join('+'),
    dataDir,
    databaseUrl: read('DATABASE_URL', DATABASE),
    databaseOwnerUrl: read('DATABASE_OWNER_URL', DATABASE),
    eventStoreUrl: read('EVENTSTORE_URL', address(EVENT_STORES, eachHost)),
    journalEnvelope: read('JOURNAL_ENVELOPE', oneOf(['1', '2']).transform(envelopeOf)),
    publicUrl,
    adminEmail: read('ADMIN_EMAIL', EMAIL),
    adminIdleMinutes: read('ADMIN_IDLE_MINUTES', whole({ absent: 30, min: 0, max: 24 * 60 })),
    demoData,
    // A demo is for trying things out (rule status-4).
    allowTestPerks: read('ALLOW_TEST_PERKS', FLAG) ?? demoData,
    repayShortfalls: read('REPAY_SHORTFALLS', FLAG) ?? false,
    rateLimitFactor: read('RATE_LIMIT_FACTOR', decimal({ absent: 1, min: 0.001, max: 1_000_000 })),
    securityContact: read('SECURITY_CONTACT', CONTACT),
    stripe,
    sandboxPayments,
    logLevel: read('LOG_LEVEL', oneOf(LOG_LEVELS)) ?? 'info',
    probeLogLevel: read('PROBE_LOG_LEVEL', oneOf(LOG_LEVELS)) ?? 'debug',
    fiscalTimeZone: read('FISCAL_TIME_ZONE', TIME_ZONE),
    traceEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', address(HTTP)),
    production,
    trustProxy,
    hstsSubdomains: read('HSTS_SUBDOMAINS', FLAG) ?? false,
    iceServers: readIceServers(read),
    uploads: readUploads(read),
    s3: readS3(read),
    mail: readMail(read),
    oidcKeys: read('OIDC_JWKS', OIDC_KEYS),
    journalKeys: new JournalKeys(path.join(dataDir, 'journal'), {
      key: read('JOURNAL_KEY', WORDS),
      trust: read('JOURNAL_TRUST', WORDS),
    }),
    checkpoints: readCheckpoints(read, dataDir),
    backups: readBackups(read),
    passkeys: readPasskeys(read, publicUrl),
    warnings: warningsOf(read),
  };
}

/** Reads one setting. @throws ConfigError its name, and what is wrong with it */
type Read = <T>(name: string, schema: z.ZodType<T>) => T;

/** An empty value counts as absent: shells and compose files pass those for unset names. */
function settingsReader(environment: Environment): Read {
  const settings = withSecretFilesOf(environment);
  return (name, schema) => {
    const { data, error } = schema.safeParse(settings[name]?.trim() || undefined);
    if (error) throw new ConfigError(`${name} ${error.issues[0]?.message}`);
    return data;
  };
}

function withSecretFilesOf(environment: Environment): Environment {
  try {
    return withSecretFiles(environment);
  } catch (error) {
    if (error instanceof SecretFileError) throw new ConfigError(error.message);
    throw error;
  }
}

const WORDS = z.string().optional();

/** What a setting must be, as the end of a sentence that begins with its name. */
const must = (be: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `must ${be}, but it is "${String(input)}".`,
});

const FLAG = z
  .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'], case: 'sensitive', ...must('be true or false') })
  .optional();

const oneOf = <const T extends readonly string[]>(choices: T) =>
  z.enum(choices, must(`be one of ${choices.join(', ')}`)).optional();

interface Limits {
  readonly absent: number;
  readonly min: number;
  readonly max: number;
}

const isWithin = ({ min, max }: Limits, value: number): boolean =>
  Number.isFinite(value) && value >= min && value <= max;

const decimal = (limits: Limits) =>
  z
    .string()
    .refine((value) => isWithin(limits, Number(value)), must(`be a number from ${limits.min} to ${limits.max}`))
    .transform(Number)
    .default(limits.absent);

const whole = (limits: Limits) => decimal(limits).refine(Number.isInteger, must('be a whole number'));

/** The value stays out of the message: such addresses carry passwords. */
const address = (protocols: readonly string[], partsOf = (value: string) => [value]) =>
  z
    .string()
    .refine(
      (value) => partsOf(value).every((part) => URL.canParse(part) && protocols.includes(new URL(part).protocol)),
      { error: `must be an address that begins with ${protocols.join('// or ')}//.`, abort: true },
    )
    .optional();

const IP_ADDRESS = z
  .string()
  .refine((value) => isIP(value) > 0, must('be an IP address of this machine, such as 127.0.0.1'))
  .optional();

const COMMIT = z
  .string()
  .regex(/^[0-9a-f]{7,40}$/, must('be the hash of a commit'))
  .optional();

const TIME_ZONE = z
  .string()
  .refine((name) => IANAZone.isValidZone(name), must('be a time zone such as UTC or Europe/Berlin'))
  .default('UTC');

const CONTACT = z
  .string()
  .refine(
    (value) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/.+)$/.test(value) && URL.canParse(value),
    must('begin with mailto: or https://'),
  )
  // The address as a browser writes it has no line breaks.
  .transform((value) => new URL(value).href)
  .optional();

const EMAIL = z
  .string()
  .regex(/^[^\s@]+@[^\s@]+$/, must('be an e-mail address'))
  .transform(emailKey)
  .optional();

const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

const isProxy = (part: string): boolean => {
  const [proxy = '', bits] = part.split('/', 2);
  if (isIP(proxy) === 0) return PROXY_NAMES.has(part);
  // A network of everybody would let everybody write their own address.
  return bits === undefined || (ipaddr.isValidCIDR(part) && Number(bits) > 0);
};

/** Addresses, networks (`10.0.0.0/8`) or names of kinds of addresses, with commas between. */
const PROXIES = z
  .string()
  .refine(
    (value) => value.split(',').every((part) => isProxy(part.trim())),
    must('list addresses or networks of proxies, loopback, linklocal or uniquelocal'),
  )
  .optional();

const ICE_URL = /^(?:stun|turn)s?:[\w.[\]:-]+(?:\?transport=(?:udp|tcp))?$/;

/** Addresses with commas between. */
const iceAddresses = (scheme: 'stun' | 'turn') =>
  z
    .string()
    .default('')
    .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
    .pipe(
      z.array(
        z.string().refine((url) => ICE_URL.test(url) && url.startsWith(scheme), {
          error: ({ input }) =>
            `must list addresses that begin with ${scheme}: or ${scheme}s:, but has "${String(input)}".`,
        }),
      ),
    );

/** `STUN_URLS` and `TURN_URLS` with commas between; the latter with `TURN_USERNAME` and `TURN_CREDENTIAL`. */
function readIceServers(read: Read): IceServer[] {
  const [stun, turn] = [read('STUN_URLS', iceAddresses('stun')), read('TURN_URLS', iceAddresses('turn'))];
  const username = read('TURN_USERNAME', WORDS);
  const credential = read('TURN_CREDENTIAL', WORDS);
  const servers = stun.length > 0 ? [{ urls: stun }] : [];
  if (turn.length === 0) return servers;
  if (username === undefined || credential === undefined) {
    throw new ConfigError('TURN_USERNAME and TURN_CREDENTIAL must be set where TURN_URLS is.');
  }
  return [...servers, { urls: turn, username, credential }];
}

const HTTP = ['http:', 'https:'];
const POSTGRES = ['postgres:', 'postgresql:'];

/** The server answers from the root of its host: sign-ins of applications, cookies and passkeys are bound to that. */
const PUBLIC_ORIGIN = address(HTTP)
  .refine(
    (value) => value === undefined || isOrigin(new URL(value)),
    'must be an address without a path, such as https://nova.example.com: Nova needs a host of its own.',
  )
  .transform((value) => value && new URL(value).origin);

const isOrigin = ({ username, password, pathname, search, hash }: URL): boolean =>
  /^\/*$/.test(pathname) && [username, password, search, hash].every((part) => part === '');

/** What encrypts the connection to Postgres. The driver checks certificate and name with all but the last and the first. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];

const sslModeOf = (value: string): string => new URL(value).searchParams.get('sslmode') ?? 'disable';

/** Refused is what may be encrypted or not, and what would turn a check off under a name that promises one. */
const DATABASE = address(POSTGRES)
  .refine((value) => value === undefined || SSL_MODES.includes(sslModeOf(value)), {
    error: ({ input }) =>
      `has the sslmode "${sslModeOf(String(input))}", but it must be one of ${SSL_MODES.join(', ')}.`,
  })
  .refine((value) => value === undefined || !new URL(value).searchParams.has('uselibpqcompat'), {
    error: 'must not have uselibpqcompat. To check no certificate, say so: sslmode=no-verify.',
  })
  // The driver's own word for what it does; it warns of the other two.
  .transform((value) => value?.replace(/([?&]sslmode=)(?:require|verify-ca)(?=[&#]|$)/, '$1verify-full'));

function warningsOf(read: Read): string[] {
  const [url, ownerUrl] = [read('DATABASE_URL', DATABASE), read('DATABASE_OWNER_URL', DATABASE)];
  const isUnchecked = url !== undefined && sslModeOf(url) === 'no-verify';
  return [
    ...(isUnchecked ? ['DATABASE_URL has sslmode=no-verify: whoever stands between can pose as the database.'] : []),
    ...(ownerUrl === undefined
      ? []
      : ['DATABASE_OWNER_URL is set for a server, which needs none. Give it to commands alone.']),
  ];
}

const EVENT_STORES = ['esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:'];
const BEFORE_AND_HOSTS = /^([^/]+:\/\/(?:[^/?#]*@)?)([^/?#]*)/;

/** A cluster's address names several hosts with commas between: `esdb://a:2113,b:2113?tls=false`. */
function eachHost(value: string): string[] {
  const [found = '', before = '', hosts = ''] = BEFORE_AND_HOSTS.exec(value) ?? [];
  return hosts.split(',').map((host) => before + host + value.slice(found.length));
}

const envelopeOf = (version: '1' | '2' | undefined): EnvelopeVersion | undefined =>
  version && (version === '1' ? 1 : 2);

function readStripe(read: Read): StripeConfig | undefined {
  const secretKey = read('STRIPE_SECRET_KEY', WORDS);
  const publishableKey = read('STRIPE_PUBLISHABLE_KEY', WORDS);
  const webhookSecret = read('STRIPE_WEBHOOK_SECRET', WORDS);
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

function readUploads(read: Read): UploadSettings {
  const megabytes = (name: string, absent: number, min: number): number =>
    read(name, whole({ absent, min, max: 1_000_000_000 })) * MB;
  return {
    bytesMax: megabytes('UPLOAD_QUOTA_MB', UPLOAD_QUOTA_MB, 1),
    filesMax: read('UPLOAD_QUOTA_FILES', whole({ absent: UPLOAD_QUOTA_FILES, min: 1, max: 1_000_000_000 })),
    ffmpegPath: read('FFMPEG_PATH', PROGRAM),
    diskFloorBytes: megabytes('DISK_FREE_MB_MIN', DISK_FREE_MB_MIN, 0),
  };
}

/** The absolute path of a program: no search path decides what reads members' files. */
const PROGRAM = z
  .string()
  .refine((file) => path.isAbsolute(file), { ...must('be an absolute path'), abort: true })
  .refine(isProgram, { error: ({ input }) => `must be a program that can be run, but "${String(input)}" is none.` })
  .optional();

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const S3_NAMES = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
const S3_OPTIONAL = ['S3_REGION', 'S3_PUBLIC_ENDPOINT', 'S3_PATH_STYLE'] as const;
const BUCKET = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, must('be the name of a bucket (small letters, digits, "-")'))
  .optional();

/** All of it or nothing: a bucket without its keys would lose what members send. */
function readS3(read: Read): S3Config | undefined {
  const given = [...S3_NAMES, ...S3_OPTIONAL].find((name) => read(name, WORDS) !== undefined);
  if (given === undefined) return undefined;
  const required = (name: (typeof S3_NAMES)[number]): string => {
    const value = read(name, WORDS);
    if (value !== undefined) return value;
    throw new ConfigError(`${name} is missing while ${given} is set.`);
  };
  const reached = (name: string): string | undefined => read(name, address(HTTP))?.replace(/\/+$/, '');
  const endpoint = reached('S3_ENDPOINT') ?? required('S3_ENDPOINT');
  return {
    endpoint,
    publicEndpoint: reached('S3_PUBLIC_ENDPOINT') ?? endpoint,
    bucket: read('S3_BUCKET', BUCKET) ?? required('S3_BUCKET'),
    region: read('S3_REGION', WORDS) ?? 'us-east-1',
    accessKeyId: required('S3_ACCESS_KEY_ID'),
    secretAccessKey: required('S3_SECRET_ACCESS_KEY'),
    pathStyle: read('S3_PATH_STYLE', FLAG) ?? true,
  };
}

const LOCK_DAYS_MAX = 36_500;

function readCheckpoints(read: Read, dataDir: string): CheckpointsConfig {
  const copies = read('CHECKPOINT_FOLDER', WORDS);
  const bucket = read('CHECKPOINT_BUCKET', BUCKET);
  const lockDays = read('CHECKPOINT_LOCK_DAYS', whole({ absent: 0, min: 0, max: LOCK_DAYS_MAX }));
  const s3 = readS3(read);
  if (bucket !== undefined && !s3) throw new ConfigError('S3_ENDPOINT is missing while CHECKPOINT_BUCKET is set.');
  if (bucket === undefined && lockDays > 0) {
    throw new ConfigError('CHECKPOINT_BUCKET is missing while CHECKPOINT_LOCK_DAYS is set.');
  }
  return {
    folder: path.join(dataDir, 'checkpoints'),
    copies: copies && path.resolve(copies),
    bucket: s3 && bucket !== undefined ? { ...s3, bucket, lockDays } : undefined,
    webhook: read('CHECKPOINT_WEBHOOK', WEBHOOK),
  };
}

const KEPT_MAX = 1_000;

function readBackups(read: Read): BackupsConfig {
  const folder = read('BACKUP_FOLDER', WORDS);
  const bucket = read('BACKUP_BUCKET', BUCKET);
  const s3 = readS3(read);
  if (bucket !== undefined && !s3) throw new ConfigError('S3_ENDPOINT is missing while BACKUP_BUCKET is set.');
  if (bucket !== undefined && folder !== undefined) {
    throw new ConfigError('BACKUP_FOLDER and BACKUP_BUCKET are both set: take one of the two away.');
  }
  return {
    to: s3 && bucket !== undefined ? { ...s3, bucket } : folder && path.resolve(folder),
    everyHours: read('BACKUP_EVERY_HOURS', whole({ absent: 24, min: 0, max: 24 * 31 })),
    keep: {
      days: read('BACKUP_KEEP_DAYS', whole({ absent: 7, min: 1, max: KEPT_MAX })),
      weeks: read('BACKUP_KEEP_WEEKS', whole({ absent: 5, min: 0, max: KEPT_MAX })),
      months: read('BACKUP_KEEP_MONTHS', whole({ absent: 12, min: 0, max: KEPT_MAX })),
    },
    withSecrets: read('BACKUP_WHOLE', FLAG) ?? false,
  };
}

/** Requests are not made to addresses with a name and a password in them; the path may hold a secret. */
const WEBHOOK = address(HTTP).refine(
  (value) => value === undefined || (new URL(value).username === '' && new URL(value).password === ''),
  'must have no name and no password before the host.',
);

const MAIL_OPTIONAL = ['MAIL_FROM', 'SMTP_TLS', 'SMTP_CA_FILE'] as const;
const SECURITY = { required: 'starttls', off: 'none' } as const;
const DEFAULT_PORT = { tls: 465, starttls: 587, none: 587 } as const;
/** A name and an address in angle brackets, or the address alone. */
const MAIL_FROM = /^(?:"?(?<name>[^"<>\p{Cc}]*?)"?\s*<(?<bracketed>[^<>]+)>|(?<plain>[^<>]+))$/u;

/** All of it or nothing. `SMTP_URL` is never part of a message: it carries a password. */
function readMail(read: Read): MailConfig | undefined {
  const value = read('SMTP_URL', address(['smtp:', 'smtps:']));
  if (value === undefined) {
    const given = MAIL_OPTIONAL.find((name) => read(name, WORDS) !== undefined);
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
  const tls = read('SMTP_TLS', oneOf(['required', 'off'])) ?? 'required';
  if (isImplicit && tls === 'off') throw new ConfigError('SMTP_TLS is off while SMTP_URL begins with smtps://.');
  const security = isImplicit ? 'tls' : SECURITY[tls];
  const from = read('MAIL_FROM', FROM);
  if (from === undefined) throw new ConfigError('MAIL_FROM is missing while SMTP_URL is set.');
  return {
    host: hostname.replace(/^\[(.+)\]$/, '$1'),
    port: port === '' ? DEFAULT_PORT[security] : Number(port),
    security,
    credentials: username === '' ? undefined : { user: decoded(username), pass: decoded(password) },
    authorityFile: read('SMTP_CA_FILE', WORDS),
    from,
  };
}

const FROM = z
  .string()
  .transform((value) => {
    const { name, bracketed, plain = '' } = MAIL_FROM.exec(value)?.groups ?? {};
    return { name: name?.trim() || 'Nova', address: (bracketed ?? plain).trim() };
  })
  .refine(
    (from) => isEmail(from.address),
    'must be an e-mail address, or a name and an address as in "Nova <nova@example.com>".',
  )
  .optional();

/** What a URL's part says. A percent sign that begins no escape stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** As strong as all else here, 128 bits. */
const SIGNING_BITS_MIN = 3_072;
/** What signed before is only published while its tokens live. */
const OLDER_BITS_MIN = 2_048;

const rsaBits = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): number =>
  asymmetricKeyType === 'rsa' ? (asymmetricKeyDetails?.modulusLength ?? 0) : 0;

/** A JSON Web Key Set of private RSA keys. Never part of a message: it is secret, and what is wrong with it tells of it. */
const OIDC_KEYS = z
  .string()
  .transform(rsaKeysIn)
  .refine(
    (keys) => keys !== undefined,
    'must be a JSON Web Key Set of private RSA keys, the first of at least 3072 bits. One of 2048 may stand behind it.',
  )
  .optional();

function rsaKeysIn(value: string): JsonWebKey[] | undefined {
  try {
    const { keys } = JSON.parse(value) as { keys: JsonWebKey[] };
    const [signing = 0, ...older] = keys.map((key) => rsaBits(createPrivateKey({ key, format: 'jwk' })));
    return signing >= SIGNING_BITS_MIN && older.every((size) => size >= OLDER_BITS_MIN) ? keys : undefined;
  } catch {
    return undefined;
  }
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;
/** Whether only this machine reaches the address. */
export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

/** `ADMIN_PASSKEYS`: true wherever strangers may reach the installation by a name. */
function readPasskeys(read: Read, publicUrl: string): PasskeyConfig {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
  const isHere = isLoopback(publicUrl);
  const rpId = isAddress || (protocol === 'http:' && !isHere) ? undefined : hostname;
  const asked = read('ADMIN_PASSKEYS', FLAG);
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

/** A private key of P-256 as `web-push generate-vapid-keys` prints it. */
const PUSH_KEY = z
  .string()
  .regex(/^[\w-]{43}=?$/, 'must be a private key as "npx web-push generate-vapid-keys" prints it: 43 characters.')
  .transform((value) => Buffer.from(value, 'base64url'))
  .optional();

const WEBHOOK_KEY = z
  .string()
  .regex(/^[\w+/-]{43}=?$/, 'must be 32 random bytes as "openssl rand -base64 32" prints them: 44 characters.')
  .transform((value) => Buffer.from(value, 'base64'))
  .optional();

function loadSecrets(dataDir: string, read: Read): Secrets {
  const session = read('SESSION_SECRET', WORDS);
  if (session !== undefined && session.length < SECRET_MIN_LENGTH) {
    throw new ConfigError(`SESSION_SECRET must have at least ${SECRET_MIN_LENGTH} characters.`);
  }
  const folder = path.join(dataDir, 'secrets');
  return {
    session: session ?? secretFile(folder, 'session'),
    sandboxApiKey: `sk_test_${secretFile(folder, 'sandbox-api-key')}`,
    sandboxWebhookSecret: `whsec_${secretFile(folder, 'sandbox-webhook')}`,
    // Nearly every number of 32 bytes is a key.
    push: read('VAPID_PRIVATE_KEY', PUSH_KEY) ?? Buffer.from(secretFile(folder, 'vapid'), 'hex'),
    webhooks: read('WEBHOOK_KEY', WEBHOOK_KEY) ?? Buffer.from(secretFile(folder, 'webhooks'), 'hex'),
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
      throw new ConfigError(`NOVA_DATA_DIR must be a writable folder: ${String(error)}`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}
