import { Injectable } from '@nestjs/common';
import { type Entry, type EventNames, type LedgerEvent, Money, originalFacts } from '@app/domain';
import { journalEventOf } from '@app/ledger';
import { DELETED_APPLICATION, NOTE_CAUSE } from '@app/projections';
import type { Pool } from 'pg';
import { DELETED_MEMBER, MemberDirectory } from '../identity/member-directory.js';
import { Applications } from '../oauth/applications.js';
import { InjectPool } from '../platform/database/database.module.js';
import { applicationsOf, describeEvent, membersOf } from './event-descriptions.js';
import { type FoundEvent, JournalEvents } from './journal-events.js';
import { LaterEvents, movementReversalKey, reinstatementKey } from './later-events.js';
import { toNova } from './nova-amount.js';
import type { ActorDto, EntryDto, EventDetailsDto, RelatedEventDto, TakenBackDto } from './wallet.dto.js';

export type Viewer = { readonly kind: 'admin' } | { readonly kind: 'member'; readonly id: string };

/** The beginning of a cause that names the row of an admin's reason, which can be erased (rule admin-2). */
export const REASON_CAUSE = 'reason:';

/** Causes that name a row with words. The words are shown instead of the cause. */
const NAMES_A_ROW = new RegExp(`^(?:${REASON_CAUSE}|${NOTE_CAUSE})`);

/** An event as far as its viewer may see it. */
@Injectable()
export class EventDetails {
  constructor(
    private readonly events: JournalEvents,
    private readonly later: LaterEvents,
    private readonly directory: MemberDirectory,
    private readonly applications: Applications,
    @InjectPool() private readonly pool: Pool,
  ) {}

  /**
   * Members see the entries of their own accounts, the pools and the treasury, and no admin's name (rule wallet-7).
   * Admins see everything.
   */
  async render(found: FoundEvent, viewer: Viewer): Promise<EventDetailsDto> {
    const { recorded, event, hash, previousHash } = found;
    const [siblings, payments, linked, reason, note] = await Promise.all([
      this.events.siblings(found),
      this.paymentEvents(event, recorded.id),
      this.linkedEvents(found),
      this.reasonOf(event),
      mayRead(event, viewer) ? this.noteOf(event) : null,
    ]);
    const others = [...siblings, ...[...payments, ...linked].map((other) => other.recorded)];
    const related = others.map(journalEventOf);
    const visible = related.filter(({ event: other }) => maySee(other, viewer));
    const shown = [event, ...visible.map((other) => other.event)];
    const [members, applications] = await Promise.all([
      this.directory.find([...shown.flatMap(membersOf), actorId(event) ?? '']),
      this.applications.names(shown.flatMap(applicationsOf)),
    ]);
    const names: EventNames = {
      member: (id) => members.get(id)?.displayName ?? DELETED_MEMBER,
      application: (clientId) => applications.get(clientId) ?? DELETED_APPLICATION,
    };
    return {
      eventId: recorded.id,
      revision: recorded.revision,
      type: recorded.type,
      createdAt: new Date(event.at).toISOString(),
      description: describeEvent(event, names),
      entries: event.entries.filter(([account]) => isVisible(account, viewer)).map(toEntry),
      actor: actorOf(event, viewer, names),
      cause: event.cause === undefined || NAMES_A_ROW.test(event.cause) ? null : event.cause,
      reason,
      note,
      reversal: takenBackBy(linked.find((other) => maySee(other.event, viewer))),
      hash,
      previousHash,
      related: visible.map((other): RelatedEventDto => ({
        eventId: other.id,
        type: other.event.type,
        description: describeEvent(other.event, names),
      })),
    };
  }

