import { hash } from 'node:crypto';
import {
  auditEvent,
  type LedgerEvent,
  type LedgerState,
  originalFacts,
  type OriginalFacts,
  type ReversedPurchaseFacts,
  reversedPurchaseFacts,
  rulesOf,
  type Stamp,
} from '@app/domain';
import { revisionOfEventId } from './hash-chain.js';
import { OnceTable } from './once-table.js';

/** A journal that other rules wrote would have a sentence for every event. */
const BREACHES_TOLD = 20;

const KEY_HASH = /^[0-9a-f]{32}$/;

/**
 * Checks a whole journal against the ledger's rules in one pass: each event is what its command makes of the state
 * before it, keys and the facts behind them take effect once, and commands of several events are complete. What is taken back or
 * reinstated is what its original says. Needs about 30 bytes of memory per key and per event that can be reversed.
 */
export class JournalAudit {
  private readonly told: string[] = [];
  private untold = 0;
  private readonly once = new OnceTable();
  private readonly originals = new OnceTable();
  /** What was repaid of each reversal's shortfall. */
  private readonly repaid = new Map<string, bigint>();
  /** The event before, where it is not its command's last. */
  private open: (Stamp & { readonly part: readonly [number, number] }) | undefined;

  /** What was found so far, as sentences. */
  get breaches(): readonly string[] {
    return this.untold === 0 ? this.told : [...this.told, `… and ${this.untold} more of this kind`];
  }

  /**
   * Looks at the next event.
   * @param state before the event
   */
  see(state: LedgerState, event: LedgerEvent, revision: number): void {
    const breach =
      auditEvent(state, event) ??
      this.partsBreach(event) ??
      this.repetition(event, revision) ??
      this.originalBreach(event, revision);
    this.open = openCommand(event);
    if (breach === undefined) return;
    if (this.told.length < BREACHES_TOLD) this.told.push(`revision ${revision}: ${event.type} ${breach}`);
    else this.untold += 1;
  }

  /** Call it at the journal's end. @returns all findings */
  end(): readonly string[] {
    if (this.open) this.told.push('the journal ends inside a command of several events');
    this.open = undefined;
    return this.breaches;
  }

  private partsBreach({ part, at, actor, key, nonce }: LedgerEvent): string | undefined {
    const { open } = this;
    if (!open)
      return part === undefined || part[0] === 0 ? undefined : 'is a part of a command whose beginning is missing';
    const isNext = part?.[0] === open.part[0] + 1 && part[1] === open.part[1];
    if (!isNext || at !== open.at || actor !== open.actor) return 'stands between the events of one command';
    return key || nonce !== undefined ? 'has a key or a nonce, which only the first event of a command has' : undefined;
  }

  /** Invariant 3, also for the facts behind keys: an event with a right hash and without a key is no second payment. */
  private repetition(event: LedgerEvent, revision: number): string | undefined {
    const { key } = event;
    if (key) {
      if (!KEY_HASH.test(key.hash)) return 'has a key that is none';
      const first = this.once.add(key.hash, revision);
      if (first !== undefined) return `has the idempotency key of revision ${first}: it took effect twice`;
    }
    const fact = rulesOf(event).onceOnly?.(event);
    if (fact === undefined) return undefined;
    const first = this.once.add(hash('sha256', `once\n${fact}`, 'hex'), revision);
    return first === undefined ? undefined : `repeats revision ${first}: ${fact} took effect twice`;
  }

  /** Remembers what can be taken back or reinstated, and holds what was to its original. */
  private originalBreach(event: LedgerEvent, revision: number): string | undefined {
    const facts = factsOf(event);
    if (facts) this.originals.add(factsHash(facts, revision), revision);
    if (event.type === 'ShortfallRepaid') this.repaid.set(event.reversalId, this.repaidOf(event) + event.amount);
    if (event.type !== 'MovementReversed' && event.type !== 'PurchaseReinstated') return undefined;
    const { originalId, originalRevision } = event;
    if (revisionOfEventId(originalId) !== originalRevision) return 'names an original by another revision than its id';
    if (this.originals.find(factsHash(claimOf(event), originalRevision)) === undefined) {
      return `is not what its original at revision ${originalRevision} says`;
    }
    const isRepaid = event.type !== 'PurchaseReinstated' || event.repaid === this.repaidOf(event);
    return isRepaid ? undefined : `gives back another repayment than ${this.repaidOf(event)}`;
  }

  private repaidOf({ reversalId }: { readonly reversalId: string }): bigint {
    return this.repaid.get(reversalId) ?? 0n;
  }
}

function openCommand(event: LedgerEvent): (Stamp & { readonly part: readonly [number, number] }) | undefined {
  const { part } = event;
  return part && part[0] + 1 < part[1] ? { at: event.at, actor: event.actor, part } : undefined;
}

/** What an event says that can be taken back or reinstated, in the order of `claimOf`. */
function factsOf(event: LedgerEvent): string | undefined {
  if (event.type === 'PurchaseReversed') return claimOf(reversedPurchaseFacts(event));
  const facts = originalFacts(event);
  return facts && claimOf(facts);
}

/** The same as the later event says it. No id contains a blank. */
function claimOf(facts: OriginalFacts | ReversedPurchaseFacts): string {
  const { userId, purchased, earned } = facts;
  const taken = `${userId} ${purchased} ${earned}`;
  if ('originalType' in facts) return `${taken} ${facts.originalType} ${facts.counterpartyId} ${facts.clientId}`;
  const { paymentIntentId, reversalId, reason, amount } = facts;
  return `${taken} PurchaseReversed ${paymentIntentId} ${reversalId} ${reason} ${amount}`;
}

const factsHash = (facts: string, revision: number): string => hash('sha256', `original ${revision} ${facts}`, 'hex');
