/**
 * `node scripts/verify-receipt.mjs RECEIPT.json [--seal HEX | --root HEX | --periods FILE] [--trust KEYS]`
 *
 * Checks a receipt without a server or a package: it needs only this file and Node. docs/receipts.md explains how a
 * receipt is made and what it proves.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const USAGE = `usage: node scripts/verify-receipt.mjs RECEIPT.json [--seal HEX | --root HEX | --periods FILE] [--trust KEYS]

  --seal HEX      the seal of the period, as you noted it at another time or were told by somebody else
  --root HEX      the same with the root of the period
  --periods FILE  JSON as GET /api/ledger/periods or "npm run -s ledger -- periods" gave it
  --trust KEYS    who may sign the journal, as JOURNAL_TRUST has it or "npm run -s ledger -- signing" prints it`;

/** The receipt proves nothing; the message says why. */
class Unproven extends Error {}

const sha256 = (...lines) => createHash('sha256').update(lines.join('\n'), 'utf8').digest('hex');
const HASH = /^[0-9a-f]{64}$/;

function hash(value, what) {
  if (typeof value !== 'string' || !HASH.test(value)) throw new Unproven(`${what} is no hash of 64 hex digits.`);
  return value;
}

function whole(value, what) {
  if (!Number.isSafeInteger(value) || value < 0) throw new Unproven(`${what} is no whole number.`);
  return value;
}

function line(value, what) {
  if (typeof value !== 'string' || /[\r\n]/.test(value)) throw new Unproven(`${what} is no text of one line.`);
  return value;
}

function millisecondsOf(value, what) {
  const time = Date.parse(line(value, what));
  if (Number.isNaN(time)) throw new Unproven(`${what} is no time.`);
  return time;
}

function part(value, what) {
  if (typeof value !== 'object' || value === null) throw new Unproven(`The receipt has no ${what}.`);
  return value;
}

function list(value, what) {
  if (!Array.isArray(value)) throw new Unproven(`The receipt has no ${what}.`);
  return value;
}

/** A shown entry is hashed with its salt. An entry that the member may not see is present only as its hash. */
function entryHash(entry, number) {
  const what = `Entry ${number + 1}`;
  const { hidden, account, currency, minorUnits, salt } = part(entry, `entry ${number + 1}`);
  if (hidden !== undefined) return hash(hidden, what);
  if (typeof minorUnits !== 'string' || !/^(?:0|-?[1-9]\d*)$/.test(minorUnits))
    throw new Unproven(`${what} has no amount.`);
  return sha256('entry', hash(salt, `${what}'s salt`), line(account, what), line(currency, what), minorUnits);
}

/** The first 48 bits of an event's id are its revision; the others come from its hash. */
function checkId({ id, revision, chainHash }) {
  const digits = line(id, 'The id').replaceAll('-', '').toLowerCase();
  const place = revision.toString(16).padStart(12, '0');
  const expected = `${place}8${chainHash.slice(0, 3)}`;
  if (digits.slice(0, 16) !== expected || digits.slice(17) !== chainHash.slice(4, 19)) {
    throw new Unproven('The id is not that of this event.');
  }
}

function leafOf(event, entries) {
  const revision = whole(event.revision, 'The revision');
  const chainHash = hash(event.chainHash, 'The chain hash');
  checkId({ id: event.id, revision, chainHash });
  const at = millisecondsOf(event.at, 'The time of the event');
  return sha256('event', revision, line(event.type, 'The type'), at, chainHash, ...entries.map(entryHash));
}

