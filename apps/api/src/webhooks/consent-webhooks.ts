import { Injectable } from '@nestjs/common';
import { type ConsentChange, Consents, type Run } from '../oauth/consents.js';
import { TestClients } from '../oauth/test-mode/test-clients.js';
import { toNova } from '../wallet/nova-amount.js';
import type { WebhookEvent } from './event-types.js';
import { queueTellings, type Telling } from './queue-deliveries.js';

/** What a member took back is not told any more, waiting or not: one that was sent could be asked for again. */
const FORGET = `
  delete from webhook_deliveries d using webhook_endpoints e,
    unnest($1::uuid[], $2::text[], $3::text[]) as t(member_id, client_id, scopes)
  where e.id = d.endpoint_id and e.client_id = t.client_id and d.member_id = t.member_id
    and (t.scopes is null or d.scopes && string_to_array(t.scopes, ' '))`;

/** In the order of everybody who locks endpoints. */
const LOCK_ALL = 'select from webhook_endpoints where client_id = $1 order by id for update';
const FORGET_ALL = `
  delete from webhook_deliveries where endpoint_id in (select id from webhook_endpoints where client_id = $1)`;

const TYPES: Readonly<Record<ConsentChange['kind'], WebhookEvent>> = {
  granted: 'consent.granted',
  changed: 'consent.changed',
  revoked: 'consent.revoked',
};

/**
 * Tells applications of consents, in the transaction that changes them (rules webhooks-2, webhooks-4). Consents are not in the
 * journal.
 */
@Injectable()
export class ConsentWebhooks {
  constructor(consents: Consents, testClients: TestClients) {
    consents.onChange(tell);
    testClients.onReset(forget);
  }
}

async function tell(run: Run, changes: readonly ConsentChange[]): Promise<void> {
  const lost = changes.filter(({ kind, removed }) => kind === 'revoked' || removed.length > 0);
  if (lost.length > 0) {
    await run(FORGET, [
      lost.map(({ memberId }) => memberId),
      lost.map(({ clientId }) => clientId),
      lost.map(({ kind, removed }) => (kind === 'revoked' ? null : removed.join(' '))),
    ]);
  }
  await queueTellings(run, changes.map(tellingOf));
}

/** Of test data that was reset nothing is told any more, waiting or not (rule webhooks-10). */
async function forget(run: Run, clientId: string): Promise<void> {
  await run(LOCK_ALL, [clientId]);
  await run(FORGET_ALL, [clientId]);
}

/** That a consent ended is told whatever becomes of the account. */
function tellingOf({ kind, memberId, clientId, scopes, dailyLimit }: ConsentChange): Telling {
  const told = { clientId, type: TYPES[kind], at: Date.now(), scopes: [] };
  if (kind === 'revoked') return { ...told, memberId: null, data: { userId: memberId } };
  const limit = scopes.includes('nova') ? { dailyLimit: toNova(dailyLimit) } : {};
  return { ...told, memberId, data: { userId: memberId, scopes, ...limit } };
}
