import { hash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { readCheckpoint } from '@app/ledger';
import { errorCode } from '../../platform/errors/error-code.js';

/** A destination of checkpoints. */
export interface CheckpointTarget {
  /** As operators know it, without where it is. */
  readonly word: string;
  /** By which the installation remembers what has gone there; another place has another one. */
  readonly name: string;
  /**
   * Durable once it resolves; a repetition does no harm.
   * @throws Error it did not come there, or another one of its name is there
   */
  put(note: string): Promise<void>;
}

const SIZE_DIGITS = 12;
export const NOTE_ENDING = '.txt';

/** In order of size; of another tree it is another name. */
export function fileNameOf(note: string): string {
  const { origin, size } = readCheckpoint(note);
  return `${String(size).padStart(SIZE_DIGITS, '0')}-${origin.split('/').at(-1)}${NOTE_ENDING}`;
}

/** A folder, here or mounted from elsewhere: that one is not made, for it may be mounted later. What is there is never written over. */
export class FolderTarget implements CheckpointTarget {
  readonly name: string;

  constructor(
    readonly word: string,
    private readonly folder: string,
    private readonly isOwn = true,
  ) {
    this.name = `folder ${folder}`;
  }

  async put(note: string): Promise<void> {
    if (this.isOwn) await mkdir(this.folder, { recursive: true });
    const file = path.join(this.folder, fileNameOf(note));
    const there = await readFile(file, 'utf8').catch(absent);
    if (there === undefined) await writeWhole(file, note);
    else if (there !== note) throw new Error(`there is another checkpoint in ${file}`);
    await syncFolder(this.folder);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** At once, and not by a link: not every file system that is mounted from elsewhere has those. */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const opened = await open(draft, 'wx', 0o644);
    try {
      await opened.writeFile(text);
      await opened.sync();
    } finally {
      await opened.close();
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

function absent(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}

const ANSWER_MS_MAX = 10_000;

/** An address that receives each note as the body of a POST, possibly twice. */
export class WebhookTarget implements CheckpointTarget {
  readonly word = 'the webhook';
  readonly name: string;

  constructor(private readonly url: string) {
    // The address may hold a secret.
    this.name = `webhook ${hash('sha256', url, 'hex')}`;
  }

  async put(note: string): Promise<void> {
    const { ok, status } = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: note,
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    if (!ok) throw new Error(`it answered ${status}`);
  }
}
