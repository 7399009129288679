import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEventStore } from '@app/event-store';
import { SignedStore } from '@app/ledger';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { verify } from '../../apps/api/src/finance/verify.js';
import { JournalKeys } from '../../apps/api/src/platform/ledger/journal-keys.js';
import { type TestAnswer, TestBrowser, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';

/** The command's own 10 s, the waits for the database before it, and slack for a busy machine. */
const ANSWER_MS_MAX = 45_000;
const TRIES_MAX = 120;
const PAUSE_MS = 250;
const AMOUNT_MIN = 1_000;
/** What `verify` says of a read model that may only be late. */
const IS_BEHIND = 'verify with --catch-up';
const CAUGHT_UP_MS_MAX = 30_000;

interface Attempt {
  readonly key: string;
  readonly sender: TestMember;
  readonly recipientId: string;
  readonly amount: number;
  /** The gift's event; absent while the outcome is unknown. */
  eventId?: string;
}

export interface GiftAnswer {
  /** 0: the connection broke. */
  readonly status: number;
  readonly code?: string;
  readonly ms: number;
}

/** The addresses of an installation's books, without the proxies of the product. */
export interface Books {
  readonly databaseUrl: string;
  readonly eventStoreUrl?: string;
  /** The folder of the keys, if the journal is signed. */
  readonly dataDir?: string;
  /** Journal time is ahead of the clock, and `verify` says so. */
  readonly isAhead?: boolean;
}

/**
 * Members who send each other gifts through all servers, each gift with its own key. In the end every answered gift has
 * happened once. Gifts without an answer are sent again with their keys, and have then happened once as well.
 */
export class GiftLoad {
  private readonly attempts: Attempt[] = [];
  private turn = 0;

  constructor(
    private readonly members: readonly TestMember[],
    /** Addresses of the servers, taken in turn. May be changed at any time. */
    public urls: readonly string[],
  ) {}

  get sent(): number {
    return this.attempts.length;
  }

  /** The events of the gifts after the first `count`, as they were answered. */
  eventIdsAfter(count: number): string[] {
    return this.attempts.slice(count).flatMap(({ eventId }) => eventId ?? []);
  }

  get unanswered(): number {
    return this.attempts.filter(({ eventId }) => eventId === undefined).length;
  }

  /** Sends this many new gifts at once. */
  send(count: number): Promise<GiftAnswer[]> {
    return Promise.all(Array.from({ length: count }, () => this.attempt(this.next())));
  }

  /** Sends one gift, with one key, to all servers at once. */
  async sendEverywhere(): Promise<GiftAnswer[]> {
    const attempt = this.next();
    return Promise.all(this.urls.map(() => this.attempt(attempt)));
  }

  /** Sends gift after gift, several at once, until `over` says stop. */
  async sendUntil(over: { readonly over: boolean }, lanes: number): Promise<GiftAnswer[]> {
    const answers: GiftAnswer[] = [];
    const lane = async (): Promise<void> => {
      while (!over.over) {
        answers.push(...(await this.send(1)));
        await sleep(5);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return answers;
  }

  /** Sends unanswered gifts again, with their keys, until they are answered. */
  async settle(): Promise<void> {
    for (const attempt of this.attempts) {
      for (let tries = 0; attempt.eventId === undefined && tries < TRIES_MAX; tries += 1) {
        if (tries > 0) await sleep(PAUSE_MS);
        await this.attempt(attempt);
      }
      if (attempt.eventId === undefined) throw new Error(`the gift ${attempt.key} stayed unanswered`);
    }
  }

  /** Compares every answer with the journal, and every read model with the journal. */
  async expectBooks({ databaseUrl, eventStoreUrl, dataDir, isAhead = false }: Books): Promise<void> {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    const store = await openEventStore({ databaseUrl, eventStoreUrl });
    const keys = dataDir === undefined ? undefined : new JournalKeys(path.join(dataDir, 'journal'));
    const trust = keys?.trust();
    const signedStore = keys && trust ? new SignedStore(store, { trust, signerFor: keys.signerFor }) : store;
    const snapshotSigning = keys?.snapshotSigning();
    try {
      const journal: string[] = [];
      for await (const batch of store.readStream('ledger')) {
        journal.push(...batch.filter(({ type }) => type === 'GiftSent').map(({ id }) => id));
      }
      const answered = this.attempts.map(({ eventId }) => eventId ?? 'unanswered');
      expect(new Set(answered).size).toBe(answered.length);
      expect(journal.toSorted()).toEqual(answered.toSorted());
      const checked = { store, signedStore, snapshotSigning, pool, connectionString: databaseUrl };
      // A server that takes over from a killed one reads on from where that one was.
      const findings = await eventually(
        () => allOf(verify(checked)),
        (found) => !found.some(({ breaches }) => breaches.some((breach) => breach.includes(IS_BEHIND))),
        CAUGHT_UP_MS_MAX,
      );
      for (const { what, breaches } of findings) {
        const told = isAhead && what === 'Journal time' ? [expect.stringContaining('ahead')] : [];
        expect([what, breaches]).toEqual([what, told]);
      }
    } finally {
      await store.close();
      await pool.end();
    }
  }

  private next(): Attempt {
    const place = this.attempts.length;
    const [sender, recipient] = [0, 1].map((step) => this.members[(place + step) % this.members.length]);
    if (!sender || !recipient) throw new Error('gifts need members');
    const amount = AMOUNT_MIN + (place % 100);
    const attempt: Attempt = { key: uuidv7(), sender, recipientId: recipient.id, amount };
    this.attempts.push(attempt);
    return attempt;
  }

  private async attempt(attempt: Attempt): Promise<GiftAnswer> {
    const { key, sender, recipientId, amount } = attempt;
    const began = performance.now();
    const url = this.urls[this.turn++ % this.urls.length] ?? '';
    let answer: TestAnswer | undefined;
    try {
      answer = await inTime(
        at(url, sender).post('/api/gifts/send', { recipientId, amount }, { 'idempotency-key': key }),
      );
    } catch {
      // The connection broke: the outcome is unknown.
    }
    const ms = performance.now() - began;
    if (answer?.status === 201) {
      const { eventId } = answer.body as { eventId: string };
      if (attempt.eventId !== undefined) expect(eventId).toBe(attempt.eventId);
      attempt.eventId = eventId;
    }
    return { status: answer?.status ?? 0, code: answer?.body?.code as string, ms };
  }
}

/** A member's browser at another server of the same installation. */
export function at(url: string, { browser }: TestMember): TestBrowser {
  const other = new TestBrowser(url);
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  return other;
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS_MAX} ms`)), ANSWER_MS_MAX);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
