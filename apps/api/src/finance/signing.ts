import { randomBytes } from 'node:crypto';
import { LEDGER_STREAM, type LedgerCommand, type LedgerEvent, type Signing } from '@app/domain';
import { JournalAudit, journalEventAt, keyIdOf, type LedgerWriter } from '@app/ledger';
import { LISTENER_NAME, READ_SCHEMA } from '@app/projections';
import type pg from 'pg';
import { Explained } from '../platform/errors/explained.js';
import { trustText } from '../platform/ledger/journal-keys.js';
import type { Installation } from './installation.js';
import { replay } from './replay.js';
import { type TerminalLedgerParts, withTerminalLedger } from './terminal-ledger.js';

const JOURNAL_BYTES = 16;

/** What is known about the signatures of an installation's journal. */
export interface SigningStatus {
  /** By what the journal says of itself; undefined while it is not signed. */
  readonly signing: Signing | undefined;
  /** Whether the private key is here. */
  readonly isKeyHere: boolean;
  /** As `JOURNAL_TRUST` has it; undefined while nothing here says whose signatures hold. */
  readonly trusted: string | undefined;
  /** Whether the key that signs now is the last of those. */
  readonly isTrusted: boolean;
}

/** Who signs the journal, by all its events. @throws Explained it holds what nobody signed */
export async function signingStatus({ store, journal, keys }: Installation): Promise<SigningStatus> {
  const { signing } = (await replay(store, { journal })).state;
  const trust = keys.trust();
  const last = trust?.at(-1);
  return {
    signing,
    isKeyHere: signing !== undefined && keys.signerFor(signing.publicKey) !== undefined,
    trusted: trust?.map(trustText).join(','),
    isTrusted: last !== undefined && last.publicKey === signing?.publicKey && last.from === signing.since,
  };
}

/**
 * From the next event on the journal is signed, by a key that is made here.
 * @throws Explained a server runs, something is wrong with the journal, or it is signed already
 */
export async function beginSigning(installation: Installation): Promise<void> {
  await begin(installation, (signing) => {
    if (!signing) return;
    throw new Explained(
      'This journal is already signed. `signing change` changes the key; `signing begin --anew` begins again without it.',
    );
  });
}

/**
 * As `beginSigning`, at the first start of an installation that has its database and its data folder to itself; nothing where the
 * journal has begun. Where such a start broke off, it is completed.
 */
export async function beginSigningOfNew(installation: Installation): Promise<void> {
  if (installation.journalEnvelope === 1) return;
  const head = await installation.store.head(LEDGER_STREAM);
  if (!head) await beginSigning(installation);
  else if (head.revision === 0 && head.type === ('SigningBegan' satisfies LedgerEvent['type']))
    await trustOwnKey(installation);
}

/**
 * As `beginSigning`, in a journal that is signed and whose private key is gone. What was signed is read by it all the same, and
 * that the journal began anew stays in it.
 * @throws Explained also where nothing here says whose signatures hold so far, or its key is here
 */
export async function beginSigningAnew(installation: Installation): Promise<void> {
  const { keys } = installation;
  await begin({ ...installation, isKeyLost: true }, (signing) => {
    if (!signing) throw new Explained('The journal is not signed. Begin with `signing begin`.');
    if (keys.signerFor(signing.publicKey)) {
      throw new Explained('The key that signs is here: `signing change` changes it.');
    }
  });
}

async function begin(
  installation: Installation & Pick<TerminalLedgerParts, 'isKeyLost'>,
  require: (signing: Signing | undefined) => void,
): Promise<void> {
  const { keys } = installation;
  const audited = await requireSoundJournal(installation);
  const journal = randomBytes(JOURNAL_BYTES).toString('hex');
  await withTerminalLedger({ ...installation, isShorterTaken: true }, async (ledger) => {
    await requireUnchanged(installation, ledger, audited);
    require(ledger.signing);
    const { publicKey } = keys.make();
    const from = await carryOut(ledger, { type: 'BeginSigning', journal, publicKey, streams: 'all' });
    keys.trustIn({ journal, publicKey, from });
  });
}

/**
 * From the next event on another key signs, which is made here. The one of before stays: what it has signed is read by it.
 * @throws Explained a server runs, something is wrong with the journal, or it is not signed
 */
