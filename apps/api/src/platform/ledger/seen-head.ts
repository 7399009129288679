import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '@app/event-store';
import { holdsHead, type JournalHead } from '@app/ledger';
import { errorCode } from '../errors/error-code.js';
import { Explained, reasonOf } from '../errors/explained.js';

const FILE = 'seen-head';
const SEEN = /^(\d{1,15}):([0-9a-f]{64})\n$/;
const WRITE_EVERY_MS = 10_000;

/**
 * How far a signed journal was when this installation last looked: a file outside the database. Whoever owns the database can
 * cut a journal back to where a signature ends, and every signature that is left holds.
 */
export class SeenHead {
  private readonly file: string;
  private written: string;

  /** @throws Explained the file is there, and does not say it */
  constructor(private readonly folder: string) {
    this.file = path.join(folder, FILE);
    this.written = textOf(this.file);
  }

  /** Undefined while nothing was seen. */
  get head(): JournalHead | undefined {
    const [, revision, hash] = SEEN.exec(this.written) ?? [];
    return hash === undefined ? undefined : { revision: Number(revision), hash };
  }

  /** @throws Explained the journal does not have the event that was its last one */
  async requireIn(store: EventStore): Promise<void> {
    const { head } = this;
    if (!head || (await holdsHead(store, head))) return;
    throw new Explained(
      `The journal was at revision ${head.revision} when it was last seen here, and no longer has that event: its end was cut off, or an older backup was restored. Where that is known and meant, \`npm run -s ledger -- signing change\` takes it as it is.`,
    );
  }

  /** @param head that of a journal whose events up to there are known to be kept */
  async see({ revision, hash }: JournalHead): Promise<void> {
    const text = `${revision}:${hash}\n`;
    if (revision < 0 || text === this.written) return;
    const draft = `${this.file}.${process.pid}`;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, this.file);
    this.written = text;
  }

  /**
   * Sees again and again how far the journal is.
   * @param onFailure told of the first of several failures in a row
   * @returns ends it, once it has seen the journal a last time
   */
  follow(journal: { readonly head: JournalHead }, onFailure: (error: unknown) => void): () => Promise<void> {
    const ending = new AbortController();
    const following = this.seeUntil(ending.signal, journal, onFailure);
    return () => {
      ending.abort();
      return following;
    };
  }

  private async seeUntil(
    signal: AbortSignal,
    journal: { readonly head: JournalHead },
    onFailure: (error: unknown) => void,
  ): Promise<void> {
    let hasFailed = false;
    for (let isLast = false; !isLast;) {
      isLast = signal.aborted;
      try {
        await this.see(journal.head);
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) onFailure(error);
        hasFailed = true;
      }
      if (!isLast) await sleep(WRITE_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

function textOf(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw new Explained(`${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
  if (SEEN.test(text)) return text;
  throw new Explained(`${file} must say how far the journal was seen, as REVISION:HASH.`);
}
