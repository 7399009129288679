import { beginsSigning, LEDGER_STREAM, LedgerState, type Signing, UndoLog, judgeKey } from '@app/domain';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  StoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
} from '@app/event-store';
import { Batch, type EventsLimit, Pending, type Decided } from './batch.js';
import type { JournalClock } from './clock.js';
import { CommandQueue } from './command-queue.js';
import { decideInto, tooLarge } from './decide-batch.js';
import { type EnvelopeVersion, hashOf } from './envelope.js';
import { BrokenChain, eventIdOf } from './hash-chain.js';
import {
  type BeforeEvent,
  EMPTY_HEAD,
  ForeignJournal,
  followJournal,
  journalEventOf,
  journalOf,
  StoreJournal,
  TornJournal,
  type JournalHead,
  type JournalSource,
} from './journal-reader.js';
import { KeyLookups } from './key-lookups.js';
import { keyUnderTest } from './keys.js';
import { ForgedEvent } from './signing/range-reader.js';
import { type JournalSigner, SigningKeyMissing, SigningUnknown } from './signing/signer.js';
import { isSameSigning, type JournalTrust, signingAfter, signingAt } from './signing/trust.js';
import type { LoadedSnapshot, SnapshotSource } from './snapshots.js';
import { noTurns, type WritingTurn } from './turn.js';
import {
  LedgerBusy,
  LedgerOutcomeUnknown,
  type CommandOutcome,
  type CommandRequest,
  type JournalEvent,
  JournalStopped,
  type KeyIndex,
  type Ledger,
} from './writer-port.js';

/** Batches are cut between commands at this size, or at less if the store accepts less. */
const BATCH_BYTES_MAX = 512 * 1024;
/** A batch is also cut at this number of commands, because refusals have no size. */
const BATCH_COMMANDS_MAX = 4_000;
const QUEUE_MAX = 20_000;
const DEADLINE_MS = 10_000;
const SWEEP_MS = 100;
/** An idle writer, and its listeners, learn of other servers' events after this time. */
const FOLLOW_IDLE_MS = 250;
/** How often a halted writer looks at the journal again. */
const HALTED_LOOK_MS = 5_000;
const RETRY_MS = 20;
const RETRY_MS_MAX = 1_000;
/** How long after another server's last event the journal counts as shared. */
const SHARED_MS = 1_000;

/** A batch was not sent: the caller of one of its commands was told meanwhile that nothing was done. It is decided again. */
class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

export interface LedgerWriterOptions {
  readonly store: EventStore;
  /** The stream that it writes, `ledger` when absent: for a ledger beside the journal, which is never signed by itself. */
  readonly stream?: string;
  readonly eventsLimit?: EventsLimit;
  /** How many commands an append has, 4,000 when absent. */
  readonly batchCommandsMax?: number;
  /** Whether an idle writer follows the others, true when absent: without it the next command reads what they wrote. */
  readonly followsIdle?: boolean;
  readonly keyIndex: KeyIndex;
  readonly clock: JournalClock;
  readonly turn?: WritingTurn;
  readonly snapshots?: SnapshotSource;
  /** How the journal is read when the state is built; when absent, from the store. */
  readonly journal?: JournalSource;
  /** How metadata is written, 1 when absent: a journal is read in both, but by earlier releases in the first alone. */
  readonly envelope?: EnvelopeVersion;
  /** The private key to a public one (64 hex digits), where this installation has it: a signed journal needs it. */
  readonly signerFor?: (publicKey: string) => JournalSigner | undefined;
  /** Starts without the private key of now: of all commands a new beginning alone can be signed then. */
  readonly isKeyLost?: boolean;
  /** Which signed journal is ours. */
  readonly trust?: JournalTrust | undefined;
  /** Called when the writer halts, once for each reason. */
  readonly onHalt?: (reason: Error) => void;
  readonly queueMax?: number;
  /** The first pause before an append is repeated (20 ms when absent); it doubles up to a second. */
  readonly retryMs?: number;
  /** The state can no longer be trusted and could not be rebuilt: the process must end. */
  readonly onFatal?: (error: unknown) => void;
  /** Told while the journal is read at the start: how far. */
  readonly onProgress?: (revision: number) => void;
}

