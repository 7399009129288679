import { decodeLedgerEvent, type LedgerEvent, unreadableAt } from '@app/domain';
import { upcast } from '@app/event-store';

/** An event whose link in the hash chain was checked. */
export interface LinkedEvent {
  readonly revision: number;
  readonly type: string;
  /** As it is stored, before upcasting. */
  readonly data: string;
  readonly hash: string;
}

/** @throws UnreadableEvent says at which revision */
export function readLedgerEvent({
  revision,
  type,
  data,
}: Pick<LinkedEvent, 'revision' | 'type' | 'data'>): LedgerEvent {
  try {
    return decodeLedgerEvent(type, upcast(type, data));
  } catch (error) {
    throw unreadableAt(`revision ${revision}`, error);
  }
}
