import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '@app/event-store';
import { type Checkpoint, eventLeafHash, type JournalTrust, LogTree, openCheckpoint } from '@app/ledger';
import type { S3Config } from '../../platform/config.js';
import { Explained, reasonOf } from '../../platform/errors/explained.js';
import { sealsInBucket } from './checkpoint-bucket.js';
import { NOTE_ENDING } from './checkpoint-targets.js';

/** A note that was kept outside, as it was found. */
export interface Seal {
  /** The file's name. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** While an append is under way a store may not show all of what it showed before, and a node that does not lead is behind. */
const PATIENCE_MS = 3_000;
const LOOK_AGAIN_MS = 100;

const BUCKET = /^s3:\/\/([^/]+)\/?$/;

/**
 * The checkpoints in a folder or a bucket (`s3://NAME`), or the one in a file.
 * @param s3 the service that has the bucket
 * @throws Explained there is none, or they cannot be read
 */
export async function readSeals(where: string, s3: S3Config | undefined): Promise<Seal[]> {
  const seals = await foundIn(where, s3).catch((cause: unknown) => {
    throw new Explained(`Checkpoints cannot be read from ${where}: ${reasonOf(cause)}.`, { cause });
  });
  if (seals.length === 0)
    throw new Explained(`There is no checkpoint in ${where}: their names end with ${NOTE_ENDING}.`);
  return seals;
}

async function foundIn(where: string, s3: S3Config | undefined): Promise<Seal[]> {
  const [, bucket] = BUCKET.exec(where) ?? [];
  if (bucket !== undefined) {
    if (!s3) throw new Error('the S3_ settings are missing');
    return sealsInBucket(s3, bucket);
  }
  if (!(await stat(where)).isDirectory()) return [{ name: path.basename(where), bytes: await readFile(where) }];
  const names = (await readdir(where)).filter((name) => name.endsWith(NOTE_ENDING)).toSorted();
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(path.join(where, name)) })));
}

interface OpenedSeal extends Checkpoint {
  readonly name: string;
}

/** The result of comparing the journal with checkpoints kept outside. */
export interface SealsFound {
  readonly detail: string;
  readonly breaches: readonly string[];
}

/**
 * Holds the journal against checkpoints: reads all events of all streams once, up to the largest checkpoint.
 * @param patienceMs how long an end that is missing is waited for
 * @throws StoreUnavailable
 */
export async function checkSeals(
  store: Pick<EventStore, 'readAll'>,
  seals: readonly Seal[],
  trust: JournalTrust,
  onProgress: (done: number, total: number) => void = () => undefined,
  patienceMs = PATIENCE_MS,
): Promise<SealsFound> {
  if (trust.length === 0) {
    const breaches = ['nothing here says who should have signed them: set JOURNAL_TRUST'];
    return { detail: `${seals.length}, not compared`, breaches };
  }
  const breaches: string[] = [];
  const opened = seals.flatMap((seal) => {
    try {
      return [openedSeal(seal, trust)];
    } catch (error) {
      breaches.push(`${seal.name}: ${reasonOf(error)}`);
      return [];
    }
  });
  opened.sort((one, other) => one.size - other.size);
  const total = opened.at(-1)?.size ?? 0;
  const { held, wrong, events } = await compare(store, opened, {
    onProgress: (done) => onProgress(done, total),
    patienceMs,
  });
  const [first] = wrong;
  if (first) {
    const others = wrong.length > 1 ? `; nor do ${wrong.length - 1} after it` : '';
    breaches.push(
      `${first.name} does not hold: of the first ${first.size} events at least one is not as it was signed, and ` +
        `${held > 0 ? `the first ${held} are` : 'no smaller checkpoint says from where on'}${others}`,
    );
  }
  const beyond = opened.filter(({ size }) => size > events);
  if (beyond[0]) {
    breaches.push(
      `${beyond[0].name} is over ${beyond[0].size} events, and the journal has ${events}: its end is missing`,
    );
  }
  return { detail: `${seals.length}, the largest over ${total} events of all streams`, breaches };
}

function openedSeal({ name, bytes }: Seal, trust: JournalTrust): OpenedSeal {
  const note = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  return { name, ...openCheckpoint(note, trust) };
}

interface Compared {
  /** The size of the largest that holds before the first that does not. */
  readonly held: number;
  readonly wrong: readonly OpenedSeal[];
  /** How many the journal has, up to the largest checkpoint. */
  readonly events: number;
}

/** @param seals in the order of their sizes */
async function compare(
  store: Pick<EventStore, 'readAll'>,
  seals: readonly OpenedSeal[],
  { onProgress, patienceMs }: { readonly onProgress: (done: number) => void; readonly patienceMs: number },
): Promise<Compared> {
  const tree = LogTree.empty();
  const wrong: OpenedSeal[] = [];
  let [held, next] = [0, 0];
  const compareAll = (): void => {
    for (let seal = seals[next]; seal?.size === tree.size; seal = seals[next]) {
      if (!tree.root.equals(seal.root)) wrong.push(seal);
      else if (wrong.length === 0) held = seal.size;
      next += 1;
    }
  };
  compareAll();
  const size = seals.at(-1)?.size ?? 0;
  let after: bigint | undefined;
  let movedAtMs = performance.now();
  for (;;) {
    for await (const batch of store.readAll({ limit: size - tree.size, ...(after !== undefined && { after }) })) {
      for (const event of batch) {
        tree.add(eventLeafHash(event));
        compareAll();
      }
      after = batch.at(-1)?.position ?? after;
      movedAtMs = performance.now();
      onProgress(tree.size);
    }
    if (tree.size >= size || performance.now() - movedAtMs > patienceMs) break;
    await sleep(LOOK_AGAIN_MS);
  }
  return { held, wrong, events: tree.size };
}