/** Figures since the start, for metrics. */
export interface WriterStats {
  appends: number;
  events: number;
  conflicts: number;
  retries: number;
}

/** A durable batch, for metrics. Times are milliseconds of `performance.now()`. */
export interface SettledBatch {
  readonly commands: number;
  /** 0 where all were refused or repeated: nothing was appended then. */
  readonly events: number;
  readonly sentAtMs: number;
  readonly settledAtMs: number;
  /** What was decided in it, refusals too. */
  requests(): CommandRequest[];
}

/** Its functions must not throw and must be fast. */
export interface LedgerListener {
  /** Called for every batch before its commands are answered. */
  readonly onBatch?: (batch: SettledBatch) => void;
  /**
   * Called with the journal's new durable events, this writer's own and others', in order; not with those that the
   * state is built from.
   */
  readonly onEvents?: (events: readonly JournalEvent[]) => void;
}

/**
 * The only way into the journal (rule ledger-22): group commit with at most one append in flight, while the next batch
 * is decided on an overlay. Answers wait until they are durable. Any number of servers may write: the expected revision
 * prevents conflicts.
 */
export class LedgerWriter implements Ledger {
  readonly stats: WriterStats = { appends: 0, events: 0, conflicts: 0, retries: 0 };
  private readonly listeners = new Set<LedgerListener>();
  private state = new LedgerState();
  private readonly undo = new UndoLog();
  /** The last head that is known to be durable. */
  private durable: JournalHead = EMPTY_HEAD;
  private readonly queue = new CommandQueue();
  private readonly lookups: KeyLookups;
  private readonly stream: string;
  private readonly journal: JournalSource;
  /** Decided on the overlay, waiting for the append in flight. */
  private next: Batch | undefined;
  private inFlight: Batch | undefined;
  private recovering = false;
  /** The state is lost: nothing is decided any more. */
  private failed = false;
  /** Why the writer halted: the journal continues with events that must not be followed. It looks again regularly. */
  private halt: Error | undefined;
  private haltedAt = 0;
  /** Until this time (`performance.now()`) every batch waits for its turn, because others also write. */
  private sharedUntil = 0;
  private hasTurn = false;
  private scheduled = false;
  private running = false;
  private lastLook = 0;
  /** Counts the calls that failed: after each, another store may have replaced the one we knew. */
  private outages = 0;
  /** As many had failed when the journal's end was last asked for. */
  private outagesAtLook = 0;
  /** How often the state was built. */
  private loads = 0;
  private batchBytesMax = BATCH_BYTES_MAX;
  private appendsAtSweep = 0;
  private timer: NodeJS.Timeout | undefined;
  private idle: (() => void) | undefined;

  constructor(private readonly options: LedgerWriterOptions) {
    this.stream = options.stream ?? LEDGER_STREAM;
    this.journal = new StoreJournal(options.store, { trust: options.trust, stream: this.stream });
    const footing = () => ({ loads: this.loads, revision: this.durable.revision });
    this.lookups = new KeyLookups(options.keyIndex, footing, (pendings) => {
      if (pendings.length === 0) this.outages += 1;
      this.enqueue(pendings);
    });
  }

