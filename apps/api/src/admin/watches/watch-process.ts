import { Injectable } from '@nestjs/common';
import {
  decodeLedgerEvent,
  evolveCrossings,
  isBeyond,
  moderationStream,
  decodeModerationEvent,
  encodeModerationEvent,
  type ModerationEvent,
  type Watched,
  watchedBy,
  watchedChange,
  type WatchSet,
} from '@app/domain';
import { type RecordedEvent, upcast } from '@app/event-store';
import { VerifiedLedger } from '@app/ledger';
import { EntryQueries } from '@app/projections';
import type pg from 'pg';
import { Counter } from 'prom-client';
import { InjectPool } from '../../platform/database/database.module.js';
import { inTurn } from '../../platform/database/sole-owner.js';
import { Metrics } from '../../platform/health/metrics.js';
import { DecidedStreams } from '../../platform/journal/decided-streams.js';
import { ledToBy } from '../../platform/journal/stream-metadata.js';
import { Rounds } from '../../platform/rounds.js';
import { WatchSettings } from './watch-settings.js';

/** Any number: one process of an installation follows the watches at a time. */
const PROCESS_LOCK = 7_266_182_014;
const LOOK_EVERY_MS = 1_000;

/** A watch on its way along the ledger. */
interface Following {
  readonly id: string;
  readonly set: WatchSet;
  readonly watched: Watched;
  /** The last revision that is in `balance`. */
  revision: number;
  balance: bigint;
}

/** Events that are read at once. */
const BATCH_EVENTS = 500;

/**
 * Follows every event of the ledger for the watches of admins, and records each crossing once (rule admin-22). A watch begins at
 * the balance after the revision at which it was set. After a crash the last events are followed again: what was recorded then is
 * known by its revision.
 */
@Injectable()
export class WatchProcess extends Rounds {
  private readonly entries: EntryQueries;
  private readonly crossings: Counter;
  private beyond = 0;

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly events: VerifiedLedger,
    private readonly settings: WatchSettings,
    private readonly streams: DecidedStreams,
    metrics: Metrics,
  ) {
    super({ everyMs: LOOK_EVERY_MS }, 'following the watches');
    this.entries = new EntryQueries(pool);
    this.crossings = new Counter({
      name: 'nova_watch_crossings_total',
      help: 'Times that a watched balance went beyond its limit, as this process recorded them',
      registers: [metrics.registry],
    });
    metrics.gauge(
      'nova_watches_beyond',
      'Watched balances that were beyond their limit when this process last looked',
      () => this.beyond,
    );
  }

  protected override async round(signal: AbortSignal): Promise<void> {
    await inTurn(this.pool, PROCESS_LOCK, (lost) => this.follow(AbortSignal.any([signal, lost])));
  }

  /** Follows all watches to the ledger's head. */
  async follow(signal?: AbortSignal): Promise<void> {
    const following = await this.load();
    if (following.length > 0) await this.walk(following, signal);
    this.beyond = following.filter(({ set, balance }) => isBeyond(set, balance)).length;
  }

  private async walk(following: readonly Following[], signal: AbortSignal | undefined): Promise<void> {
    let from = Math.min(...following.map(({ revision }) => revision)) + 1;
    for (;;) {
      const batch = await this.events.read(from, BATCH_EVENTS);
      if (batch.length === 0) return;
      for (const recorded of batch) await this.take(recorded, following);
      await this.save(following);
      if (signal?.aborted) return;
      from += batch.length;
    }
  }

  private async take(recorded: RecordedEvent, following: readonly Following[]): Promise<void> {
    const event = recorded.isForeign
      ? undefined
      : decodeLedgerEvent(recorded.type, upcast(recorded.type, recorded.data));
    for (const watch of following) {
      if (recorded.revision <= watch.revision) continue;
      const before = watch.balance;
      watch.revision = recorded.revision;
      if (!event) continue;
      watch.balance += watchedChange(watch.watched, event);
      if (isBeyond(watch.set, before) || !isBeyond(watch.set, watch.balance)) continue;
      await this.record(watch, event.at, recorded);
    }
  }

  /** @param recorded the ledger's event, which made it cross */
  private async record({ id, set, revision, balance }: Following, at: number, recorded: RecordedEvent): Promise<void> {
    const { id: eventId } = recorded;
    const by = { adminId: set.adminId, targetId: id, subjectId: null, reasonId: null };
    const { events } = await this.streams.execute<number, ModerationEvent, { events: ModerationEvent[] }>(
      {
        stream: moderationStream(id),
        initial: -1,
        evolve: evolveCrossings,
        decode: decodeModerationEvent,
        encode: encodeModerationEvent,
      },
      (last) => ({ events: revision > last ? [{ type: 'WatchCrossed', ...by, at, eventId, revision, balance }] : [] }),
      { actor: 'process', ...ledToBy(recorded) },
    );
    if (events.length === 0) return;
    this.crossings.inc();
    this.logger.warn({ watchId: id, account: set.account, eventId }, 'a watched balance went beyond its limit');
  }

  /** The watches with where they are. One that is new begins as soon as the entries have come as far as it was set. */
  private async load(): Promise<Following[]> {
    const watches = await this.settings.all();
    const { rows } = await this.pool.query<{ watch_id: string; revision: string; balance: string }>(
      'select watch_id, revision, balance from watch_progress',
    );
    const removed = rows.map(({ watch_id }) => watch_id).filter((id) => !watches.has(id));
    if (removed.length > 0) await this.pool.query('delete from watch_progress where watch_id = any($1)', [removed]);
    const known = new Map(rows.map((row) => [row.watch_id, row]));
    const following: Following[] = [];
    for (const [id, set] of watches) {
      const watched = watchedBy(set.account);
      const row = known.get(id);
      if (!watched) continue;
      if (row) following.push({ id, set, watched, revision: Number(row.revision), balance: BigInt(row.balance) });
      else following.push(...(await this.begin(id, set, watched)));
    }
    return following;
  }

  private async begin(id: string, set: WatchSet, watched: Watched): Promise<Following[]> {
    const { fromRevision: revision } = set;
    const reached = await this.entries.reached();
    if (reached === undefined || reached < revision) return [];
    const begun = [{ id, set, watched, revision, balance: await this.balanceAt(watched, revision) }];
    await this.save(begun);
    return begun;
  }

  private async balanceAt(watched: Watched, revision: number): Promise<bigint> {
    if (!('kinds' in watched)) return (await this.entries.balancesAt([{ ...watched, revision }]))[0] ?? 0n;
    const totals = await this.entries.totalsAt(revision);
    return totals
      .filter(({ kind, currency }) => currency === 'NOVA' && watched.kinds.includes(kind))
      .reduce((sum, { balance }) => sum + balance, 0n);
  }

  private async save(following: readonly Following[]): Promise<void> {
    await this.pool.query(
      `insert into watch_progress as p (watch_id, revision, balance) select * from unnest($1::uuid[], $2::bigint[], $3::numeric[])
       on conflict (watch_id) do update set revision = excluded.revision, balance = excluded.balance
       where excluded.revision > p.revision`,
      [
        following.map(({ id }) => id),
        following.map(({ revision }) => revision),
        following.map(({ balance }) => String(balance)),
      ],
    );
  }
}
