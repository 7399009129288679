import { isTestClientId, type TestData } from '@app/domain';
import { v7 as uuidv7 } from 'uuid';
import type { Run } from '../oauth/consents.js';
import type { Scope } from '../oauth/scopes.js';
import type { WebhookEvent } from './event-types.js';
import type { WebhookFact } from './facts-of-ledger.js';

/** What one application is told. */
export interface Telling {
  readonly clientId: string;
  readonly type: WebhookEvent;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of the test data that it tells of; undefined: it is live, or its caller holds the test data. */
  readonly generation?: number | undefined;
  /** Whom it tells of, where it must not be sent any more once they take their consent back. */
  readonly memberId: string | null;
  /** The scopes that show what it tells. */
  readonly scopes: readonly Scope[];
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Consents to applications with endpoints, held until the transaction ends: one that is being taken back is waited for, and one
 * that is found here is taken back after what this transaction writes (rule webhooks-4).
 */
const consentsIn = (directory: string, isOpen: string): string => `
  select c.user_id as "memberId", c.client_id as "clientId", c.scopes, c.first_consent_at as since
  from ${directory} c
  where c.user_id = any($1::uuid[]) and c.client_id in (
      select e.client_id from webhook_endpoints e join application_directory a on a.client_id = e.application_id
      where a.is_active and a.deleted_at is null)
    ${isOpen}
  order by c.user_id, c.client_id for share of c`;

const CONSENTS = consentsIn(
  'consent_directory',
  'and c.user_id in (select id from member_directory where closed_at is null)',
);
const TEST_CONSENTS = consentsIn('test_consent_directory', '');

/** Locked in one order by everybody, so that sequences have the order of commits and nobody waits in a circle. */
const ENDPOINTS = `
  select e.id, e.client_id as "clientId", e.events, e.last_sequence as "lastSequence" from webhook_endpoints e
  where e.client_id = any($1)
    and e.application_id in (select client_id from application_directory where deleted_at is null)
  order by e.id for update of e`;

/** Read while the endpoints are locked: a reset deletes what was queued before, and nothing of that time is queued after it. */
const GENERATIONS = `
  select distinct e.client_id as "clientId", coalesce(t.generation, 0) as generation
  from webhook_endpoints e left join test_client_directory t on t.application_id = e.application_id
  where e.client_id = any($1)`;

const INSERT = `
  insert into webhook_deliveries (id, endpoint_id, sequence, type, member_id, scopes, body, next_at)
  select id, endpoint_id, sequence, type, member_id, string_to_array(scopes, ' '), body, clock_timestamp()
  from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::uuid[], $6::text[], $7::text[])
    as d(id, endpoint_id, sequence, type, member_id, scopes, body)`;

const ADVANCE = `
  update webhook_endpoints e set last_sequence = s.last_sequence
  from unnest($1::uuid[], $2::bigint[]) as s(id, last_sequence) where e.id = s.id`;

interface ConsentRow {
  readonly memberId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly since: Date;
}

interface EndpointRow {
  readonly id: string;
  readonly clientId: string;
  readonly events: readonly string[];
  readonly lastSequence: string;
}

/** Queues what applications are told of facts, as far as members consented, in the caller's transaction. */
export async function queueFacts(run: Run, facts: readonly WebhookFact[]): Promise<void> {
  const consentsOf = async (sql: string, isTest: boolean): Promise<ConsentRow[]> => {
    const some = facts.filter(({ generation }) => (generation !== undefined) === isTest);
    const memberIds = [...new Set(some.flatMap(({ memberId }) => memberId ?? []))];
    return memberIds.length > 0 ? run<ConsentRow>(sql, [memberIds]) : [];
  };
  const consents = [...(await consentsOf(CONSENTS, false)), ...(await consentsOf(TEST_CONSENTS, true))];
  const byMember = groupedBy(consents, ({ memberId }) => memberId);
  await queueTellings(
    run,
    facts.flatMap((fact) => tellingsOf(fact, byMember)),
  );
}

function tellingsOf(fact: WebhookFact, consents: ReadonlyMap<string, readonly ConsentRow[]>): Telling[] {
  const { type, at, clientId, generation, memberId, changes, data } = fact;
  if (memberId === undefined) {
    return clientId === undefined ? [] : [{ clientId, type, at, generation, memberId: null, scopes: [], data }];
  }
  const concerned = (consents.get(memberId) ?? []).filter((each) => (clientId ?? each.clientId) === each.clientId);
  return concerned.flatMap((consent): Telling[] => {
    const told = { clientId: consent.clientId, type, at, generation, memberId };
    if (!changes) return consent.scopes.includes('nova') ? [{ ...told, scopes: ['nova'], data }] : [];
    // Of the time before the consent nothing is told, however late the journal is followed.
    if (at < consent.since.getTime()) return [];
    const shown = Object.entries(changes).filter(([scope]) => consent.scopes.includes(scope));
    if (shown.length === 0) return [];
    const scopes = shown.map(([scope]) => scope as Scope);
    return [{ ...told, scopes, data: { ...data, changes: Object.fromEntries(shown) } }];
  });
}

/** Queues a delivery for each endpoint that wants the type, with the endpoint's next sequence. */
export async function queueTellings(run: Run, tellings: readonly Telling[]): Promise<void> {
  if (tellings.length === 0) return;
  const clientIds = [...new Set(tellings.map(({ clientId }) => clientId))];
  const endpoints = await run<EndpointRow>(ENDPOINTS, [clientIds]);
  if (endpoints.length === 0) return;
  const isOver = await pastTestData(run, tellings);
  const byApplication = groupedBy(endpoints, ({ clientId }) => clientId);
  const sequences = new Map(endpoints.map(({ id, lastSequence }) => [id, BigInt(lastSequence)]));
  const rows = tellings.flatMap(({ clientId, generation, type, at, memberId, scopes, data }) =>
    (byApplication.get(clientId) ?? [])
      .filter(({ events }) => events.includes(type) && !isOver({ clientId, generation }))
      .map((endpoint) => {
        const sequence = (sequences.get(endpoint.id) ?? 0n) + 1n;
        sequences.set(endpoint.id, sequence);
        const body = bodyOf({ clientId, type, at, sequence, data });
        return { id: uuidv7(), endpointId: endpoint.id, sequence, type, memberId, scopes: scopes.join(' '), body };
      }),
  );
  if (rows.length === 0) return;
  await run(INSERT, [
    rows.map(({ id }) => id),
    rows.map(({ endpointId }) => endpointId),
    rows.map(({ sequence }) => String(sequence)),
    rows.map(({ type }) => type),
    rows.map(({ memberId }) => memberId),
    rows.map(({ scopes }) => scopes),
    rows.map(({ body }) => body),
  ]);
  await run(ADVANCE, [[...sequences.keys()], [...sequences.values()].map(String)]);
}

/** Whether something tells of test data that was reset. */
async function pastTestData(
  run: Run,
  tellings: readonly Telling[],
): Promise<(told: Pick<Telling, 'clientId' | 'generation'>) => boolean> {
  const ofTestData = tellings.filter(({ generation }) => generation !== undefined);
  if (ofTestData.length === 0) return () => false;
  const rows = await run<TestData>(GENERATIONS, [ofTestData.map(({ clientId }) => clientId)]);
  const generations = new Map(rows.map(({ clientId, generation }) => [clientId, generation]));
  return ({ clientId, generation }) => generation !== undefined && generation !== generations.get(clientId);
}

function groupedBy<T>(rows: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

interface Message {
  readonly clientId: string;
  readonly type: string;
  readonly at: number;
  readonly sequence: bigint;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What is sent: JSON with `type`, `timestamp`, `sequence`, `livemode` and `data` (rules webhooks-2, webhooks-10). */
export const bodyOf = ({ clientId, type, at, sequence, data }: Message): string =>
  JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    sequence: Number(sequence),
    livemode: !isTestClientId(clientId),
    data,
  });