  /** From now on, until what is returned is called. */
  listen(listener: LedgerListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get revision(): number {
    return this.durable.revision;
  }

  /** How far the journal was read here, and checked. */
  get head(): JournalHead {
    return this.durable;
  }

  /** Why nothing is written for now, in a sentence; undefined while all is well. */
  get halted(): string | undefined {
    return this.halt?.message;
  }

  /** Whose signatures hold now; undefined while the journal is not signed. */
  get signing(): Signing | undefined {
    return this.state.signing;
  }

  /** Journal time: that of the last event, in milliseconds since 1970. */
  get journalTime(): number {
    return this.state.time;
  }

  /** Commands that wait or are under way. */
  get backlog(): number {
    return (
      this.queue.size + this.lookups.size + (this.next?.decided.length ?? 0) + (this.inFlight?.decided.length ?? 0)
    );
  }

  /** @throws SigningKeyMissing, SigningUnknown the journal is signed by a key that is not here, or not by whom we know */
  async start(): Promise<void> {
    await this.load();
    this.requireSigner();
    this.running = true;
    this.timer = setInterval(() => this.sweep(), SWEEP_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.running = false;
    if (this.backlog > 0) await new Promise<void>((resolve) => (this.idle = resolve));
    clearInterval(this.timer);
  }

  execute(request: CommandRequest): Promise<CommandOutcome> {
    if (!this.running) return Promise.reject(new LedgerBusy('The ledger is not taking commands right now.'));
    if (this.halt) return Promise.reject(halted());
    if (!this.options.clock.ready) return Promise.reject(new LedgerBusy('The ledger is checking its clock.'));
    if (this.backlog >= (this.options.queueMax ?? QUEUE_MAX)) {
      return Promise.reject(new LedgerBusy('Too many commands are waiting. Nothing was done: try again in a moment.'));
    }
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + (request.timeoutMs ?? DEADLINE_MS);
      this.enqueue([new Pending(request, keyUnderTest(request), deadline, resolve, reject)]);
    });
  }

  /** Asked as late as possible, because earlier commands may push keys out of the window. */
  private needsIndex({ key, index }: Pending): boolean {
    if (key === undefined || index?.loads === this.loads || !this.state.keys.evicted) return false;
    return judgeKey(this.state, key).status === 'look-up';
  }

  private enqueue(pendings: readonly Pending[]): void {
    for (const pending of pendings) this.queue.push(pending);
    this.schedule();
  }

  /** Commands that arrive in one turn of the event loop are decided together. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.work();
    });
  }

  private work(): void {
    if (this.failed) this.queue.rejectAll(stopped());
    if (this.halt) this.queue.rejectAll(halted());
    if (this.failed && this.backlog === 0) this.idle?.();
    if (this.recovering || this.failed) return;
    // The caller of a command that was given up before it was sent was told that nothing was done.
    if (!this.inFlight && this.next?.decided.some(([pending]) => pending.settled)) this.takeBack(this.next);
    const mayDecide = performance.now() >= this.sharedUntil || (this.hasTurn && !this.inFlight);
    if (mayDecide) this.fillNext();
    else if (!this.inFlight && !this.next && this.queue.size > 0) void this.takeTurn();
    if (!this.inFlight && this.next) void this.send(this.next);
    else if (!this.inFlight) this.passTurn();
    if (this.backlog === 0) this.idle?.();
  }

  /** A turn is one batch, decided on the others' latest events. */
  private takeTurn(): Promise<void> {
    return this.whileRecovering(async () => {
      const read = await this.turn.take(Math.max(this.durable.revision, 0));
      this.hasTurn = true;
      await this.catchUp(read && journalOf(read, { trust: this.options.trust }));
    });
  }

  private passTurn(): void {
    if (!this.hasTurn) return;
    this.hasTurn = false;
    this.turn.pass();
  }

  private get turn(): WritingTurn {
    return this.options.turn ?? noTurns;
  }

  private fillNext(): void {
    const now = this.options.clock.now();
    const { batchCommandsMax = BATCH_COMMANDS_MAX } = this.options;
    for (;;) {
      const batch = this.next;
      if (batch && (batch.bytes >= this.batchBytesMax || batch.decided.length >= batchCommandsMax)) return;
      // An event of another key begins another range.
      if (batch?.signing && batch.signing !== this.state.signing) return;
      const pending = this.queue.shift();
      if (!pending) return;
      if (pending.settled) continue;
      if (this.needsIndex(pending)) {
        this.lookups.add(pending);
        continue;
      }
      const open = batch ?? this.newBatch(pending);
      decideInto(open, this.state, this.undo, pending, now);
      // A batch in which every command failed needs no append and no confirmation.
      if (open.decided.length > 0) this.next = open;
    }
  }

