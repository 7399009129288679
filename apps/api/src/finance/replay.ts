import {
  accountKind,
  ACCOUNT_KINDS,
  CURRENCIES,
  evolve,
  LEDGER_STREAM,
  LedgerState,
  Money,
  type Currency,
  type LedgerEvent,
} from '@app/domain';
import type { EventStore } from '@app/event-store';
import {
  EMPTY_HEAD,
  ForgedEvent,
  journalIn,
  readLedgerEvent,
  type JournalHead,
  type JournalSource,
  type LinkedEvent,
} from '@app/ledger';
import type { WalkOptions } from './journal-walk.js';

export interface ReplayOptions extends Omit<WalkOptions, 'after'> {
  /** How the journal is read; by default from the store. */
  readonly journal?: JournalSource | undefined;
  /** `state` is what it is before this event, at this moment. */
  readonly beforeEvent?: (event: LedgerEvent, at: JournalHead, state: LedgerState) => void;
  /** Told where the journal goes on with what nobody signed: the replay ends before it. When absent, that is an error. */
  readonly onForged?: (reason: ForgedEvent) => void;
  /** `state` is what it is after this event, at this moment. */
  readonly onEvent?: (event: LedgerEvent, at: JournalHead, state: LedgerState) => void;
  /** Given all events again, in batches; the replay waits for it. */
  readonly onBatch?: (batch: readonly LinkedEvent[]) => Promise<void> | undefined;
}

/**
 * The state of the ledger at a time, from its events alone, up to where it ends when the replay begins.
 * @throws BrokenChain an event is not what its hash says
 * @throws ForgedEvent the journal goes on with what nobody signed, and `onForged` is absent
 */
export async function replay(
  store: EventStore,
  { journal = journalIn(store), upTo, onProgress, beforeEvent, onForged, onEvent, onBatch }: ReplayOptions,
): Promise<{ readonly state: LedgerState; readonly head: JournalHead }> {
  const state = new LedgerState();
  let head: JournalHead = EMPTY_HEAD;
  const last = upTo ?? (await store.head(LEDGER_STREAM))?.revision ?? -1;
  if (last < 0) return { state, head };
  try {
    for await (const batch of journal.linked(head, { upTo: last })) {
      for (const linked of batch) {
        const { revision } = linked;
        const event = readLedgerEvent(linked);
        beforeEvent?.(event, linked, state);
        evolve(state, event, revision);
        onEvent?.(event, linked, state);
      }
      await onBatch?.(batch);
      head = batch.at(-1) ?? head;
      onProgress?.(head.revision + 1, last + 1);
    }
  } catch (error) {
    if (!(error instanceof ForgedEvent) || !onForged) throw error;
    onForged(error);
  }
  return { state, head: { revision: head.revision, hash: head.hash } };
}

/** A kind of accounts in one currency, and what is there; minor units. */
export interface TrialBalanceLine {
  readonly kind: string;
  readonly currency: Currency;
  readonly balance: bigint;
  /** How many are not at zero, where that was counted. */
  readonly accounts?: number;
}

/** Sums by account kind and currency, in the order of rule ledger-2; each currency's lines sum to zero. */
export function trialBalance(state: LedgerState): Required<TrialBalanceLine>[] {
  const lines = new Map<string, Required<TrialBalanceLine>>();
  for (const [account, currency, balance] of state.accounts()) {
    if (balance === 0n) continue;
    const kind = accountKind(account);
    const line = lines.get(`${kind} ${currency}`) ?? { kind, currency, balance: 0n, accounts: 0 };
    lines.set(`${kind} ${currency}`, { ...line, balance: line.balance + balance, accounts: line.accounts + 1 });
  }
  return CURRENCIES.flatMap((currency) => ACCOUNT_KINDS.flatMap((kind) => lines.get(`${kind} ${currency}`) ?? []));
}

/** The trial balance as a table for a terminal, with a total for each currency. */
export function printTrialBalance(lines: readonly TrialBalanceLine[]): string {
  const row = (kind: string, accounts: string, amount: string, currency: string) =>
    `${kind.padEnd(22)} ${accounts.padStart(10)} ${amount.padStart(26)} ${currency}`;
  const rows = [
    row('account kind', lines.some(({ accounts }) => accounts !== undefined) ? 'accounts' : '', 'balance', ''),
  ];
  for (const currency of CURRENCIES) {
    const own = lines.filter((line) => line.currency === currency);
    if (!own.length) continue;
    for (const { kind, accounts, balance } of own) {
      rows.push(
        row(
          kind,
          accounts === undefined ? '' : String(accounts),
          Money.ofMinor(balance, currency).toString(),
          currency,
        ),
      );
    }
    const total = own.reduce((sum, { balance }) => sum + balance, 0n);
    rows.push(row('total', '', Money.ofMinor(total, currency).toString(), currency), '');
  }
  return rows.join('\n');
}
