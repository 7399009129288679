import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@app/domain';
import type { EventStore, RecordedEvent } from '@app/event-store';
import {
  type Checkpoint,
  eventLeafHash,
  type JournalClock,
  type JournalSigner,
  type JournalTrust,
  type LedgerWriter,
  LogTree,
  openCheckpoint,
  originOf,
  printCheckpoint,
} from '@app/ledger';
import type pg from 'pg';
import { inTurn } from '../../platform/database/sole-owner.js';
import { isUnavailable } from '../../platform/errors/error-body.js';
import { reasonOf } from '../../platform/errors/explained.js';
import type { JournalKeys } from '../../platform/ledger/journal-keys.js';
import { CheckpointLog, type KeptCheckpoint } from './checkpoint-log.js';
import type { CheckpointTarget } from './checkpoint-targets.js';

const TREE_BYTES = 8;
/** After each batch, which takes some ten milliseconds of the thread that answers requests: nobody waits for a checkpoint. */
const BREATH_MS = 20;

/** An event up to which a checkpoint goes. */
type Mark = Pick<RecordedEvent, 'id' | 'position'>;

interface CheckpointOptions {
  readonly store: Pick<EventStore, 'readAll'>;
  /** 32 hex digits. */
  readonly journal: string;
  readonly trust: JournalTrust;
  readonly signer: JournalSigner;
  /** The one before; undefined for the first, which begins a new tree. */
  readonly last: KeptCheckpoint | undefined;
  /** Was the last event of all, some time ago. */
  readonly upTo: Mark;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** The journal is not the one that the last checkpoint was made of: no other may be signed under the same name. */
export class JournalForked extends Error {
  override readonly name = 'JournalForked';
}

/** The last event of all streams. */
export async function lastEvent(store: Pick<EventStore, 'readAll'>): Promise<Mark | undefined> {
  for await (const [event] of store.readAll({ direction: 'backwards', limit: 1 })) return event;
  return undefined;
}

/**
 * Signs a tree over all events of all streams up to one of them. It goes on from the last event of the last checkpoint, where
 * that is still there, and keeps no event.
 * @returns undefined where the event is gone by now (another node leads, which never had it), or the work was to end
 * @throws JournalForked what was signed before is not in the journal any more
 * @throws BadNote the last checkpoint, as it is kept, is not ours
 * @throws StoreUnavailable
 */
export async function makeCheckpoint(options: CheckpointOptions): Promise<KeptCheckpoint | undefined> {
  const { journal, trust, signer, last, upTo, now, signal } = options;
  const signed = last && openCheckpoint(last.note, trust);
  let grown = last && signed && (await grow(options, last, signed));
  if (!grown?.holds && !signal.aborted) grown = await grow(options, FIRST, signed);
  if (signal.aborted || !grown) return undefined;
  if (!grown.holds) {
    throw new JournalForked(
      `the journal is not the one whose first ${signed?.size} events were signed: run verify with --seals`,
    );
  }
  if (!grown.before) return undefined;
  // Signatures that began anew have another journal's name: the tree goes on, and has a new one as well.
  const origin = signed?.origin.startsWith(originOf(journal, ''))
    ? signed.origin
    : originOf(journal, randomBytes(TREE_BYTES).toString('hex'));
  const { size, root } = grown.tree;
  const note = printCheckpoint({ origin, size, root }, signer);
  return { size, note, lastEvent: upTo.id, ...grown.before, madeAt: now };
}

/** Where a tree goes on: what is in it already, and the position of its last event. */
type Start = Pick<KeptCheckpoint, 'tree' | 'position'>;

const FIRST: Start = { tree: LogTree.empty(), position: undefined };

interface Grown {
  readonly tree: LogTree;
  /** Where the tree stood before its last event; undefined where that is not the one that was asked for. */
  readonly before: Start | undefined;
  /** Whether it had the root that was signed, at that size. */
  readonly holds: boolean;
}

async function grow(
  { store, upTo, signal }: CheckpointOptions,
  start: Start,
  signed: Checkpoint | undefined,
): Promise<Grown> {
  const tree = start.tree.copy();
  let { position } = start;
  let before: Start | undefined;
  let holds = signed === undefined;
  const after = position === undefined ? {} : { after: position };
  for await (const batch of store.readAll({ ...after, upTo: upTo.position, signal })) {
    for (const event of batch) {
      before = event.id === upTo.id ? { tree: tree.copy(), position } : undefined;
      tree.add(eventLeafHash(event));
      ({ position } = event);
      if (tree.size !== signed?.size) continue;
      holds = tree.root.equals(signed.root);
      if (!holds) return { tree, before, holds };
    }
    await sleep(BREATH_MS);
  }
  return { tree, before, holds };
}

/** An event that was the last one this long ago is final: a failing node takes only newer ones with it. */
export const BEHIND_MS = 5 * 60_000;
/** By then the day before is closed, so that its seal is in the tree. */
const CLOSED_BY_MS = 60_000;
/** The pause after a target accepted nothing. */
const SENDING_REST_MS = 5 * 60_000;
/** After a checkpoint that could not be made: it may have taken a reading of all events to find out. */
const MAKING_REST_MS = 30 * 60_000;
/** After a look that found nothing new: in a shared store it passes over the events of all others. */
const QUIET_MS = 10 * 60_000;
/** Made by a clock that was wrong: it counts as none of today. */
const AHEAD_MS_MAX = 10 * 60_000;
/** Among what may fail, beside the names of targets. */
const MAKING = 'making';
/** Advisory lock of whoever makes and sends checkpoints. */
const CHECKPOINT_LOCK = 4_021_103;

export interface CheckpointParts {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly pool: pg.Pool;
  readonly clock: Pick<JournalClock, 'now' | 'ready'>;
  /** The journal's signer, and whether the journal can be followed. */
  readonly writer: Pick<LedgerWriter, 'signing' | 'halted'>;
  readonly keys: Pick<JournalKeys, 'signerFor' | 'trust'>;
  readonly targets: readonly CheckpointTarget[];
  /** Told of each that was made, and of what failed. */
  readonly logger: { log(sentence: string): void; warn(details: object, sentence: string): void };
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Makes a checkpoint each day (UTC), by one server of the installation, and sends each of them wherever they are to go. */
export class CheckpointRounds {
  /** Since when, by the journal's clock, there are events that today's checkpoint is to cover. */
  dueSince: number | undefined;
  /** Checkpoints that are still to leave, over all targets. */
  undelivered = 0;
  /** The latest failures, as phrases for operators. */
  private readonly troubles = new Map<string, string>();
  private readonly log: CheckpointLog;
  private head: { readonly mark: Mark; readonly at: number } | undefined;
  private readonly restsUntil = new Map<string, number>();