export async function changeSigningKey(installation: Installation): Promise<void> {
  const { keys } = installation;
  const audited = await requireSoundJournal(installation);
  await withTerminalLedger({ ...installation, isShorterTaken: true }, async (ledger) => {
    await requireUnchanged(installation, ledger, audited);
    const { signing } = ledger;
    if (!signing) throw new Explained('The journal is not signed. Begin with `signing begin`.');
    const next = keys.make();
    const { publicKey } = next;
    const proof = next.proofFor(signing);
    const last = await carryOut(ledger, { type: 'ChangeSigningKey', publicKey, proof, streams: 'all' });
    keys.trustIn({ journal: signing.journal, publicKey, from: last + 1 });
  });
}

/**
 * Takes the key that signs now for the journal's, where a command broke off before it said so.
 * @throws Explained its private key is not here: whoever has it says what to trust
 */
export async function trustOwnKey(installation: Installation): Promise<void> {
  const { keys } = installation;
  const { journal, publicKey, since: from } = await signingOfOwnKey(installation);
  keys.trustIn({ journal, publicKey, from });
}

/** What the journal says of its signatures, whose private key is here. @throws Explained it is not */
async function signingOfOwnKey({ store, journal, keys }: Installation): Promise<Signing> {
  const { state } = await replay(store, { journal, onForged: () => undefined });
  // Where signing began anew, and the command broke off before it said so, that is what nobody here trusts yet. It made a key of
  // its own: with one of before somebody else has begun, who may have stolen it.
  const next = await journalEventAt(store, state.revision + 1);
  const began = next?.event.type === 'SigningBegan' ? next.event : undefined;
  const isOld = keys.trust()?.some(({ publicKey }) => publicKey === began?.publicKey);
  if (began && isOld) throw new Explained(`Somebody began to sign at revision ${state.revision + 1} with an old key.`);
  const signing = began
    ? { journal: began.journal, publicKey: began.publicKey, since: state.revision + 1 }
    : state.signing;
  if (signing && keys.signerFor(signing.publicKey)) return signing;
  throw new Explained(
    'The private key that signs the journal is not here. Set JOURNAL_TRUST to the line printed where the key is.',
  );
}

/** As lines for a terminal. */
export function statusText({ signing, isKeyHere, trusted, isTrusted }: SigningStatus): string {
  if (!signing) return 'The journal is not signed.\n';
  const lines = [
    `The journal ${signing.journal} is signed from revision ${signing.since} on by the key ${keyIdOf(signing.publicKey)}.`,
    isKeyHere ? 'Its private key is here.' : 'Its private key is not here. This installation can read but not write.',
    isTrusted
      ? `This agrees with JOURNAL_TRUST=${trusted}`
      : `Nothing here says that it should be so. If it should, and the key is here: \`signing trust\`.`,
    ...(signing.streams
      ? []
      : ['It signs the ledger alone: chats, admins’ acts and closed periods are signed from `signing change` on.']),
  ];
  return `${lines.join('\n')}\n`;
}

async function carryOut(ledger: LedgerWriter, command: LedgerCommand): Promise<number> {
  const outcome = await ledger.execute({ command, actor: 'terminal' });
  if (outcome.status === 'accepted') return outcome.revision;
  throw new Explained(outcome.status === 'refused' ? outcome.rejection.message : 'The journal has changed meanwhile.');
}

/** A signature vouches for all that stands before it: so that is looked at first, while nothing else writes. */
async function requireSoundJournal({ store, journal, pool }: Installation): Promise<number> {
  await requireNoServer(pool);
  const audit = new JournalAudit();
  const { head } = await replay(store, {
    journal,
    beforeEvent: (event, { revision }, state) => audit.see(state, event, revision),
  });
  const [breach] = audit.end();
  if (breach !== undefined) {
    throw new Explained(`The journal has errors and was not changed: ${breach}. Run verify, which names all of them.`);
  }
  return head.revision;
}

/** Since it was looked through: what came meanwhile nobody vouches for. */
async function requireUnchanged({ pool }: Installation, ledger: LedgerWriter, audited: number): Promise<void> {
  await requireNoServer(pool);
  if (ledger.revision !== audited) throw new Explained('Somebody wrote to the journal meanwhile. Try again.');
}

/** A server that runs has neither the key nor the word that it should be there: what it wrote would be nobody's. */
async function requireNoServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    `select 1 from ${READ_SCHEMA}.checkpoint where lease_until > clock_timestamp()
     union all
     select 1 from pg_stat_activity where datname = current_database() and application_name = $1
     limit 1`,
    [LISTENER_NAME],
  );
  if (rows.length > 0) {
    throw new Explained('A server is running. Stop all servers, and restart each with the key afterwards.');
  }
}
