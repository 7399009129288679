import { Injectable } from '@nestjs/common';
import type { PeriodSealed } from '@app/domain';
import {
  BLOCK_EVENTS,
  blindEntries,
  type ChainedEvent,
  hashOf,
  journalEventOf,
  leafOf,
  pathOf,
  rootByPath,
  sealText,
  VerifiedLedger,
} from '@app/ledger';
import { type Config, InjectConfig } from '../../platform/config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { isVisible, type Viewer } from '../../wallet/event-details.js';
import type { FoundEvent } from '../../wallet/journal-events.js';
import { PeriodClosing } from '../periods/period-closing.js';
import { toRoot } from '../periods/period-views.js';
import { RECEIPT_FORMAT, type ReceiptDto } from './receipts.dto.js';

/** Makes receipts: an event, what its member may see of it, and what leads from it to the root of its period. */
@Injectable()
export class Receipts {
  constructor(
    private readonly ledger: VerifiedLedger,
    private readonly closing: PeriodClosing,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** @throws AppError 409 `PERIOD_OPEN` the event's period is not closed yet */
  async of({ recorded, event, hash }: FoundEvent, viewer: Viewer): Promise<ReceiptDto> {
    const { revision, id } = recorded;
    const period = await this.closing.periods.ofRevision(revision);
    if (!period) {
      throw new AppError(
        409,
        'PERIOD_OPEN',
        'The books of this day are still open. They close after midnight (UTC); the receipt is available then.',
      );
    }
    const chained = { revision, event, chainHash: hash };
    const blinded = blindEntries(chained, period.blinding);
    const proof = await this.prove(period, chained);
    return {
      format: RECEIPT_FORMAT,
      event: { id, revision, type: event.type, at: new Date(event.at).toISOString(), chainHash: hash },
      entries: event.entries.map(([account, currency, delta], index) => {
        const { salt = '', hash: hidden = '' } = blinded[index] ?? {};
        return isVisible(account, viewer) ? { account, currency, minorUnits: String(delta), salt } : { hidden };
      }),
      proof,
      period: toRoot(period),
      ...this.signed(period),
    };
  }

  /** By the key that signs now: a seal that another one signed is vouched for by it as well. */
  private signed(period: PeriodSealed): Pick<ReceiptDto, 'signature'> {
    const { journalKeys } = this.config;
    const key = journalKeys.trust()?.at(-1);
    const signer = key && journalKeys.signerFor(key.publicKey);
    if (!key || !signer) return {};
    const { journal, publicKey } = key;
    return { signature: { journal, publicKey, sig: signer.sign(sealText(key, period)) } };
  }

  /** Reads the event's block alone. @throws Error the journal no longer yields the sealed root */
  private async prove(period: PeriodSealed, chained: ChainedEvent): Promise<ReceiptDto['proof']> {
    const previous = period.number > 1 ? await this.closing.periods.byNumber(period.number - 1) : undefined;
    const blocks = await this.closing.blocks.of(period, previous);
    const index = chained.revision - period.firstRevision;
    const size = period.lastRevision - period.firstRevision + 1;
    const block = Math.floor(index / BLOCK_EVENTS);
    const leaves = await this.leavesOf(period, block);
    const path = [...pathOf(leaves, index % BLOCK_EVENTS), ...pathOf(blocks, block)];
    const leaf = leafOf(chained, blindEntries(chained, period.blinding));
    if (rootByPath(leaf, { index, size }, path) !== period.root) {
      throw new Error(`revision ${chained.revision} does not lead to the root of period ${period.number}`);
    }
    return { index, size, path };
  }

  private async leavesOf({ firstRevision, lastRevision, blinding }: PeriodSealed, block: number): Promise<string[]> {
    const from = firstRevision + block * BLOCK_EVENTS;
    const limit = Math.min(BLOCK_EVENTS, lastRevision - from + 1);
    return (await this.ledger.read(from, limit)).map((recorded) => {
      const { revision, event } = journalEventOf(recorded);
      const chained = { revision, event, chainHash: hashOf(recorded.metadata) };
      return leafOf(chained, blindEntries(chained, blinding));
    });
  }
}