  constructor(private readonly parts: CheckpointParts) {
    this.log = new CheckpointLog(parts.pool);
  }

  get complaints(): string[] {
    return [...this.troubles.values()];
  }

  /** Where the journal is not signed there is nothing to do. */
  async round(signal: AbortSignal): Promise<void> {
    // A clock that nobody agrees with would date a checkpoint where no other is due for years.
    if (!this.parts.writer.signing || !this.parts.clock.ready) return;
    if (!this.isResting(MAKING)) {
      await this.makeWhenDue(signal).catch((error: unknown) => {
        // Its own check tells that the database is away. The next round comes before anybody misses a checkpoint.
        if (isUnavailable(error)) this.parts.logger.warn({ err: error }, 'checkpoints: none is made for now');
        else this.fail(MAKING, `none could be made: ${reasonOf(error)}`, { error, restMs: MAKING_REST_MS });
      });
    }
    const waiting = await this.waiting();
    if (waiting.some(({ target }) => !this.isResting(target.name))) {
      await inTurn(this.parts.pool, CHECKPOINT_LOCK, () => this.send(signal));
    }
  }

  /** Those of a day that went by without any event are none. */
  private async makeWhenDue(signal: AbortSignal): Promise<void> {
    const { store, pool, clock, writer } = this.parts;
    if (writer.halted !== undefined) return;
    const now = clock.now();
    const last = await this.log.last();
    if (!isDue(last, now)) return this.settle();
    if (!this.head) {
      const mark = await lastEvent(store);
      if (!mark || mark.id === last?.lastEvent) {
        this.restsUntil.set(MAKING, now + QUIET_MS);
        return this.settle();
      }
      this.dueSince ??= now;
      this.head = { mark, at: now };
    }
    const passedMs = now - this.head.at;
    if (passedMs < 0) this.head = { ...this.head, at: now };
    if (passedMs < BEHIND_MS) return;
    const { mark } = this.head;
    this.head = undefined;
    await inTurn(pool, CHECKPOINT_LOCK, (lost) => this.make(mark, AbortSignal.any([signal, lost])));
  }