/** The root that the path leads to from the leaf (RFC 9162, 2.1.3.2). */
function rootByPath(leaf, index, size, path) {
  if (index >= size) throw new Unproven(`The period has ${size} events: none is at place ${index}.`);
  let [at, last, root] = [index, size - 1, leaf];
  for (const value of path) {
    const other = hash(value, 'A step of the path');
    if (last === 0) throw new Unproven('The path is longer than the period’s tree is high.');
    if (at % 2 === 1 || at === last) {
      root = sha256('node', other, root);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      root = sha256('node', root, other);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  if (last !== 0) throw new Unproven('The path is shorter than the period’s tree is high.');
  return root;
}

const sealOf = (period) =>
  sha256(
    'period',
    whole(period.number, 'The period’s number'),
    millisecondsOf(period.endsAt, 'The end of the period'),
    whole(period.firstRevision, 'The first revision'),
    whole(period.lastRevision, 'The last revision'),
    hash(period.chainHash, 'The period’s chain hash'),
    hash(period.root, 'The root'),
    hash(period.totalsHash, 'The hash of the totals'),
    hash(period.previousSeal, 'The seal before'),
  );

/** Checks that everything in the receipt follows from the event and its period. */
function check(receipt) {
  if (part(receipt, 'content').format !== 'nova-receipt-1')
    throw new Unproven('This is no receipt of a kind that is known here.');
  const [event, proof, period] = ['event', 'proof', 'period'].map((name) => part(receipt[name], name));
  const leaf = leafOf(event, list(receipt.entries, 'entries'));
  const [index, size] = [whole(proof.index, 'The place'), whole(proof.size, 'The size')];
  const seal = sealOf(period);
  if (seal !== hash(period.seal, 'The seal')) throw new Unproven('The seal does not fit what the period says.');
  if (size !== period.lastRevision - period.firstRevision + 1)
    throw new Unproven('The size is not that of the period.');
  if (event.revision !== period.firstRevision + index) {
    throw new Unproven(`Revision ${event.revision} is not at place ${index} of its period.`);
  }
  if (Date.parse(event.at) > Date.parse(period.endsAt))
    throw new Unproven('The event is dated after the end of its period.');
  if (rootByPath(leaf, index, size, list(proof.path, 'path')) !== period.root) {
    throw new Unproven('The event does not lead to the root of its period: it, or the path, was changed.');
  }
  return { event, period };
}

/** Checks that the receipt names the values that were known before. */
function compare(period, { seal, root, periods }) {
  if (seal !== undefined && seal.toLowerCase() !== period.seal)
    throw new Unproven('The receipt’s seal is not the one that you gave.');
  if (root !== undefined && root.toLowerCase() !== period.root)
    throw new Unproven('The receipt’s root is not the one that you gave.');
  if (periods === undefined) return seal !== undefined || root !== undefined;
  const published = readJson(periods);
  const known = list(published?.periods ?? published, 'list of periods').find((each) => each?.number === period.number);
  if (!known) throw new Unproven(`${periods} has no period ${period.number}.`);
  if (sealOf(known) !== known.seal) throw new Unproven(`Period ${period.number} of ${periods} does not fit its seal.`);
  if (known.seal !== period.seal) throw new Unproven(`Period ${period.number} has another seal in ${periods}.`);
  return true;
}

/** Checks the journal's signature of the period. Returns whether the signer is one of the trusted keys. */
function checkSignature({ signature, period }, trust) {
  if (signature === undefined) {
    if (trust === undefined) return undefined;
    throw new Unproven('The receipt is not signed.');
  }
  const { journal, publicKey, sig } = part(signature, 'signature');
  if (!/^[0-9a-f]{32}$/.test(journal)) throw new Unproven('The journal has no name of 32 hex digits.');
  const keyId = sha256('nova-key-1', hash(publicKey, 'The key')).slice(0, 16);
  const text = ['nova-seal-1', journal, keyId, period.number, period.seal].join('\n');
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  if (!verify(undefined, Buffer.from(text), key, Buffer.from(line(sig, 'The signature'), 'base64url')))
    throw new Unproven('The signature is not that of the key, or not of this seal.');
  const isKnown = trust?.split(',').some((known) => known.trim().startsWith(`${journal}:${publicKey}:`));
  if (isKnown === false) throw new Unproven('The receipt is signed by a key that you did not name.');
  return { journal, keyId, isKnown: isKnown === true };
}

function readJson(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Unproven(`${file} cannot be read.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Unproven(`${file} is not JSON.`);
  }
}

const printed = (text) => JSON.stringify(text).slice(1, -1);

function report({ event, period }, entries, { compared, signed }) {
  console.log(
    `The receipt is sound: ${printed(event.type)} of ${event.at} is revision ${event.revision} of the journal,`,
  );
  console.log(`sealed in period ${period.number}, which ends ${period.endsAt}.`);
  for (const { account, currency, minorUnits } of entries.filter(({ hidden }) => hidden === undefined)) {
    console.log(`  ${printed(account)}  ${minorUnits} ${printed(currency)} (minor units)`);
  }
  console.log(`Seal: ${period.seal}`);
  if (signed) console.log(`Signed for the journal ${signed.journal} by the key ${signed.keyId}.`);
  console.log(
    compared || signed?.isKnown
      ? `It is ${compared ? 'the one' : 'by a key'} that you knew.`
      : 'Compare it with one from somewhere else: the receipt alone proves only that it fits itself.',
  );
}

function readArguments() {
  try {
    const options = {
      seal: { type: 'string' },
      root: { type: 'string' },
      periods: { type: 'string' },
      trust: { type: 'string' },
    };
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (positionals.length === 1) return { values, file: positionals[0] };
  } catch (error) {
    console.error(error.message);
  }
  console.error(USAGE);
  return undefined;
}

const given = readArguments();
if (given) {
  try {
    const receipt = readJson(given.file);
    const checked = check(receipt);
    const signed = checkSignature(receipt, given.values.trust);
    report(checked, receipt.entries, { compared: compare(checked.period, given.values), signed });
  } catch (error) {
    if (!(error instanceof Unproven)) throw error;
    console.error(`NOT PROVEN: ${error.message}`);
    process.exitCode = 1;
  }
} else {
  process.exitCode = 2;
}
