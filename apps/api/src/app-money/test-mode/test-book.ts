import {
  type LedgerEvent,
  LedgerState,
  Money,
  type Rejection,
  TEST_EVENTS_AT_FIRST,
  TEST_EVENTS_MAX,
  type TestData,
  testStreamOf,
} from '@app/domain';
import type { EventStore } from '@app/event-store';
import {
  type CommandOutcome,
  type CommandRequest,
  EMPTY_HEAD,
  type EnvelopeVersion,
  eventIdOf,
  followJournal,
  type JournalClock,
  type JournalHead,
  type KeyIndex,
  type Ledger,
  LedgerWriter,
  StoreJournal,
} from '@app/ledger';
import { type AppMovement, type AppMovementRow, appMovement } from '@app/projections';
import { expectAccepted } from '../../platform/errors/rejections.js';

/** Whose book it is: the ids of a test client, and of its made-up developer and members. */
export interface TestParties extends TestData {
  readonly developerId: string;
  readonly memberIds: readonly string[];
}

export interface TestBookOptions {
  readonly store: EventStore;
  readonly clock: JournalClock;
  readonly envelope: EnvelopeVersion;
  readonly parties: TestParties;
  /** `TEST_EVENTS_MAX` when absent. */
  readonly eventsMax?: number | undefined;
  /** It can no longer be trusted: another is to be opened. */
  readonly onBroken: () => void;
}

/** A movement through the application, with its place in the stream. */
export type TestMovement = AppMovementRow & { readonly revision: number };

/** A key that took effect. */
interface KeyUse {
  readonly fingerprint: string;
  readonly revision: number;
}

/**
 * The ledger of an application's test mode, and what is read of it: the same writer with the same rules as the journal's, on
 * a stream of the application's own (rule apps-11). Reads come from the stream, so that every server shows the same.
 */
export class TestBook implements KeyIndex {
  private readonly writer: LedgerWriter;
  private readonly journal: StoreJournal;
  private state = new LedgerState();
  private head: JournalHead = EMPTY_HEAD;
  private readonly moved: TestMovement[] = [];
  private readonly keys = new Map<string, KeyUse>();
  /** One read at a time goes on. */
  private reading: Promise<void> = Promise.resolve();

  private constructor(private readonly options: TestBookOptions) {
    const { store, clock, envelope, parties, eventsMax = TEST_EVENTS_MAX } = options;
    const stream = testStreamOf(parties);
    this.journal = new StoreJournal(store, { stream });
    this.writer = new LedgerWriter({
      store,
      stream,
      clock,
      envelope,
      eventsLimit: { max: eventsMax, rejection: tooMany(eventsMax) },
      keyIndex: this,
      followsIdle: false,
      // A bulk fills what a signed append may hold.
      batchCommandsMax: 1,
      onFatal: options.onBroken,
    });
  }

  /** Opens it, with what its members begin with. */
  static async open(options: TestBookOptions): Promise<TestBook> {
    const book = new TestBook(options);
    await book.writer.start();
    if (book.writer.revision + 1 < TEST_EVENTS_AT_FIRST) await book.begin();
    return book;
  }

  close(): Promise<void> {
    return this.writer.stop();
  }

  /** @throws LedgerBusy, LedgerOutcomeUnknown as every ledger does */
  execute(request: CommandRequest): Promise<CommandOutcome> {
    return this.writer.execute(request);
  }

  get revision(): Ledger['revision'] {
    return this.writer.revision;
  }

  /** The balances, as of now. */
  async balances(): Promise<LedgerState> {
    await this.read();
    return this.state;
  }

  /** Every movement through the application, oldest first. */
  async movements(): Promise<readonly TestMovement[]> {
    await this.read();
    return this.moved;
  }

  /** What a member spent and transferred since midnight UTC, in minor units. */
  async spentToday(userId: string): Promise<bigint> {
    await this.read();
    return this.state.spentToday(userId, this.options.parties.clientId, this.options.clock.now());
  }

  /** Keys that left the writer's window: all that the stream ever had. */
  async find(hashes: readonly string[]): ReturnType<KeyIndex['find']> {
    await this.read();
    const found = new Map<string, KeyUse>();
    for (const hash of hashes) {
      const use = this.keys.get(hash);
      if (use) found.set(hash, use);
    }
    return { through: this.head.revision, found };
  }

  private read(): Promise<void> {
    this.reading = this.reading.catch(() => undefined).then(() => this.readNext());
    return this.reading;
  }

  private async readNext(): Promise<void> {
    // Batch by batch: where a read breaks off, the next one goes on from what was taken.
    const onBatch = (head: JournalHead): void => {
      this.head = head;
    };
    await followJournal(this.journal, this.state, this.head, onBatch, (_, event, { hash, revision }) => {
      this.take(event, eventIdOf(hash, revision), revision);
    });
  }

  private take(event: LedgerEvent, id: string, revision: number): void {
    if (event.key) this.keys.set(event.key.hash, { fingerprint: event.key.fingerprint, revision });
    const movement = appMovement(event);
    if (movement) this.moved.push(rowOf(movement, { id, revision, at: event.at }));
  }

  /** Under keys of their own: servers that open it at once, and one that finds it half begun, do each thing once. */
  private async begin(): Promise<void> {
    const { developerId, clientId, memberIds } = this.options.parties;
    const [ada = '', ben = ''] = memberIds;
    const buy = (userId: string, nova: number, paymentIntentId: string) =>
      ({
        type: 'RecordPurchase',
        userId,
        amount: Money.fromNumber(nova).minor,
        paymentIntentId,
        chargedCents: (nova * CENTS_PER_DOLLAR) / NOVA_PER_DOLLAR,
        livemode: false,
      }) as const;
    const grant = (userId: string, nova: number) =>
      ({ type: 'GrantNova', userId, adminId: 'test-mode', amount: Money.fromNumber(nova).minor }) as const;
    const commands = [
      buy(ada, 10_000, 'test-ada'),
      grant(ada, 2_500),
      grant(ben, 100),
      buy(developerId, 100_000, 'test-developer'),
      {
        type: 'FundAppWallet',
        clientId,
        ownerId: developerId,
        amount: Money.fromNumber(50_000).minor,
      } as const,
    ];
    for (const [place, command] of commands.entries()) {
      expectAccepted(
        await this.writer.execute({ command, actor: 'process', key: { scope: 'fact', value: `test-mode:${place}` } }),
      );
    }
  }
}

const tooMany = (eventsMax: number): Rejection => ({
  code: 'TEST_EVENTS_LIMIT',
  message: `The test data of this application has ${eventsMax.toLocaleString('en-US')} events, the most that it may have. Its developer can reset it in the Developer Portal.`,
});

const CENTS_PER_DOLLAR = 100;
const NOVA_PER_DOLLAR = 1_250;

const rowOf = (
  { type, userId, amount, recipientId, noteId }: AppMovement,
  { id, revision, at }: { readonly id: string; readonly revision: number; readonly at: number },
): TestMovement => ({ id, revision, type, userId, amount, recipientId, noteId, createdAt: new Date(at) });
