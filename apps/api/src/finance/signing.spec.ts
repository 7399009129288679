import { generateKeyPairSync } from 'node:crypto';
import { MemoryEventStore } from '@app/event-store';
import { JournalSigner, type JournalTrust, StoreJournal, type TrustedKey } from '@app/ledger';
import { grant, startWriter } from '../../../../libs/ledger/src/testing/writers.js';
import type { Installation } from './installation.js';
import { trustOwnKey } from './signing.js';

const journal = 'a'.repeat(32);
const anew = 'b'.repeat(32);
const newSigner = () => new JournalSigner(generateKeyPairSync('ed25519').privateKey);

describe('a new beginning that nobody here trusts yet', () => {
  const [old, present, next] = [newSigner(), newSigner(), newSigner()];
  const signers = [old, present, next];
  const signerFor = (publicKey: string) => signers.find((signer) => signer.publicKey === publicKey);
  const trust: JournalTrust = [
    { journal, publicKey: old.publicKey, from: 0 },
    { journal, publicKey: present.publicKey, from: 2 },
  ];
  let told: TrustedKey[];

  const beganAnewBy = async ({ publicKey }: JournalSigner): Promise<Installation> => {
    const store = new MemoryEventStore();
    const writer = await startWriter({ store, envelope: 2, signerFor });
    const proof = present.proofFor({ journal, publicKey: old.publicKey });
    for (const command of [
      { type: 'BeginSigning', journal, publicKey: old.publicKey },
      { type: 'ChangeSigningKey', publicKey: present.publicKey, proof },
    ] as const) {
      await writer.execute({ command, actor: 'terminal' });
    }
    await writer.execute(grant('ada', 1n));
    await writer.execute({ command: { type: 'BeginSigning', journal: anew, publicKey }, actor: 'terminal' });
    told = [];
    const keys = { signerFor, trust: () => trust, trustIn: (key: TrustedKey) => told.push(key) };
    return { store, journal: new StoreJournal(store, { trust }), keys } as unknown as Installation;
  };

  it('is taken for ours where its key was made for it and is here', async () => {
    await trustOwnKey(await beganAnewBy(next));
    expect(told).toEqual([{ journal: anew, publicKey: next.publicKey, from: 3 }]);
  });

  it.each([
    ['that was changed away', old],
    ['that signs now', present],
  ])('is not, with a key %s', async (_, signer) => {
    await expect(trustOwnKey(await beganAnewBy(signer))).rejects.toThrow(
      'Somebody began to sign at revision 3 with an old key.',
    );
    expect(told).toEqual([]);
  });
});
