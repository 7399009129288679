import { type LedgerEvent, memberOf, rulesOf, type ThroughApp } from '@app/domain';
import type { Scope } from '../oauth/scopes.js';
import { toNova } from '../wallet/nova-amount.js';
import type { WebhookEvent } from './event-types.js';

/** Something that applications may be told of. */
export interface WebhookFact {
  readonly type: WebhookEvent;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The application that it is about; undefined: each to which the member consented. */
  readonly clientId?: string;
  /** Of the test data that it is about; undefined: it is live. */
  readonly generation?: number;
  /** The member whom it is about, and who must have consented; undefined: it is the developer's own. */
  readonly memberId?: string;
  /** What each scope shows. Undefined: `data` alone, for scope `nova`. */
  readonly changes?: Readonly<Partial<Record<Scope, number>>>;
  readonly data: Readonly<Record<string, unknown>>;
}

const TYPES: Readonly<Partial<Record<ThroughApp['type'], WebhookEvent>>> = {
  spend: 'tokens.spent',
  earn: 'tokens.earned',
  transfer: 'transfer.sent',
  fund: 'wallet.funded',
  withdraw: 'wallet.withdrawn',
};

/** What an event of the journal tells applications (rule webhooks-1). @param transactionId the event's id */
export function factsOfLedger(event: LedgerEvent, transactionId: string): WebhookFact[] {
  const { at } = event;
  const movement = rulesOf(event).throughApp?.(event);
  const type = movement && TYPES[movement.type];
  const changed = changesOf(event).map(([memberId, changes]): WebhookFact => ({
    type: 'balance.changed',
    at,
    memberId,
    changes,
    data: { userId: memberId },
  }));
  if (!type) return changed;
  const { clientId, userId, recipientId } = movement;
  const amount = toNova(movement.amount);
  if (type === 'wallet.funded' || type === 'wallet.withdrawn') {
    return [{ type, at, clientId, data: { amount, transactionId } }, ...changed];
  }
  const data = { userId, amount, transactionId, ...(recipientId !== null && { recipientId }) };
  return [{ type, at, clientId, memberId: userId, data }, ...changed];
}

/** How the balances that the token API shows change, by member. */
function changesOf({ entries }: LedgerEvent): [memberId: string, changes: Partial<Record<Scope, number>>][] {
  const sums = new Map<string, Map<Scope, bigint>>();
  for (const [account, , delta] of entries) {
    const memberId = memberOf(account);
    const scope = SCOPES_OF_BALANCES[account.slice(account.lastIndexOf(':') + 1)];
    if (memberId === undefined || scope === undefined) continue;
    const of = sums.get(memberId) ?? new Map<Scope, bigint>();
    sums.set(memberId, of.set(scope, (of.get(scope) ?? 0n) + delta));
  }
  return [...sums].flatMap(([memberId, of]) => {
    const changes = [...of].filter(([, sum]) => sum !== 0n);
    if (changes.length === 0) return [];
    return [[memberId, Object.fromEntries(changes.map(([scope, sum]) => [scope, shown(scope, sum)]))]];
  });
}

const SCOPES_OF_BALANCES: Readonly<Record<string, Scope>> = {
  purchased: 'nova',
  earned: 'nova',
  karma: 'karma',
  influence: 'influence',
};

const shown = (scope: Scope, sum: bigint): number => (scope === 'nova' ? toNova(sum) : Number(sum));
