import { type LedgerEvent, NO_SEAL, type PeriodSealed, PeriodTotals } from '@app/domain';
import { type JournalHead, type LinkedEvent, PeriodTree, sealOf, totalsHashOf } from '@app/ledger';

/** Checks closed periods while the journal goes by: event by event, or by a thread that is given batches. */
export interface PeriodAuditing {
  see?(event: LedgerEvent, head: JournalHead): void;
  seeAll?(batch: readonly LinkedEvent[]): Promise<void>;
  /** What is wrong, as sentences. Call it at the journal's end. */
  end(): readonly string[] | Promise<readonly string[]>;
  /** Ends the thread, wherever it is. */
  close?(): Promise<void>;
}

/** Checks the closed periods against the journal while it goes by: everything that a seal says is computed again. */
export class PeriodAudit implements PeriodAuditing {
  readonly breaches: string[] = [];
  private readonly totals = new PeriodTotals();
  private tree: PeriodTree | undefined;
  private next = 0;
  /** Of the last closed period whose events have gone by. */
  private closedUntil = -Infinity;

  constructor(private readonly periods: readonly PeriodSealed[]) {
    let previous: PeriodSealed | undefined;
    for (const period of periods) {
      this.checkSeal(period, previous);
      previous = period;
    }
  }

  see(event: LedgerEvent, head: JournalHead): void {
    if (event.at <= this.closedUntil) {
      this.breaches.push(`revision ${head.revision} is dated inside period ${this.next}, which was closed before it`);
      this.closedUntil = -Infinity;
    }
    const period = this.periods[this.next];
    if (!period) return;
    this.tree ??= new PeriodTree(period.blinding);
    this.tree.add({ revision: head.revision, event, chainHash: head.hash });
    this.totals.add(event.entries);
    if (event.at > period.endsAt) this.say(period, `has revision ${head.revision}, which is dated after its end`);
    if (head.revision === period.lastRevision) this.finish(period, this.tree, head);
  }

  /** Call it at the journal's end. */
  end(): readonly string[] {
    const open = this.periods[this.next];
    if (open) this.say(open, 'was closed, and the journal ends before its last event');
    return this.breaches;
  }

  private finish(period: PeriodSealed, tree: PeriodTree, head: JournalHead): void {
    if (head.hash !== period.chainHash) this.say(period, 'was sealed with another chain hash: it was rewritten since');
    if (tree.root !== period.root) this.say(period, 'was sealed with another root: it was rewritten since');
    if (this.totals.toText() !== period.totals) this.say(period, 'was sealed with another trial balance');
    this.closedUntil = period.endsAt;
    this.tree = undefined;
    this.next += 1;
  }

  private checkSeal(period: PeriodSealed, previous: PeriodSealed | undefined): void {
    if (period.number !== (previous?.number ?? 0) + 1) this.say(period, 'does not follow the period before it');
    if (period.firstRevision !== (previous?.lastRevision ?? -1) + 1) this.say(period, 'leaves a gap in the journal');
    if (period.endsAt <= (previous?.endsAt ?? -Infinity)) this.say(period, 'ends before the period before it');
    if (period.previousSeal !== (previous?.seal ?? NO_SEAL)) this.say(period, 'names another seal before it');
    if (totalsHashOf(period.totals) !== period.totalsHash) this.say(period, 'has another trial balance than its hash');
    if (sealOf(period) !== period.seal) this.say(period, 'has a seal that does not fit what it says');
  }

  private say(period: PeriodSealed, what: string): void {
    this.breaches.push(`period ${period.number} ${what}`);
  }
}