  /** The reversals of a payment, or the payment of a reversal. */
  private async paymentEvents(event: LedgerEvent, ownId: string): Promise<FoundEvent[]> {
    if (event.type !== 'NovaPurchased' && event.type !== 'PurchaseReversed') return [];
    const { rows } = await this.pool.query<{ event_id: string }>(
      'select event_id from payment_directory where payment_intent_id = $1',
      [event.paymentIntentId],
    );
    const others = rows.map((row) => row.event_id).filter((id) => id !== ownId);
    const found = await Promise.all(others.map((id) => this.events.byId(id)));
    return found.filter((other) => other !== undefined);
  }

  /** A movement's reversal, a purchase's reinstatement, and back. */
  private async linkedEvents({ recorded, event }: FoundEvent): Promise<FoundEvent[]> {
    const other = await this.linkedEvent(event, recorded.id);
    return other ? [other] : [];
  }

  private async linkedEvent(event: LedgerEvent, ownId: string): Promise<FoundEvent | undefined> {
    if (event.type === 'MovementReversed' || event.type === 'PurchaseReinstated') {
      return this.events.at(event.originalRevision);
    }
    if (event.type === 'PurchaseReversed') return this.later.underKey(reinstatementKey(event.reversalId));
    return originalFacts(event) && (await this.later.underKey(movementReversalKey(ownId)));
  }

  private async reasonOf({ cause }: LedgerEvent): Promise<string | null> {
    if (!cause?.startsWith(REASON_CAUSE)) return null;
    const { rows } = await this.pool.query<{ reason: string }>('select reason from reason_directory where id = $1', [
      cause.slice(REASON_CAUSE.length),
    ]);
    return rows[0]?.reason ?? null;
  }

  /** The note that an application wrote with the event. */
  private async noteOf({ cause }: LedgerEvent): Promise<string | null> {
    if (!cause?.startsWith(NOTE_CAUSE)) return null;
    const { rows } = await this.pool.query<{ note: string }>('select note from note_directory where id = $1', [
      cause.slice(NOTE_CAUSE.length),
    ]);
    return rows[0]?.note ?? null;
  }
}

function takenBackBy(found: FoundEvent | undefined): TakenBackDto | null {
  if (found?.event.type !== 'MovementReversed') return null;
  const { at, returned } = found.event;
  return { eventId: found.recorded.id, returned: toNova(returned), at: new Date(at).toISOString() };
}

/** An application's note is for the member whose Nova it moved, not for the recipient of a gift. */
const mayRead = (event: LedgerEvent, viewer: Viewer): boolean =>
  viewer.kind === 'admin' ||
  ('userId' in event && event.userId === viewer.id) ||
  ('senderId' in event && event.senderId === viewer.id);

/** Whether an event concerns this viewer's account; admins may see every event. */
export function maySee(event: LedgerEvent, viewer: Viewer): boolean {
  if (viewer.kind === 'admin') return true;
  if ('userId' in event && event.userId === viewer.id) return true;
  return event.entries.some(([account]) => account.startsWith(`user:${viewer.id}:`));
}

/** Whether the viewer may see an entry. */
export const isVisible = (account: string, viewer: Viewer): boolean =>
  viewer.kind === 'admin' ||
  account.startsWith(`user:${viewer.id}:`) ||
  account.startsWith('pool:') ||
  account === 'treasury';

const toEntry = ([account, currency, delta]: Entry): EntryDto => ({
  account,
  currency,
  amount: Money.ofMinor(delta, currency).toNumber(),
});

const actorId = (event: LedgerEvent): string | undefined => event.actor.split(':')[1];

function actorOf(event: LedgerEvent, viewer: Viewer, names: EventNames): ActorDto {
  const [kind = '', id] = event.actor.split(':');
  if (id === undefined) return { kind, id: null, displayName: null };
  if (viewer.kind === 'member' && kind === 'admin') return { kind, id: null, displayName: null };
  if (kind === 'app') return { kind, id, displayName: names.application(id) };
  const isMember = kind === 'member' || kind === 'admin';
  return { kind, id, displayName: isMember ? names.member(id) : null };
}