  private async make(upTo: Mark, signal: AbortSignal): Promise<void> {
    const { store, clock, writer, keys, logger } = this.parts;
    const { signing } = writer;
    const signer = signing && keys.signerFor(signing.publicKey);
    const last = await this.log.last();
    const now = clock.now();
    if (!signing || !signer || !isDue(last, now) || isBefore(upTo, last)) return;
    const { journal } = signing;
    const trust = keys.trust() ?? [];
    const made = await makeCheckpoint({ store, journal, trust, signer, last, upTo, now, signal });
    if (!made) return;
    await this.log.put(made);
    this.settle();
    logger.log(`signed a checkpoint over ${made.size} events of all streams`);
  }

  /** There is none to make, or none any more. */
  private settle(): void {
    [this.head, this.dueSince] = [undefined, undefined];
    this.troubles.delete(MAKING);
  }

  /** What is still to go, by where. */
  private async waiting() {
    const all = await Promise.all(
      this.parts.targets.map(async (target) => ({ target, notes: await this.log.undelivered(target.name) })),
    );
    const waiting = all.filter(({ notes }) => notes.length > 0);
    for (const { target, notes } of all) if (notes.length === 0) this.troubles.delete(target.name);
    this.undelivered = waiting.reduce((sum, { notes }) => sum + notes.length, 0);
    return waiting;
  }

  private async send(signal: AbortSignal): Promise<void> {
    for (const { target, notes } of await this.waiting()) {
      if (this.isResting(target.name)) continue;
      try {
        for (const { size, note } of notes) {
          if (signal.aborted) return;
          await target.put(note);
          await this.log.delivered(target.name, size);
        }
      } catch (error) {
        this.fail(target.name, `${target.word} accepts none: see the log`, { error, restMs: SENDING_REST_MS });
      }
    }
    await this.waiting();
  }

  private isResting(what: string): boolean {
    const now = this.parts.clock.now();
    const until = this.restsUntil.get(what) ?? 0;
    return now < until && until <= now + MAKING_REST_MS;
  }

  private fail(what: string, trouble: string, { error, restMs }: { readonly error: unknown; readonly restMs: number }) {
    this.troubles.set(what, trouble);
    this.restsUntil.set(what, this.parts.clock.now() + restMs);
    this.parts.logger.warn({ err: error }, `checkpoints: ${trouble}`);
  }
}

/** Not before the day before was closed, or had the time to be. */
const isDue = (last: KeptCheckpoint | undefined, now: number): boolean =>
  last === undefined || dayOf(now - CLOSED_BY_MS) > dayOf(last.madeAt) || last.madeAt > now + AHEAD_MS_MAX;

/** Another server may have gone further meanwhile. */
const isBefore = ({ id, position }: Mark, last: KeptCheckpoint | undefined): boolean =>
  id === last?.lastEvent || (last?.position !== undefined && position <= last.position);
