import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MemoryEventStore } from '@app/event-store';
import { keyIdOf, LedgerWriter, type LedgerWriterOptions, type TrustedKey } from '@app/ledger';
import { emptyIndex, ManualClock, startWriter } from '../../../../../libs/ledger/src/testing/writers.js';
import { Explained } from '../errors/explained.js';
import { JournalKeys, startSigned, trustText } from './journal-keys.js';

const JOURNAL = 'a'.repeat(32);
const jwk = (kind: 'ed25519' | 'x25519' = 'ed25519') => {
  // Two calls: the types of the function tell its kinds apart.
  const { privateKey } = kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  return privateKey.export({ format: 'jwk' });
};

describe('the keys of a journal', () => {
  let root: string;
  let folder: string;
  const keys = (more: ConstructorParameters<typeof JournalKeys>[1] = {}) => new JournalKeys(folder, more);
  const trusted = (from: number, publicKey = 'b'.repeat(64)): TrustedKey => ({ journal: JOURNAL, publicKey, from });
  const modeOf = (file: string) => statSync(file).mode & 0o777;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'nova-keys-'));
    folder = path.join(root, 'journal');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('are none, and nobody is trusted, where nothing was written yet', () => {
    expect([keys().signers(), keys().trust(), keys().snapshotSigning()]).toEqual([[], undefined, undefined]);
    expect(readdirSync(root)).toEqual([]);
  });

  it('are made in a file of their own, for nobody else to read, and found by their public key', () => {
    const { publicKey } = keys().make();
    const name = `key-${keyIdOf(publicKey)}.json`;
    expect(readdirSync(folder)).toEqual([name]);
    expect([modeOf(folder), modeOf(path.join(folder, name))]).toEqual([0o700, 0o600]);
    expect(keys().signerFor(publicKey)?.publicKey).toBe(publicKey);
    expect(keys().signerFor('c'.repeat(64))).toBeUndefined();
  });

  it('are found that another process has made meanwhile', () => {
    const running = keys();
    expect(running.signerFor('c'.repeat(64))).toBeUndefined();
    const { publicKey } = keys().make();
    expect(running.signerFor(publicKey)?.publicKey).toBe(publicKey);
  });

  it('are no drafts that a crash left, nor what else is in the folder', () => {
    const { publicKey } = keys().make();
    writeFileSync(path.join(folder, `key-${keyIdOf(publicKey)}.json.4711`), 'half a k');
    writeFileSync(path.join(folder, 'key-copy.json'), 'no key');
    expect(
      keys()
        .signers()
        .map((signer) => signer.publicKey),
    ).toEqual([publicKey]);
  });

  it('begin with the one that the environment gives', () => {
    const ofFile = keys().make();
    const key = jwk();
    const found = keys({ key: JSON.stringify(key) }).signers();
    expect(found.map(({ publicKey }) => publicKey)).toEqual([
      Buffer.from(key.x ?? '', 'base64url').toString('hex'),
      ofFile.publicKey,
    ]);
  });

  it.each([
    ['no JSON', 'secret words', 'it is not JSON'],
    ['a key of another kind', JSON.stringify(jwk('x25519')), 'it is not of the kind Ed25519'],
    ['a public key', JSON.stringify({ ...jwk(), d: undefined }), ''],
    ['nothing of the kind', '"secret words"', ''],
  ])('are refused where they cannot be read, and not told: %s', (_, key, why) => {
    let told = '';
    try {
      keys({ key }).signers();
    } catch (error) {
      expect(error).toBeInstanceOf(Explained);
      told = String(error);
    }
    expect(told).toContain(`JOURNAL_KEY must hold a private Ed25519 key as a JSON Web Key: ${why}`);
    const { d } = key.startsWith('{') ? (JSON.parse(key) as { d?: string }) : {};
    expect(told).not.toContain(d ?? 'secret words');
    keys().make();
    const [name = ''] = readdirSync(folder);
    writeFileSync(path.join(folder, name), key);
    expect(() => keys().signers()).toThrow(`${path.join(folder, name)} must hold a private Ed25519 key`);
  });

  it('are trusted from where on it was said, in the order in which they sign', () => {
    const [first, second] = [trusted(3), trusted(7, 'c'.repeat(64))];
    const own = keys();
    own.trustIn(first);
    own.trustIn(second);
    expect([own.trust(), keys().trust()]).toEqual([
      [first, second],
      [first, second],
    ]);
    const file = path.join(folder, 'trust.json');
    expect(readFileSync(file, 'utf8')).toBe(`${JOURNAL}:${'b'.repeat(64)}:3\n${JOURNAL}:${'c'.repeat(64)}:7\n`);
    expect(modeOf(file)).toBe(0o600);
    expect(keys().snapshotSigning()?.trust).toEqual([first, second]);
  });

  it('are trusted as the environment says, whatever the file says, and as this process has added', () => {
    keys().trustIn(trusted(1));
    const own = keys({ trust: ` ${trustText(trusted(3))} ,${trustText(trusted(5))}` });
    expect(own.trust()).toEqual([trusted(3), trusted(5)]);
    own.trustIn(trusted(9));
    expect(own.trust()).toEqual([trusted(3), trusted(5), trusted(9)]);
  });

  it.each([
    '',
    'somebody',
    `${'a'.repeat(31)}:${'b'.repeat(64)}:1`,
    `${JOURNAL}:${'b'.repeat(63)}:1`,
    `${JOURNAL}:${'B'.repeat(64)}:1`,
    `${JOURNAL}:${'b'.repeat(64)}:-1`,
    `${JOURNAL}:${'b'.repeat(64)}:1:2`,
    `${trustText(trusted(1))},`,
  ])('are not guessed from what says nothing of the kind: %j', (trust) => {
    expect(() => keys({ trust }).trust()).toThrow('JOURNAL_TRUST must say where our journal begins to be signed');
  });

  it.each([
    [3, 3],
    [3, 2],
  ])('are in no other order: from %d, then from %d', (...froms) => {
    const trust = froms.map((from) => trustText(trusted(from))).join(',');
    expect(() => keys({ trust }).trust()).toThrow('JOURNAL_TRUST must name the keys in the order in which they sign.');
  });

  describe('at the start of a writer', () => {
    let store: MemoryEventStore;
    let own: JournalKeys;
    let publicKey: string;
    const writerOf = (more: Partial<LedgerWriterOptions> = {}) =>
      new LedgerWriter({ store, keyIndex: emptyIndex, clock: new ManualClock(), envelope: 2, ...more });

    beforeEach(async () => {
      store = new MemoryEventStore();
      own = keys();
      ({ publicKey } = own.make());
      const writer = await startWriter({ store, envelope: 2, signerFor: own.signerFor });
      const command = { type: 'BeginSigning', journal: JOURNAL, publicKey } as const;
      await writer.execute({ command, actor: 'terminal' });
      await writer.stop();
    });

    it('are there, and the journal is known for ours', async () => {
      own.trustIn(trusted(0, publicKey));
      const writer = writerOf({ signerFor: own.signerFor, trust: own.trust() });
      await startSigned(writer, own);
      expect(writer.signing).toMatchObject({ journal: JOURNAL, publicKey });
      await writer.stop();
    });

    it('must be there', async () => {
      await expect(startSigned(writerOf(), own)).rejects.toThrow(
        `The journal cannot be written to: the journal is signed by the key ${keyIdOf(publicKey)}, which is not here.`,
      );
    });

    it('must be those whom we know', async () => {
      const trust = [trusted(0, own.make().publicKey)];
      await expect(startSigned(writerOf({ signerFor: own.signerFor, trust }), own)).rejects.toThrow(
        'The journal is not the one that JOURNAL_TRUST names: ',
      );
    });

    it('must be known to be ours', async () => {
      await expect(startSigned(writerOf({ signerFor: own.signerFor }), own)).rejects.toThrow(
        'The journal is signed, and nothing here says who should have signed it. Set JOURNAL_TRUST',
      );
    });
  });
});
