import type { LedgerWriter } from '@app/ledger';
import type { ProjectionRunner, ReadModel } from '@app/projections';
import type { Pool } from 'pg';
import type { Faults } from './faults.js';
import { Link } from './link.js';
import type { Load, Plant } from './loader.js';
import type { SimulatedDatabase } from './simulated-database.js';
import { type SimulatedPg, simulatedPg } from './simulated-pg.js';
import { OWNED_BY_SERVERS, SimulatedProcess } from './simulated-process.js';
import type { SimulatedProvider } from './simulated-provider.js';
import type { SimulatedSnapshots } from './simulated-snapshots.js';
import type { SimulatedStore } from './simulated-store.js';
import type { World } from './world.js';

export interface ServerOptions {
  readonly world: World;
  readonly faults: Faults;
  readonly store: SimulatedStore;
  readonly database: SimulatedDatabase;
  readonly provider: SimulatedProvider;
  readonly snapshots: SimulatedSnapshots;
  /** The read models that its release has in another form than the release before. */
  readonly changedModels: ReadonlySet<string>;
  readonly root: string;
  /** Loads what simulated processes share. */
  readonly load: Load;
  readonly plant?: Plant | undefined;
  readonly wallMs: () => number;
  /** Its state can no longer be trusted. */
  readonly onFatal: (error: unknown) => void;
}

const URL = 'postgres://simulated';
const ENVELOPE = 2;

/** A whole server: the product's own parts, put together as its modules do, without HTTP, sockets and threads. */
export class SimulatedServer {
  readonly process: SimulatedProcess;
  readonly link: Link;
  readonly writer: LedgerWriter;
  readonly runner: ProjectionRunner;
  /** The read models of its release. */
  readonly models: readonly ReadModel[];
  readonly pool: Pool;
  /** The driver as this process has it. */
  readonly pg: SimulatedPg;
  readonly changedModels: ReadonlySet<string>;
  readonly parts: ReturnType<typeof assemble>;
  isReady = false;

  constructor(private readonly options: ServerOptions) {
    const { world, faults, store, database, snapshots, changedModels, onFatal, wallMs } = options;
    let driver: object | undefined;
    this.process = new SimulatedProcess({
      ...options,
      owned: OWNED_BY_SERVERS,
      modules: (process) => ({ pg: (driver = simulatedPg({ world, process, faults, database })) }),
    });
    const { process } = this;
    this.pg = driver as unknown as SimulatedPg;
    this.link = new Link({ world, process, faults, store });
    const ledger = process.load('libs/ledger/src/index.ts') as typeof import('@app/ledger');
    const projections = process.load('libs/projections/src/index.ts') as typeof import('@app/projections');
    const { openPool } = process.load('libs/event-store/src/index.ts') as typeof import('@app/event-store');
    this.pool = openPool({ connectionString: URL, max: 20 });
    this.changedModels = changedModels;
    this.models = projections.readModels.map((model) =>
      changedModels.has(model.name) ? { ...model, version: model.version + 1 } : model,
    );
    this.runner = new projections.ProjectionRunner({
      store: this.link,
      connectionString: URL,
      models: this.models,
    });
    const clock = { now: wallMs, ready: true };
    this.writer = new ledger.LedgerWriter({
      store: this.link,
      envelope: ENVELOPE,
      keyIndex: new projections.KeyIndexQueries(this.pool),
      snapshots: snapshots.sourceFor(this.link, ledger.holdsHead),
      clock,
      onFatal: (error) => {
        onFatal(error);
        process.kill();
      },
    });
    this.parts = assemble(this, options);
  }

  async start(): Promise<void> {
    await this.writer.start();
    await this.runner.start();
    for (const each of this.parts.rounds) each.onApplicationBootstrap();
    this.parts.reconciler.start();
    this.isReady = true;
  }
}

