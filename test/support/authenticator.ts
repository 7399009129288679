import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { TestAnswer, TestBrowser, TestMember } from './api.js';

/** CBOR as far as an attestation of kind `none` needs it: whole numbers, bytes, texts and maps. */
type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
}

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

interface Credential {
  readonly id: Buffer;
  readonly key: KeyObject;
  readonly userHandle: string;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly excludeCredentials?: readonly { readonly id: string }[];
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
}

/** Ways in which a test deviates from an honest device and its browser. */
export interface Trick {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly userHandle?: string | undefined;
  /** In place of the next count. */
  readonly counter?: number;
}

/** A member's device with passkeys in it, and the browser before it: ES256, discoverable, verifies its member. */
export class SoftwareAuthenticator {
  readonly credentials: Credential[] = [];
  private counter = 0;

  constructor(private readonly origin: string) {}

  /** Makes a passkey, as `navigator.credentials.create()` does. */
  create({ challenge, rp, user }: CreationOptions, trick: Trick = {}) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const id = randomBytes(32);
    this.credentials.push({
      id,
      key: createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      userHandle: user.id,
    });
    const cose = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const length = Buffer.from([id.length >> 8, id.length & 0xff]);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(cose)]);
    const authData = Buffer.concat([this.authenticatorData(rp.id, HAS_CREDENTIAL, trick), attested]);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      ...named(id),
      response: {
        clientDataJSON: this.clientData('webauthn.create', challenge, trick),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      },
    };
  }

  /** Uses a passkey, as `navigator.credentials.get()` does: one that is asked for, else the newest. */
  get({ challenge, rpId, allowCredentials = [] }: RequestOptions, trick: Trick = {}) {
    const asked = allowCredentials.map(({ id }) => id);
    const credential = this.credentials.findLast(({ id }) => asked.length === 0 || asked.includes(base64url(id)));
    if (!credential) throw new Error('this device has no such passkey');
    const authData = this.authenticatorData(rpId, 0, trick);
    const clientDataJSON = this.clientData('webauthn.get', challenge, trick);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const userHandle = 'userHandle' in trick ? trick.userHandle : credential.userHandle;
    return {
      ...named(credential.id),
      response: {
        clientDataJSON,
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', signed, credential.key)),
        ...(userHandle === undefined ? {} : { userHandle }),
      },
    };
  }

  private authenticatorData(rpId: string, flags: number, trick: Trick): Buffer {
    this.counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(trick.counter ?? this.counter);
    const verified = trick.isVerified === false ? 0 : USER_VERIFIED;
    return Buffer.concat([sha256(trick.rpId ?? rpId), Buffer.from([flags | USER_PRESENT | verified]), count]);
  }

  private clientData(type: string, challenge: string, trick: Trick): string {
    return base64url(JSON.stringify({ type, challenge, origin: trick.origin ?? this.origin, crossOrigin: false }));
  }
}

const named = (id: Buffer) =>
  ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
  }) as const;

const TERMS = { tcConsent: true, tcVersion: '1.0' };

/** Adds a passkey of this device to the account of a member who is signed in. */
export async function addPasskey(
  { browser, password }: Pick<TestMember, 'browser' | 'password'>,
  device: SoftwareAuthenticator,
  name = 'My phone',
): Promise<TestAnswer> {
  const options = await browser.post('/api/auth/passkeys/options', { password });
  if (options.status !== 200) return options;
  return browser.post('/api/auth/passkeys', { name, answer: device.create(options.body) });
}

/** The answer of the device to what the server asks a visitor's browser for. */
export async function signInAnswer(browser: TestBrowser, device: SoftwareAuthenticator, trick: Trick = {}) {
  const options = await browser.post('/api/auth/passkeys/sign-in/options');
  if (options.status !== 200) throw new Error(`no challenge: ${options.status} ${JSON.stringify(options.body)}`);
  return device.get(options.body, trick);
}

export async function signInByPasskey(
  browser: TestBrowser,
  device: SoftwareAuthenticator,
  trick: Trick = {},
): Promise<TestAnswer> {
  const answer = await signInAnswer(browser, device, trick);
  return browser.post('/api/auth/passkeys/sign-in', { answer, ...TERMS });
}

export async function proveAgain(
  browser: TestBrowser,
  device: SoftwareAuthenticator,
  trick: Trick = {},
): Promise<TestAnswer> {
  const options = await browser.post('/api/auth/fresh-proof/options');
  if (options.status !== 200) throw new Error(`no challenge: ${options.status} ${JSON.stringify(options.body)}`);
  return browser.post('/api/auth/fresh-proof', { answer: device.get(options.body, trick) });
}
