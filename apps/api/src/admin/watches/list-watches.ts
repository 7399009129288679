import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { isBeyond, memberOf, WATCHES_MAX, type WatchSet } from '@app/domain';
import type { Pool } from 'pg';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { toNova } from '../../wallet/nova-amount.js';
import { WatchSettings } from './watch-settings.js';
import type { WatchDto, WatchesDto } from './watches.dto.js';

const CROSSINGS_SHOWN = 5;

export class ListWatches extends Query<WatchesDto> {}

interface Row {
  readonly watch_id: string;
  readonly balance: string | null;
  readonly crossings: readonly { readonly event_id: string; readonly balance: string; readonly at: string }[] | null;
  readonly reason: string | null;
}

const STANDING = `
  select w.watch_id, p.balance, r.reason, (
    select json_agg(json_build_object('event_id', c.event_id, 'balance', c.balance::text, 'at', c.at) order by c.position desc)
    from (select * from read.watch_crossings c where c.watch_id = w.watch_id::text order by position desc limit $3) c
  ) as crossings
  from unnest($1::uuid[], $2::uuid[]) as w (watch_id, reason_id)
  left join watch_progress p using (watch_id) left join admin_reason r on r.id = w.reason_id`;

/** What is watched, how it stands, and when it last went beyond its limit. */
@QueryHandler(ListWatches)
export class ListWatchesHandler implements IQueryHandler<ListWatches> {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly settings: WatchSettings,
    private readonly directory: MemberDirectory,
  ) {}

  /** @throws AppError 503 */
  async execute(): Promise<WatchesDto> {
    const watches = await this.settings.all();
    const reasonIds = [...watches.values()].map(({ reasonId }) => reasonId);
    const { rows } = await this.pool.query<Row>(STANDING, [[...watches.keys()], reasonIds, CROSSINGS_SHOWN]);
    const standing = new Map(rows.map((row) => [row.watch_id, row]));
    const members = await this.directory.find(
      [...watches.values()].flatMap(({ adminId, account }) => [adminId, memberOf(account) ?? adminId]),
    );
    const rendered = [...watches].map(([id, set]) => toWatch(id, { set, row: standing.get(id), members })).toReversed();
    return { watches: rendered, beyond: rendered.filter((watch) => watch.isBeyond).length, max: WATCHES_MAX };
  }
}

interface Parts {
  readonly set: WatchSet;
  readonly row: Row | undefined;
  readonly members: ReadonlyMap<string, DirectoryMember>;
}

function toWatch(id: string, { set, row, members }: Parts): WatchDto {
  const { account, direction, limit, adminId, at } = set;
  const memberId = memberOf(account);
  const balance = row?.balance === null || row === undefined ? null : BigInt(row.balance);
  return {
    id,
    account,
    member: memberId === undefined ? null : (members.get(memberId)?.displayName ?? DELETED_MEMBER),
    direction,
    limit: toNova(limit),
    balance: balance === null ? null : toNova(balance),
    isBeyond: balance !== null && isBeyond(set, balance),
    setBy: { id: adminId, displayName: members.get(adminId)?.displayName ?? DELETED_MEMBER },
    setAt: new Date(at).toISOString(),
    reason: row?.reason ?? null,
    crossings: (row?.crossings ?? []).map((crossing) => ({
      eventId: crossing.event_id,
      balance: toNova(BigInt(crossing.balance)),
      at: new Date(crossing.at).toISOString(),
    })),
  };
}