  private newBatch({ request }: Pending): Batch {
    const { signing } = this.state;
    const isSigned = signing !== undefined || beginsSigning(request.command.type);
    const envelope = isSigned ? 2 : (this.options.envelope ?? 1);
    return new Batch(this.inFlight?.head ?? this.durable, envelope, signing, this.options.eventsLimit);
  }

  /** Signs what of a batch is to be signed, once: its append may be repeated. */
  private seal({ events, from, head, signing: before }: Batch): void {
    const { signing: after } = this.state;
    // A change of the key is signed by the one before, a beginning by its own.
    const signing = after && after.since <= head.revision ? after : before;
    if (!signing) return;
    const first = Math.max(from.revision + 1, signing.since);
    const sealed = this.options
      .signerFor?.(signing.publicKey)
      ?.seal(signing.journal, first, events.slice(first - from.revision - 1));
    if (!sealed) throw new SigningKeyMissing(signing);
    events.splice(-1, 1, sealed);
  }

  /** Makes a batch durable and answers its commands. After a lost race, undecided commands begin again. */
  private async send(batch: Batch): Promise<void> {
    this.inFlight = batch;
    this.next = undefined;
    const sentAtMs = performance.now();
    for (const pending of batch.pendings) pending.sent = false;
    try {
      if (batch.events.length) {
        this.seal(batch);
        await this.append(batch);
      } else {
        await this.confirm(batch);
      }
    } catch (error) {
      this.inFlight = undefined;
      await this.recover(batch, error);
      return;
    }
    this.tellBatch({
      commands: batch.decided.length,
      events: batch.events.length,
      sentAtMs,
      settledAtMs: performance.now(),
      requests: () => batch.pendings.map(({ request }) => request),
    });
    this.acknowledge(batch);
    this.work();
  }

  /**
   * Appends until the outcome is known. After a time-out or a broken connection the identical batch is sent at the same
   * revision: this succeeds if it had been written, and only a conflict proves that it had not. After a failure the
   * writer first checks the journal's end, because the expected revision alone would also fit a stand-by that lost our
   * last events.
   */
  private async append(batch: Batch): Promise<void> {
    const expected = batch.from.revision < 0 ? 'none' : batch.from.revision;
    let mayBeWritten = false;
    for (let attempt = 0; ; attempt++) {
      try {
        await this.lookAfterOutages(batch.from);
        if (batch.pendings.some(({ settled, sent }) => settled && !sent)) throw new GivenUp();
        for (const pending of batch.pendings) pending.sent = true;
        await (this.turn.append(batch.events, expected) ??
          this.options.store.append(this.stream, batch.events, expected));
        this.stats.appends += 1;
        this.stats.events += batch.events.length;
        return;
      } catch (error) {
        // Written or not, it was so in a journal that is gone: no conflict says that it may be decided again.
        if (error instanceof ForeignJournal && attempt > 0) {
          throw new AppendOutcomeUnknown(error.message, { cause: error });
        }
        // Refused as too large now, and perhaps written before, by a server that took as much.
        if (error instanceof AppendTooLarge && mayBeWritten) {
          throw new AppendOutcomeUnknown(error.message, { cause: error });
        }
        if (!(error instanceof AppendOutcomeUnknown) && !(error instanceof StoreUnavailable)) throw error;
        mayBeWritten ||= error instanceof AppendOutcomeUnknown;
        this.outages += 1;
        this.stats.retries += 1;
        await this.pauseBefore(attempt);
      }
    }
  }

  /**
   * Looks at the journal's end if a call failed since it was last asked for, and again if one fails meanwhile: what answers
   * may be the store of before.
   */
  private async lookAfterOutages(from: JournalHead): Promise<void> {
    while (this.outagesAtLook !== this.outages) {
      const { outages } = this;
      await this.readHeadFrom(from);
      this.outagesAtLook = outages;
    }
  }

  /** A batch without events rests on the head: read it after the commands arrived, and decide again if it has moved. */
  private async confirm(batch: Batch): Promise<void> {
    const { revision } = await this.readHeadFrom(batch.from);
    if (revision > batch.from.revision) throw new WrongExpectedRevision(this.stream, batch.from.revision, revision);
  }

