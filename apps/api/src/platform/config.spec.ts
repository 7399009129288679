import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import { ConfigError, loadConfig } from './config.js';

const ESDB =
  'EVENTSTORE_URL must be an address that begins with esdb:// or esdb+discover:// or kurrentdb:// or kurrentdb+discover://.';

describe('config', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'nova-config-'));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const load = (environment: Record<string, string> = {}) => loadConfig({ NOVA_DATA_DIR: dataDir, ...environment });

  it('has a default for every setting', () => {
    expect(load()).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
      databaseOwnerUrl: undefined,
      eventStoreUrl: undefined,
      publicUrl: 'http://localhost:3000',
      adminEmail: undefined,
      demoData: false,
      allowTestPerks: false,
      repayShortfalls: false,
      rateLimitFactor: 1,
      stripe: undefined,
      sandboxPayments: true,
      s3: undefined,
      logLevel: 'info',
    });
  });

  it('serves on behind a proxy when it is asked to stop, unless told otherwise', () => {
    const drain = (environment: Record<string, string>): number => load(environment).drainSeconds;
    expect(drain({})).toBe(0);
    expect(drain({ TRUST_PROXY: 'loopback' })).toBe(6);
    expect(drain({ TRUST_PROXY: 'loopback', DRAIN_SECONDS: '0' })).toBe(0);
    expect(drain({ DRAIN_SECONDS: '15' })).toBe(15);
  });

  it('names the release, and the commit of the build where that is known', () => {
    const { version } = JSON.parse(readFileSync(path.resolve(__dirname, '../../../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(load().version).toBe(version);
    expect(load({ NOVA_COMMIT: '0123456789abcdef' }).version).toBe(`${version}+01234567`);
  });

  it('takes the origin of PUBLIC_URL', () => {
    expect(load({ PUBLIC_URL: 'HTTPS://Nova.Example:443/' }).publicUrl).toBe('https://nova.example');
    expect(load({ PUBLIC_URL: 'http://[::1]:4000//' }).publicUrl).toBe('http://[::1]:4000');
  });

  it('checks certificate and name of the database under each name for it, and warns where it may not', () => {
    const at = (mode: string) => load({ DATABASE_URL: `postgres://x/nova?sslmode=${mode}&sslrootcert=ca.pem` });
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      expect(at(mode).databaseUrl).toBe('postgres://x/nova?sslmode=verify-full&sslrootcert=ca.pem');
      expect(at(mode).warnings).toEqual([]);
    }
    expect(at('no-verify').databaseUrl).toContain('sslmode=no-verify');
    expect(at('no-verify').warnings).toEqual([expect.stringContaining('can pose as the database')]);
    expect(load({ DATABASE_OWNER_URL: 'postgres://owner@x/nova' }).warnings).toEqual([
      expect.stringContaining('Give it to commands alone'),
    ]);
  });

  it('reads no setting that is not documented', () => {
    const text = (file: string): string => readFileSync(path.resolve(__dirname, file), 'utf8');
    const documented = text('../../../../docs/operations.md');
    const settings = [...text('config.ts').matchAll(/\bread\(\s*'([A-Z][A-Z0-9_]+)'/g)].map(([, name = '']) => name);
    expect(settings.length).toBeGreaterThan(30);
    expect(settings.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  it('takes keys that sign id tokens from the environment, and never says what is in them', () => {
    const key = (bits: number) =>
      generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ format: 'jwk' });
    const strong = key(3072);
    const older = key(2048);
    for (const keys of [[strong], [strong, older]]) {
      expect(load({ OIDC_JWKS: JSON.stringify({ keys }) }).oidcKeys).toEqual(keys);
    }
    const refused = new ConfigError(
      'OIDC_JWKS must be a JSON Web Key Set of private RSA keys, the first of at least 3072 bits. One of 2048 may stand behind it.',
    );
    const { kty, n, e } = strong;
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    for (const keys of [
      [],
      [{ kty, n, e }],
      [key(1024)],
      [older],
      [older, strong],
      [strong, key(1024)],
      [elliptic],
      [strong, elliptic],
      'keys',
      null,
    ]) {
      expect(() => load({ OIDC_JWKS: JSON.stringify({ keys }) })).toThrow(refused);
    }
    expect(() => load({ OIDC_JWKS: '{' })).toThrow(refused);
  });

  it.each<[Record<string, string>, string | undefined, boolean, RegExp | undefined]>([
    [{}, 'localhost', false, undefined],
    [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, undefined, false, undefined],
    [{ PUBLIC_URL: 'http://[::1]:3000' }, undefined, false, undefined],
    [{ PUBLIC_URL: 'https://192.0.2.7' }, undefined, false, undefined],
    [{ PUBLIC_URL: 'https://[2001:db8::7]' }, undefined, false, undefined],
    [{ PUBLIC_URL: 'https://nova.example:8443' }, 'nova.example', true, undefined],
    [
      { PUBLIC_URL: 'https://nova.example', ADMIN_PASSKEYS: 'false' },
      'nova.example',
      false,
      /^ADMIN_PASSKEYS is false/,
    ],
    [{ PUBLIC_URL: 'http://nova.example' }, undefined, false, /^PUBLIC_URL begins with http:/],
    [{ ADMIN_PASSKEYS: 'true' }, 'localhost', true, undefined],
  ])(
    'binds passkeys to the host of PUBLIC_URL where browsers can: %j',
    (environment, rpId, demandedOfAdmins, warning) => {
      const { passkeys } = load(environment);
      expect(passkeys).toMatchObject({ rpId, demandedOfAdmins });
      expect(passkeys.warning).toEqual(warning && expect.stringMatching(warning));
    },
  );

  it('refuses to demand passkeys where there can be none', () => {
    for (const PUBLIC_URL of ['https://192.0.2.7', 'http://nova.example']) {
      expect(() => load({ PUBLIC_URL, ADMIN_PASSKEYS: 'true' })).toThrow(/^ADMIN_PASSKEYS is true, but passkeys need/);
    }
  });

  it('makes secrets once, readable by the owner alone', () => {
    const first = load().secrets;
    expect(load().secrets).toEqual(first);
    expect(first.session).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(path.join(dataDir, 'secrets', 'session')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['PORT', 'eighty', 'PORT must be a number from 0 to 65535, but it is "eighty".'],
    ['PORT', '70000', 'PORT must be a number from 0 to 65535, but it is "70000".'],
    ['PORT', '80.5', 'PORT must be a whole number, but it is "80.5".'],
    ['DEMO_DATA', 'perhaps', 'DEMO_DATA must be true or false, but it is "perhaps".'],
    ['RATE_LIMIT_FACTOR', '-1', 'RATE_LIMIT_FACTOR must be a number from 0.001 to 1000000, but it is "-1".'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but it is "loud".'],
    ['JOURNAL_ENVELOPE', '3', 'JOURNAL_ENVELOPE must be one of 1, 2, but it is "3".'],
    ['DATABASE_URL', 'mysql://x', 'DATABASE_URL must be an address that begins with postgres:// or postgresql://.'],
    ['PUBLIC_URL', 'nova.example', 'PUBLIC_URL must be an address that begins with http:// or https://.'],
    ...[
      'https://nova.example/app',
      'https://nova.example/?a=1',
      'https://nova.example/#a',
      'https://ada@nova.example',
    ].map((value) => [
      'PUBLIC_URL',
      value,
      'PUBLIC_URL must be an address without a path, such as https://nova.example.com: Nova needs a host of its own.',
    ]),
    ['HOST', 'localhost', 'HOST must be an IP address of this machine, such as 127.0.0.1, but it is "localhost".'],
    ['DRAIN_SECONDS', '61', 'DRAIN_SECONDS must be a number from 0 to 60, but it is "61".'],
    ['NOVA_COMMIT', 'main', 'NOVA_COMMIT must be the hash of a commit, but it is "main".'],
    ...['prefer', 'allow', 'required', ''].map((mode) => [
      'DATABASE_URL',
      `postgres://nova:secret@x/nova?sslmode=${mode}`,
      `DATABASE_URL has the sslmode "${mode}", but it must be one of disable, require, verify-ca, verify-full, no-verify.`,
    ]),
    [
      'DATABASE_URL',
      'postgres://x/nova?uselibpqcompat=true&sslmode=require',
      'DATABASE_URL must not have uselibpqcompat. To check no certificate, say so: sslmode=no-verify.',
    ],
    ['EVENTSTORE_URL', 'http://x:2113', ESDB],
    ['EVENTSTORE_URL', 'esdb://a:2113,b:port?tls=false', ESDB],
    ['ADMIN_EMAIL', 'ada', 'ADMIN_EMAIL must be an e-mail address, but it is "ada".'],
    ['STRIPE_SECRET_KEY', 'sk_live_1', 'STRIPE_PUBLISHABLE_KEY is missing while STRIPE_SECRET_KEY is set.'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_1', 'STRIPE_SECRET_KEY is missing while other STRIPE_ settings are there.'],
    [
      'TRUST_PROXY',
      'everyone',
      'TRUST_PROXY must list addresses or networks of proxies, loopback, linklocal or uniquelocal, but it is "everyone".',
    ],
    ...[
      '127.0.0.1/33',
      '::1/129',
      '10.0.0.0/8/8',
      '0.0.0.0/0',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '10.0.0/8',
      'loopback,',
      '1',
      'loopback/8',
    ].map((list) => [
      'TRUST_PROXY',
      list,
      `TRUST_PROXY must list addresses or networks of proxies, loopback, linklocal or uniquelocal, but it is "${list}".`,
    ]),
    ['SESSION_SECRET', 'short', 'SESSION_SECRET must have at least 16 characters.'],
    ['STUN_URLS', 'http://x', 'STUN_URLS must list addresses that begin with stun: or stuns:, but has "http://x".'],
    ['TURN_URLS', 'turn:turn.example', 'TURN_USERNAME and TURN_CREDENTIAL must be set where TURN_URLS is.'],
    ['S3_ENDPOINT', 'minio:9000', 'S3_ENDPOINT must be an address that begins with http:// or https://.'],
    ['S3_BUCKET', 'nova', 'S3_ENDPOINT is missing while S3_BUCKET is set.'],
    ['S3_PATH_STYLE', 'true', 'S3_ENDPOINT is missing while S3_PATH_STYLE is set.'],
    ['CHECKPOINT_BUCKET', 'nova', 'S3_ENDPOINT is missing while CHECKPOINT_BUCKET is set.'],
    ['BACKUP_BUCKET', 'nova', 'S3_ENDPOINT is missing while BACKUP_BUCKET is set.'],
    ['BACKUP_EVERY_HOURS', '1.5', 'BACKUP_EVERY_HOURS must be a whole number, but it is "1.5".'],
    ['BACKUP_KEEP_DAYS', '0', 'BACKUP_KEEP_DAYS must be a number from 1 to 1000, but it is "0".'],
    ['CHECKPOINT_LOCK_DAYS', '10', 'CHECKPOINT_BUCKET is missing while CHECKPOINT_LOCK_DAYS is set.'],
    [
      'CHECKPOINT_BUCKET',
      '../etc',
      'CHECKPOINT_BUCKET must be the name of a bucket (small letters, digits, "-"), but it is "../etc".',
    ],
    ['CHECKPOINT_WEBHOOK', 'nova', 'CHECKPOINT_WEBHOOK must be an address that begins with http:// or https://.'],
  ])('refuses %s=%s with a sentence that names it', (name, value, sentence) => {
    expect(() => load({ [name]: value })).toThrow(new ConfigError(sentence));
  });

  it.each(['127.0.0.1', '10.0.0.0/8, ::1', 'loopback,uniquelocal', 'fd00::/8', '::ffff:10.0.0.1'])(
    'takes %s for proxies, and so does the server',
    async (list) => {
      const { trustProxy } = load({ TRUST_PROXY: list });
      expect(trustProxy).toBe(list);
      await fastify({ trustProxy }).ready();
    },
  );

  it.each([
    'esdb://127.0.0.1:2113?tls=false',
    'esdb://a:2113,b:2113,c?tls=false',
    'kurrentdb://nova:p%40ss@a:2113,b:2113',
    'esdb+discover://cluster.example:2113',
  ])('takes the event store %s', (url) => {
    expect(load({ EVENTSTORE_URL: url }).eventStoreUrl).toBe(url);
  });

  it.each([
    ['', undefined],
    ['1', 1],
    ['2', 2],
  ])('takes the envelope %s', (setting, version) => {
    expect(load({ JOURNAL_ENVELOPE: setting }).journalEnvelope).toBe(version);
  });

  it('reads servers for video chats', () => {
    expect(load().iceServers).toEqual([]);
    const servers = load({
      STUN_URLS: 'stun:a.example, stun:b.example:3478',
      TURN_URLS: 'turns:c.example:443?transport=tcp',
      TURN_USERNAME: 'nova',
      TURN_CREDENTIAL: 'secret',
    }).iceServers;
    expect(servers).toEqual([
      { urls: ['stun:a.example', 'stun:b.example:3478'] },
      { urls: ['turns:c.example:443?transport=tcp'], username: 'nova', credential: 'secret' },
    ]);
  });

  describe('a store for files', () => {
    const store = {
      S3_ENDPOINT: 'http://minio:9000/',
      S3_BUCKET: 'nova-media',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    };

    it('is reached by browsers at the same address, unless another is given', () => {
      expect(load(store).s3).toEqual({
        endpoint: 'http://minio:9000',
        publicEndpoint: 'http://minio:9000',
        bucket: 'nova-media',
        region: 'us-east-1',
        accessKeyId: 'key',
        secretAccessKey: 'secret',
        pathStyle: true,
      });
      const more = { S3_PUBLIC_ENDPOINT: 'https://media.example', S3_REGION: 'eu-central-1', S3_PATH_STYLE: 'false' };
      expect(load({ ...store, ...more }).s3).toMatchObject({
        publicEndpoint: 'https://media.example',
        region: 'eu-central-1',
        pathStyle: false,
      });
    });

    it('takes checkpoints in a bucket of its own as well', () => {
      expect(load().checkpoints).toEqual({ folder: path.join(dataDir, 'checkpoints') });
      const more = { CHECKPOINT_BUCKET: 'nova-seals', CHECKPOINT_LOCK_DAYS: '400', CHECKPOINT_FOLDER: '/mnt/seals' };
      expect(load({ ...store, ...more }).checkpoints).toMatchObject({
        copies: '/mnt/seals',
        bucket: { endpoint: 'http://minio:9000', bucket: 'nova-seals', lockDays: 400 },
      });
    });

    it('is refused with half of its settings, or a bucket that cannot be', () => {
      expect(() => load({ ...store, S3_SECRET_ACCESS_KEY: '' })).toThrow(
        new ConfigError('S3_SECRET_ACCESS_KEY is missing while S3_ENDPOINT is set.'),
      );
      expect(() => load({ ...store, S3_BUCKET: '../etc' })).toThrow(
        new ConfigError('S3_BUCKET must be the name of a bucket (small letters, digits, "-"), but it is "../etc".'),
      );
    });
  });

  it('refuses a publishable key of another mode than the secret key', () => {
    const keys = {
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    };
    expect(() => load(keys)).toThrow('STRIPE_PUBLISHABLE_KEY must begin with pk_live_');
    expect(load({ ...keys, STRIPE_PUBLISHABLE_KEY: 'pk_live_1' })).toMatchObject({
      stripe: { livemode: true },
      sandboxPayments: false,
    });
  });

  it.each([
    [{}, true],
    [{ PUBLIC_URL: 'http://127.0.0.1:4000' }, true],
    [{ PUBLIC_URL: 'https://nova.example' }, false],
    [{ PUBLIC_URL: 'https://nova.example', SANDBOX_PAYMENTS: 'true' }, true],
    [{ SANDBOX_PAYMENTS: 'false' }, false],
    [{ NODE_ENV: 'production' }, false],
  ])('with %j the stand-in for Stripe answers: %s', (environment, answers) => {
    expect(load(environment).sandboxPayments).toBe(answers);
  });

  describe('mail', () => {
    const SMTP_URL = 'smtp://nova:s3cret%40@mail.example.com';
    const MAIL_FROM = 'Nova <nova@example.com>';

    it('is off unless SMTP_URL is set, and demands TLS unless a setting says otherwise', () => {
      expect(load().mail).toBeUndefined();
      const mail = {
        host: 'mail.example.com',
        port: 587,
        security: 'starttls',
        credentials: { user: 'nova', pass: 's3cret@' },
        authorityFile: undefined,
        from: { name: 'Nova', address: 'nova@example.com' },
      };
      expect(load({ SMTP_URL, MAIL_FROM }).mail).toEqual(mail);
      expect(load({ SMTP_URL, MAIL_FROM, SMTP_TLS: 'off' }).mail).toEqual({ ...mail, security: 'none' });
      expect(load({ SMTP_URL: 'smtps://[::1]', MAIL_FROM: 'nova@example.com' }).mail).toEqual({
        ...mail,
        host: '::1',
        port: 465,
        security: 'tls',
        credentials: undefined,
      });
    });

    it.each([
      [
        { SMTP_URL: 'http://u:s3cret@h', MAIL_FROM },
        'SMTP_URL must be an address that begins with smtp:// or smtps://.',
      ],
      [
        { SMTP_URL: `${SMTP_URL}/s3cret`, MAIL_FROM },
        'SMTP_URL must be of the form smtp://user:password@host:port, with nothing after the port.',
      ],
      [{ SMTP_URL: 'smtp://s3cret@h', MAIL_FROM }, 'SMTP_URL must name a user with a password, or neither.'],
      [{ SMTP_URL }, 'MAIL_FROM is missing while SMTP_URL is set.'],
      [{ MAIL_FROM }, 'SMTP_URL is missing while MAIL_FROM is set.'],
      [{ SMTP_URL, MAIL_FROM, SMTP_TLS: 'maybe' }, 'SMTP_TLS must be one of required, off, but it is "maybe".'],
      [{ SMTP_URL: 'smtps://h', MAIL_FROM, SMTP_TLS: 'off' }, 'SMTP_TLS is off while SMTP_URL begins with smtps://.'],
      ...['Nova', 'a@example.com, b@example.com', 'Nova <a@b', 'X\nBcc: y <a@example.com>'].map(
        (from): [Record<string, string>, string] => [
          { SMTP_URL, MAIL_FROM: from },
          'MAIL_FROM must be an e-mail address, or a name and an address as in "Nova <nova@example.com>".',
        ],
      ),
    ])('refuses %j without saying what is secret', (environment, sentence) => {
      expect(() => load(environment)).toThrow(new ConfigError(sentence));
      expect(sentence).not.toContain('s3cret');
    });
  });
});
