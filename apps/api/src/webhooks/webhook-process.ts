import { Inject, Injectable } from '@nestjs/common';
import {
  decodeLedgerEvent,
  LEDGER_STREAM,
  TEST_EVENTS_AT_FIRST,
  TEST_LEDGER_STREAM_PREFIX,
  testDataOf,
} from '@app/domain';
import { type EventStore, type RecordedEvent, upcast } from '@app/event-store';
import type { Pool, PoolClient } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { EVENT_STORE } from '../platform/journal/injected-journal.js';
import { followAfter, followedIn, JournalFollower } from '../platform/journal/journal-follower.js';
import { isUuid } from '../platform/uuid.js';
import { factsOfLedger, type WebhookFact } from './facts-of-ledger.js';
import { queueFacts } from './queue-deliveries.js';

/** Any number: one process of an installation follows the journal for webhooks. */
const PROCESS_LOCK = 7_266_182_021;
const TABLE = 'webhook_process';
const REST_MS = 50;

/** Queues what applications are told of the events of the ledger and of test ledgers (rules webhooks-2, webhooks-10). */
@Injectable()
export class WebhookProcess extends JournalFollower {
  constructor(@InjectPool() pool: Pool, @Inject(EVENT_STORE) store: EventStore) {
    super(pool, store, {
      purpose: 'webhooks',
      table: TABLE,
      name: 'webhooks',
      lock: PROCESS_LOCK,
      streamPrefixes: [LEDGER_STREAM, TEST_LEDGER_STREAM_PREFIX],
      restMs: REST_MS,
    });
  }

  /** Without endpoints there is nobody to tell, and the events are not even decoded. */
  protected override async take(batch: readonly RecordedEvent[], client: PoolClient): Promise<void> {
    const { rows } = await client.query('select from webhook_endpoints limit 1');
    if (rows.length === 0) return;
    const facts = batch.flatMap((recorded) => this.factsOf(recorded));
    await queueFacts(async (sql, values) => (await client.query(sql, values)).rows, facts);
  }

  private factsOf(recorded: RecordedEvent): WebhookFact[] {
    const { type, data, id, stream, revision } = recorded;
    const testData = testDataOf(stream);
    if (stream !== LEDGER_STREAM && !testData) return [];
    // What made-up members have at first is no change.
    if (testData && revision < TEST_EVENTS_AT_FIRST) return [];
    const facts = this.readOr(recorded, [], () => factsOfLedger(decodeLedgerEvent(type, upcast(type, data)), id));
    return facts
      .filter(({ memberId }) => memberId === undefined || isUuid(memberId))
      .map((fact) => (testData ? { ...fact, ...testData } : fact));
  }
}

export const followedForWebhooks = (client: PoolClient): Promise<bigint> => followedIn(client, TABLE);
export const followForWebhooksAfter = (client: PoolClient, position: bigint): Promise<void> =>
  followAfter(client, TABLE, position);