  /** @throws ForeignJournal it ends before the head that we come from, or there with another event */
  private async readHeadFrom(from: JournalHead): Promise<JournalHead> {
    const head = await this.untilAvailable(() => this.lookAtHead());
    if (head.revision > from.revision || head.hash === from.hash) return head;
    throw new ForeignJournal(`the journal ends at ${head.revision}`);
  }

  private pauseBefore(attempt: number): Promise<void> {
    const ms = Math.min((this.options.retryMs ?? RETRY_MS) * 2 ** attempt, RETRY_MS_MAX);
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** Retries while the store is away. */
  private async untilAvailable<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await this.pauseBefore(attempt);
      }
    }
  }

  private async lookAtHead(): Promise<JournalHead> {
    const last = await this.options.store.head(this.stream);
    this.lastLook = performance.now();
    return last ? { revision: last.revision, hash: hashOf(last.metadata) } : EMPTY_HEAD;
  }

  private acknowledge(batch: Batch): void {
    this.inFlight = undefined;
    this.passTurn();
    this.durable = batch.head;
    this.lastLook = performance.now();
    this.undo.forget(batch.undoSteps);
    this.state.settleKeys(batch.evictions);
    if (batch.events.length > 0 && this.listeners.size > 0) this.tellEvents(batch.written());
    for (const [pending, decided] of batch.decided) this.answer(pending, decided);
  }

  private tellBatch(batch: SettledBatch): void {
    for (const { onBatch } of this.listeners) onBatch?.(batch);
  }

  private tellEvents(events: readonly JournalEvent[]): void {
    for (const { onEvents } of this.listeners) onEvents?.(events);
  }

  private answer(pending: Pending, decided: Decided): void {
    switch (decided.kind) {
      case 'accepted': {
        const { kind: _, ...accepted } = decided;
        pending.resolve({ status: 'accepted', repeated: false, ...accepted });
        return;
      }
      case 'refused':
        pending.resolve({ status: 'refused', rejection: decided.rejection, revision: decided.revision });
        return;
      case 'reused':
        pending.resolve({ status: 'key-reused' });
        return;
      case 'repeat':
        this.readCommand(decided.revision).then(
          (events) => pending.resolve(repeatOf(events, decided.revision)),
          (error: unknown) => {
            this.outages += 1;
            pending.reject(new LedgerOutcomeUnknown('The earlier answer could not be read.', { cause: error }));
          },
        );
    }
  }

  /** The events of the command whose first event is at a revision. */
  private async readCommand(revision: number): Promise<JournalEvent[]> {
    const first = await this.readEvents(revision, 2);
    const count = first[0]?.event.part?.[1] ?? 1;
    if (count <= 2) return first.slice(0, count);
    return [...first, ...(await this.readEvents(revision + 2, count - 2))];
  }

  private async readEvents(from: number, limit: number): Promise<JournalEvent[]> {
    const events: JournalEvent[] = [];
    for await (const batch of this.options.store.readStream(this.stream, { from, limit })) {
      for (const recorded of batch) events.push(journalEventOf(recorded));
    }
    return events;
  }

  /** Drops the overlay and puts all unanswered commands of these batches back in front. */
  private takeBack(...batches: readonly Batch[]): Pending[] {
    this.undo.rollback();
    const unanswered = batches.flatMap(({ pendings }) => pendings).filter(({ settled }) => !settled);
    this.next = undefined;
    this.queue.putBack(unanswered);
    return unanswered;
  }

  /** Nothing of it was written: it is decided anew, in smaller batches, and a command that is too large by itself is refused. */
  private cutSmaller(batch: Batch): void {
    const writing = batch.decided.filter(([{ request }, { kind }]) => kind === 'accepted' && !request.dryRun);
    this.takeBack(batch, ...(this.next ? [this.next] : []));
    for (const pending of batch.pendings) pending.sent = false;
    this.batchBytesMax = Math.max(1, Math.floor(Math.min(this.batchBytesMax, batch.bytes) / 2));
    const [only, another] = writing;
    if (only && !another) this.answer(only[0], tooLarge(batch.from.revision));
  }

  private recover(batch: Batch, error: unknown): Promise<void> {
    if (error instanceof AppendTooLarge) {
      return this.whileRecovering(async () => this.cutSmaller(batch));
    }
    const unanswered = this.takeBack(batch, ...(this.next ? [this.next] : []));
    if (error instanceof GivenUp) return this.whileRecovering(() => Promise.resolve());
    this.passTurn();
    return this.whileRecovering(async () => {
      if (error instanceof WrongExpectedRevision) {
        this.stats.conflicts += 1;
        for (const pending of unanswered) pending.sent = false;
        // The next batch waits for its turn, and what others wrote is read then.
        this.sharedUntil = performance.now() + SHARED_MS;
        return;
      }
      if (!(error instanceof ForeignJournal)) {
        const unknown = new LedgerOutcomeUnknown('The ledger was interrupted. Repeat with the same key.', {
          cause: error,
        });
        // Unsent commands wait in the queue for a new state, but for those that nobody here can sign.
        for (const pending of unanswered) if (pending.sent) pending.reject(unknown);
        if (error instanceof SigningKeyMissing) for (const pending of batch.pendings) pending.reject(halted());
      }
      await this.untilAvailable(() => this.load());
    });
  }

  /** Takes no decisions meanwhile. A failure here leaves no state to decide on: the process must end. */
  private async whileRecovering(work: () => Promise<void>): Promise<void> {
    this.recovering = true;
    try {
      await work();
    } catch (failure) {
      this.running = false;
      this.failed = true;
      // What waits was never sent, or lost to another append: it is in no journal.
      this.queue.rejectAll(stopped());
      this.options.onFatal?.(failure);
    }
    this.recovering = false;
    this.schedule();
  }

  private async catchUp(journal = this.journal): Promise<void> {
    try {
      await this.untilAvailable(() => this.follow(journal));
    } catch (error) {
      if (!isPerhapsOfTwoStores(error)) throw error;
      await this.untilAvailable(() => this.load());
    }
  }

  private async follow(journal: JournalSource): Promise<void> {
    this.state.attach(undefined);
    const before = this.durable.revision;
    let news: JournalEvent[] = [];
    await this.followAsFarAsItGoes(
      journal,
      this.durable,
      (head) => {
        this.durable = head;
        if (news.length > 0) this.tellEvents(news);
        news = [];
      },
      (_state, event, { hash, revision }) => {
        if (this.listeners.size > 0) news.push({ id: eventIdOf(hash, revision), revision, event });
      },
    );
    this.state.attach(this.undo);
    this.lastLook = performance.now();
    if (this.durable.revision > before) this.sharedUntil = this.lastLook + SHARED_MS;
  }

  /** Up to the journal's end, or to where what follows is not ours or not whole: nothing is written from then on. */
  private async followAsFarAsItGoes(
    journal: JournalSource,
    from: JournalHead,
    onBatch: (head: JournalHead) => void,
    beforeEvent?: BeforeEvent,
  ): Promise<void> {
    try {
      this.durable = await followJournal(journal, this.state, from, onBatch, beforeEvent);
      this.halt = undefined;
      if (this.running) this.requireSigner();
    } catch (error) {
      if (!isReasonToHalt(error)) throw error;
      if (this.halt?.message !== error.message) this.options.onHalt?.(error);
      this.halt = error;
      this.haltedAt = performance.now();
      this.queue.rejectAll(halted());
    }
  }

  /** @throws SigningKeyMissing, SigningUnknown */
  private requireSigner(): void {
    const { signing } = this.state;
    const { trust } = this.options;
    // A journal that ends before it begins to be signed is not ours.
    const known = trust && signingAt(trust, Math.max(this.durable.revision + 1, trust[0]?.from ?? 0));
    const { signerFor, isKeyLost = false } = this.options;
    if (signing && !isKeyLost && !signerFor?.(signing.publicKey)) throw new SigningKeyMissing(signing);
    if (trust && !isSameSigning(signing, known)) throw new SigningUnknown(signing, known, this.durable.revision);
  }

  /** As `loadOnce`: a second time where a store perhaps replaced another meanwhile. */
  private async load(): Promise<void> {
    try {
      await this.loadOnce();
    } catch (error) {
      if (!isPerhapsOfTwoStores(error)) throw error;
      await this.loadOnce();
    }
  }

  /** Rebuilds the state from the newest snapshot that fits the journal, else from its first event. */
  private async loadOnce(): Promise<void> {
    const newest = await this.options.snapshots?.newest(this.options.store);
    const snapshot = newest && isOurs(newest, this.options.trust) ? newest : undefined;
    this.state = snapshot?.state ?? new LedgerState();
    this.loads += 1;
    const journal = this.options.journal ?? this.journal;
    this.durable = snapshot?.head ?? EMPTY_HEAD;
    await this.followAsFarAsItGoes(journal, this.durable, (head) => {
      this.durable = head;
      this.options.onProgress?.(head.revision);
    });
    this.state.indexKeys();
    this.state.attach(this.undo);
    this.lastLook = performance.now();
  }

  /** Ends commands at their deadline, and keeps an idle server close behind the others. */
  private sweep(): void {
    const now = performance.now();
    this.queue.expire(now);
    this.lookups.expire(now);
    for (const batch of [this.inFlight, this.next]) {
      for (const pending of batch?.pendings ?? []) {
        if (pending.deadline > now || pending.settled) continue;
        pending.reject(
          pending.sent
            ? new LedgerOutcomeUnknown('No answer came in time. Repeat with the same key: nothing happens twice.')
            : new LedgerBusy('The ledger is busy. Nothing was done. Try again in a moment.'),
        );
      }
    }
    const isIdle = this.backlog === 0 && !this.recovering && this.options.followsIdle !== false;
    if (isIdle && now - this.lastLook > FOLLOW_IDLE_MS) void this.followWhileIdle();
    const wrote = this.stats.appends > this.appendsAtSweep;
    this.appendsAtSweep = this.stats.appends;
    if (wrote && now >= this.sharedUntil) void this.lookForOthers();
  }

  /** A writer that always wins never notices the others, so it asks whether somebody waits. */
  private async lookForOthers(): Promise<void> {
    if (await this.turn.isWanted()) this.sharedUntil = performance.now() + SHARED_MS;
  }

  private async followWhileIdle(): Promise<void> {
    this.lastLook = performance.now();
    if (this.halt && this.lastLook - this.haltedAt < HALTED_LOOK_MS) return;
    let hash: string | undefined;
    try {
      ({ hash } = await this.lookAtHead());
    } catch (error) {
      // While the store is away there is nothing to follow: the next command finds out for itself.
      if (error instanceof StoreUnavailable) {
        this.outages += 1;
        return;
      }
      // It answers with an event that is none: reading on from here names it.
    }
    const isThere = hash === this.durable.hash && !this.halt;
    if (isThere || this.backlog > 0 || this.recovering) return;
    await this.whileRecovering(() => this.catchUp());
  }
}

/** The parts of one read may come from two stores, of which one replaced the other in between: they do not fit then. */
const isPerhapsOfTwoStores = (error: unknown): boolean =>
  error instanceof ForeignJournal || error instanceof BrokenChain;

const isReasonToHalt = (error: unknown): error is Error =>
  error instanceof ForgedEvent ||
  error instanceof TornJournal ||
  error instanceof SigningKeyMissing ||
  error instanceof SigningUnknown;

const halted = (): JournalStopped =>
  new JournalStopped('The journal is not as it should be: nothing is written until somebody has looked at it.');

const stopped = (): LedgerBusy => new LedgerBusy('The ledger has stopped. Nothing was done: try again in a moment.');

/** Whether a snapshot is of the signed journal that is ours. */
function isOurs({ state, head }: LoadedSnapshot, trust: JournalTrust | undefined): boolean {
  return !trust || isSameSigning(state.signing, signingAfter(trust, head.revision));
}

function repeatOf(events: readonly JournalEvent[], revision: number): CommandOutcome {
  return { status: 'accepted', events, revision: events.at(-1)?.revision ?? revision, repeated: true };
}
