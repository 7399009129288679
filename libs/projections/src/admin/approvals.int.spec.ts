import { randomUUID } from 'node:crypto';
import { encodeModerationEvent, type ModerationEvent, moderationStream } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recomputeReadModels } from '../rebuild/recompute.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { projectionMigrations } from '../schema.js';
import { approvals } from './approvals.js';

jest.setTimeout(60_000);

const AT = 1_768_478_400_000;
const MODELS = [approvals];

describe('the read model of acts that wait for a second admin', () => {
  let database: TestDatabase;
  let store: MemoryEventStore;

  beforeAll(async () => {
    database = await createTestDatabase('approval_models');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    store = new MemoryEventStore();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const record = (target: string, event: ModerationEvent) =>
    store.append(
      moderationStream(target),
      [{ id: randomUUID(), type: event.type, data: encodeModerationEvent(event), metadata: '{}' }],
      'any',
    );

  async function project(): Promise<void> {
    const errors: unknown[] = [];
    const logger = { info: () => undefined, error: (...problem: unknown[]) => errors.push(problem) };
    const runner = new ProjectionRunner({ store, connectionString: database.url, models: MODELS, logger });
    await runner.start();
    let last = -1n;
    for await (const batch of store.readAll({ direction: 'backwards', limit: 1 })) last = batch[0]?.position ?? -1n;
    await runner.waitForPosition(['approvals'], last, 20_000);
    await runner.stop();
    expect(errors).toEqual([]);
  }

  it('follows each act to its end, over restarts, and agrees with a rebuild', async () => {
    const by = (adminId: string, subjectId: string, reasonId: string | null = null) =>
      ({ adminId, subjectId, reasonId, targetId: 'ben', at: AT }) as const;
    const ask = (id: string, amount: bigint | null) =>
      record(id, {
        type: 'ApprovalRequested',
        ...by('rhea', id, 'why'),
        kind: 'grant',
        amount,
        details: '{}',
        expiresAt: AT + 1_000,
      });
    for (const id of ['waits', 'approved', 'declined', 'done', 'refused']) await ask(id, id === 'waits' ? null : 500n);
    for (const id of ['approved', 'done', 'refused']) await record(id, { type: 'ApprovalGiven', ...by('ada', id) });
    await record('declined', { type: 'ApprovalDeclined', ...by('ada', 'declined', 'why not') });
    await project();
    const end = { eventId: null, refusal: null, message: null };
    await record('done', { type: 'ApprovedActEnded', ...by('rhea', 'done'), ...end, eventId: 'event-1' });
    await record('refused', {
      type: 'ApprovedActEnded',
      ...by('rhea', 'refused'),
      ...end,
      refusal: 'X',
      message: 'No.',
    });
    // Acts about other things that name an approved act as what they came from.
    await record('ben', { type: 'AdminMade', ...by('rhea', 'done') });
    await record('ben', { type: 'ReportClosed', ...by('rhea', 'a report') });
    await project();
    const { rows } = await database.pool.query(
      `select approval_id as id, status, amount::int, decided_by as by, decision_reason_id as why, event_id as event, refusal
       from read.approvals order by requested_at, approval_id`,
    );
    const act = { amount: 500, by: 'ada', why: null, event: null, refusal: null };
    expect(rows).toEqual([
      { ...act, id: 'approved', status: 'approved' },
      { ...act, id: 'declined', status: 'declined', why: 'why not' },
      { ...act, id: 'done', status: 'done', event: 'event-1' },
      { ...act, id: 'refused', status: 'refused', refusal: 'X' },
      { ...act, id: 'waits', status: 'waiting', amount: null, by: null },
    ]);
    const recomputed = await recomputeReadModels({ store, connectionString: database.url, models: MODELS });
    expect(recomputed.map(({ name, matched }) => [name, matched])).toEqual([['approvals', true]]);
  });
});