function assemble({ process, link, writer, runner, pool }: SimulatedServer, { wallMs, provider }: ServerOptions) {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the type of the module that is named
  const api = <M>(file: string): M => process.load(`apps/api/src/${file}.ts`) as M;
  const clock = { now: wallMs };
  const open = { clock } as never;

  const { StreamMetadata } = api<typeof import('../../apps/api/src/platform/journal/stream-metadata.js')>(
    'platform/journal/stream-metadata',
  );
  const { DecidedStreams } = api<typeof import('../../apps/api/src/platform/journal/decided-streams.js')>(
    'platform/journal/decided-streams',
  );
  const { AccountErasure } =
    api<typeof import('../../apps/api/src/platform/account-erasure.js')>('platform/account-erasure');
  const { IdentityChanges } =
    api<typeof import('../../apps/api/src/identity/identity-changes.js')>('identity/identity-changes');
  const { MemberDirectory } =
    api<typeof import('../../apps/api/src/identity/member-directory.js')>('identity/member-directory');
  const members = api<typeof import('../../apps/api/src/members/member-relations.js')>('members/member-relations');
  const { ReadModels } = api<typeof import('../../apps/api/src/wallet/read-models.js')>('wallet/read-models');
  const metadata = new StreamMetadata(ENVELOPE);
  const streams = new DecidedStreams(link, open, runner, metadata);
  const changes = new IdentityChanges(pool, undefined as never);
  const directory = new MemberDirectory(pool, changes);
  const memberStore = new members.MemberStore(streams);
  const relations = new members.MemberRelations(pool, streams, memberStore, directory);
  const money = new ReadModels(pool, runner);

  const { ChatStore } = api<typeof import('../../apps/api/src/chats/chat-store.js')>('chats/chat-store');
  const { ChatSettlement } = api<typeof import('../../apps/api/src/chats/chat-settlement.js')>('chats/chat-settlement');
  const { ChatReadModels } =
    api<typeof import('../../apps/api/src/chats/chat-read-models.js')>('chats/chat-read-models');
  const { ChatPairs } = api<typeof import('../../apps/api/src/chats/chat-pairs.js')>('chats/chat-pairs');
  const { ChatBlocks } = api<typeof import('../../apps/api/src/chats/chat-blocks.js')>('chats/chat-blocks');
  const { AccountClosings } = api<typeof import('../../apps/api/src/chats/process/account-closings.js')>(
    'chats/process/account-closings',
  );
  const { ChatProcess } =
    api<typeof import('../../apps/api/src/chats/process/chat-process.js')>('chats/process/chat-process');
  const { ChatSweeper } =
    api<typeof import('../../apps/api/src/chats/process/chat-sweeper.js')>('chats/process/chat-sweeper');
  const { ChatAccess } = api<typeof import('../../apps/api/src/chats/chat-access.js')>('chats/chat-access');
  const { ChatCommands } = api<typeof import('../../apps/api/src/chats/chat-commands.js')>('chats/chat-commands');
  const { ChatPartiesDirectory } = api<typeof import('../../apps/api/src/chats/chat-parties.js')>('chats/chat-parties');
  const { ChatReads } = api<typeof import('../../apps/api/src/chats/chat-reads.js')>('chats/chat-reads');
  const { ChatTexts } = api<typeof import('../../apps/api/src/chats/chat-texts.js')>('chats/chat-texts');
  const { ChatViews } = api<typeof import('../../apps/api/src/chats/chat-views.js')>('chats/chat-views');
  const { ChatMessages } = api<typeof import('../../apps/api/src/chats/chat-messages.js')>('chats/chat-messages');
  const { ChatSettingsStore } =
    api<typeof import('../../apps/api/src/profiles/chat-settings.js')>('profiles/chat-settings');
  const initiating =
    api<typeof import('../../apps/api/src/chats/commands/initiate-chat.js')>('chats/commands/initiate-chat');
  const chats = new ChatStore({ store: link, clock, metadata });
  const settlement = new ChatSettlement(writer, chats);
  const readModels = new ChatReadModels(pool, link, runner);
  const pairs = new ChatPairs(pool);
  const blocks = new ChatBlocks(pairs, chats, settlement, relations);
  const closings = new AccountClosings(pool, writer, chats, settlement, readModels, money);
  const access = new ChatAccess(chats);
  const commands = new ChatCommands(access, chats, settlement, readModels);
  const texts = new ChatTexts(pool);
  const views = new ChatViews(new ChatPartiesDirectory(directory), texts, new ChatReads(pool));
  const unlimited = { chatMessages: { take: () => undefined } } as never;
  const messages = new ChatMessages(access, chats, clock as never, texts, settlement, unlimited);
  const pairing = new initiating.ChatPairing(pairs, chats, settlement);
  const initiate = new initiating.InitiateChatHandler(
    writer,
    directory,
    new ChatSettingsStore(pool),
    blocks,
    pairing,
    chats,
    settlement,
    money,
    readModels,
    views,
  );

  const { Moderation } = api<typeof import('../../apps/api/src/admin/moderation.js')>('admin/moderation');
  const { AccountDeletions } =
    api<typeof import('../../apps/api/src/admin/account-deletions.js')>('admin/account-deletions');
  const { AccountDeletionSweeper } = api<typeof import('../../apps/api/src/admin/account-deletion-sweeper.js')>(
    'admin/account-deletion-sweeper',
  );
  const { AREA_TABLES } = api<typeof import('../../apps/api/src/schema.js')>('schema');
  const erasure = new AccountErasure(pool, AREA_TABLES);
  // oxlint-disable-next-line no-new -- it registers itself with the erasure
  new members.FollowsErasure(pool, memberStore, streams, erasure);
  const deletions = new AccountDeletions(pool, changes, new Moderation(streams), closings, erasure);

  const { PaymentStore } = api<typeof import('../../apps/api/src/payments/payment-store.js')>('payments/payment-store');
  const { Payments } = api<typeof import('../../apps/api/src/payments/payments.js')>('payments/payments');
  const { PurchaseSettlement } =
    api<typeof import('../../apps/api/src/payments/purchase-settlement.js')>('payments/purchase-settlement');
  const { PaymentReconciler } = api<typeof import('../../apps/api/src/payments/reconciler.js')>('payments/reconciler');
  const { CreatePaymentIntentHandler } = api<
    typeof import('../../apps/api/src/payments/commands/create-payment-intent.js')
  >('payments/commands/create-payment-intent');
  const { VerifiedLedger } = process.load('libs/ledger/src/index.ts') as typeof import('@app/ledger');
  const { BooksStream } = api<typeof import('../../apps/api/src/finance/general-ledger/books-stream.js')>(
    'finance/general-ledger/books-stream',
  );
  const { ProviderMovements } = api<typeof import('../../apps/api/src/finance/general-ledger/provider-movements.js')>(
    'finance/general-ledger/provider-movements',
  );
  const { Reconciling } = api<typeof import('../../apps/api/src/payments/reconciliation/reconciling.js')>(
    'payments/reconciliation/reconciling',
  );
  const gateway = provider.gatewayOf(process);
  const paymentStore = new PaymentStore(pool);
  const purchases = new PurchaseSettlement(gateway, paymentStore, writer);
  const payments = new Payments({ gateway: gateway as never, settlement: purchases, mode: { kind: 'sandbox' } });
  const verified = new VerifiedLedger(link, () => writer.head);
  const movements = new ProviderMovements(new BooksStream(link, verified, runner, metadata, pool));
  const reconciling = new Reconciling(payments, link, verified, writer, pool, metadata, movements);

  return {
    rounds: [
      new ChatProcess(pool, link, settlement, readModels, relations, blocks),
      new ChatSweeper(chats, settlement, readModels, closings),
      new AccountDeletionSweeper(deletions),
      reconciling,
    ],
    reconciling,
    reconciler: new PaymentReconciler(payments, paymentStore),
    createIntent: new CreatePaymentIntentHandler(payments, paymentStore),
    purchases,
    /** As the admin's order does it: answered once the ledger takes nothing more for the account. */
    deleteAccount: async (order: Parameters<typeof deletions.order>[0]): Promise<void> => {
      const { accountId } = order;
      if (!(await deletions.order(order)) && !(await deletions.isClosing(accountId))) return;
      await deletions.closeInLedger(accountId);
      await deletions.goOn(accountId);
    },
    chats: { initiate, commands, messages },
  };
}
