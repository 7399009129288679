import { CALL_RINGS_MS } from '@app/domain';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, EventBus, type ICommandHandler } from '@nestjs/cqrs';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { ChatAccess, otherMember } from '../chats/chat-access.js';
import { ChatPartiesDirectory } from '../chats/chat-parties.js';
import { MemberRelations } from '../members/member-relations.js';
import { InjectPool } from '../platform/database/database.module.js';
import { AppError } from '../platform/errors/app-error.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { Rounds } from '../platform/rounds.js';
import type { Payload } from './live-socket.js';
import { Relay } from './relay.js';

/** A call is answered while it rings, or a moment later: frames take their time. */
const ANSWER_WITHIN_S = CALL_RINGS_MS / 1_000 + 5;

/** How often calls are looked for that nobody ended. */
const SWEEP_EVERY_MS = 5_000;

/** The one who is called starts the call as well: that answers it. Any other start rings, also where a call was left. */
const ANSWERS = `(
  s.started_by <> excluded.started_by and s.answered_at is null
  and s.started_at > now() - make_interval(secs => ${ANSWER_WITHIN_S})
)`;
const START = `
  insert into video_sessions as s (chat_id, session_id, started_by, called_id) values ($1, $2, $3, $4)
  on conflict (chat_id) do update set
    started_by = case when ${ANSWERS} then s.started_by else excluded.started_by end,
    called_id = case when ${ANSWERS} then s.called_id else excluded.called_id end,
    started_at = case when ${ANSWERS} then s.started_at else now() end,
    answered_at = case when ${ANSWERS} then now() end
  returning session_id, started_by, called_id, started_at, answered_at`;

const SWEEP = `
  delete from video_sessions
  where started_at < now() - interval '1 day'
    or (answered_at is null and started_at < now() - make_interval(secs => $1))
  returning *`;

interface SessionRow {
  readonly chat_id: string;
  readonly session_id: string;
  readonly started_by: string;
  /** Null in a row of the previous release. */
  readonly called_id: string | null;
  readonly started_at: Date;
  readonly answered_at: Date | null;
}

const ringsUntil = ({ started_at }: Pick<SessionRow, 'started_at'>): string =>
  new Date(started_at.getTime() + CALL_RINGS_MS).toISOString();

/** At most one call for each chat. If both sides start at once, they are in the same call. */
@Injectable()
export class VideoSessions {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Removes calls that nobody ended, as when pages just close: unanswered ones once they have rung out, others after a day. */
  async sweep(): Promise<SessionRow[]> {
    const { rows } = await this.pool.query<SessionRow>(SWEEP, [ANSWER_WITHIN_S]);
    return rows;
  }

  /** Begins the chat's call, or joins the one that there is. */
  async start(chatId: string, memberId: string, otherId: string): Promise<SessionRow> {
    const { rows } = await this.pool.query<SessionRow>(START, [chatId, uuidv7(), memberId, otherId]);
    const [row] = rows;
    if (!row) throw new Error('a video session was neither made nor found');
    return row;
  }

  /** Calls that ring at a member, the oldest first. */
  async ringingAt(memberId: string): Promise<SessionRow[]> {
    const { rows } = await this.pool.query<SessionRow>({
      name: 'find calls that ring',
      text: `select chat_id, session_id, started_by, called_id, started_at, answered_at from video_sessions
             where called_id = $1 and answered_at is null and started_at > now() - make_interval(secs => $2)
             order by started_at`,
      values: [memberId, CALL_RINGS_MS / 1_000],
    });
    return rows;
  }

  async exists(chatId: string, sessionId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'find-video-session',
      text: 'select 1 from video_sessions where chat_id = $1 and session_id = $2',
      values: [chatId, sessionId],
    });
    return rowCount === 1;
  }

  /** The call that has ended with this, if there was one. */
  async end(chatId: string, sessionId: string): Promise<SessionRow | undefined> {
    const { rows } = await this.pool.query<SessionRow>(
      'delete from video_sessions where chat_id = $1 and session_id = $2 returning *',
      [chatId, sessionId],
    );
    return rows[0];
  }

  /** As `end`, but only while it rings at this member. */
  async decline({ chatId, sessionId, memberId }: CallOf): Promise<SessionRow | undefined> {
    const { rows } = await this.pool.query<SessionRow>(
      `delete from video_sessions
       where chat_id = $1 and session_id = $2 and called_id = $3 and answered_at is null returning *`,
      [chatId, sessionId, memberId],
    );
    return rows[0];
  }
}

/** A call, and the member of the chat who acts in it. */
export interface CallOf {
  readonly chatId: string;
  readonly memberId: string;
  readonly sessionId: string;
}

/** A member calls another: it rings at the other's pages until they answer or decline, or it ends (rule chats-36). */
export class CallRings {
  constructor(
    readonly chatId: string,
    readonly sessionId: string,
    readonly callerId: string,
    readonly calledId: string,
  ) {}
}

/**
 * A call is over. `seconds` says how long the two talked; null if it was not answered. `endedBy` is null where it rang out
 * and nobody ended it.
 */
export class CallOver {
  constructor(
    readonly chatId: string,
    readonly sessionId: string,
    readonly callerId: string,
    readonly calledId: string,
    readonly endedBy: string | null,
    readonly seconds: number | null,
  ) {}
}

/** Nothing reveals that the other side has blocked the caller. */
const callRefused = (): AppError =>
  new AppError(409, 'CALL_REFUSED', 'This member takes no calls at the moment. You can still write.');

/** Calls between the two browsers of an active chat: the server passes each side's signals to the other. */
@Injectable()
export class VideoCalls extends Rounds {
  constructor(
    private readonly access: ChatAccess,
    private readonly parties: ChatPartiesDirectory,
    private readonly sessions: VideoSessions,
    private readonly relations: MemberRelations,
    private readonly limits: RateLimits,
    private readonly relay: Relay,
    private readonly events: EventBus,
  ) {
    super({ everyMs: SWEEP_EVERY_MS }, 'looking for calls that nobody ended');
  }

  /** One that rang out was missed, also where both sides just disappeared; of any other nobody knows how long it lasted. */
  protected override async round(): Promise<void> {
    for (const call of await this.sessions.sweep()) if (call.answered_at === null) this.over(call, null);
  }

  /**
   * Announces the call to both sides: it rings at the other's pages, or answers their call. Returns the call's id.
   * @throws AppError 404 `CHAT_NOT_FOUND`, 409 `CHAT_NOT_ACTIVE`, `CALL_REFUSED` or `BLOCKED_BY_YOU`, 429
   */
  async start(chatId: string, memberId: string): Promise<string> {
    this.limits.calls.take(memberId);
    const otherId = await this.activePartner(chatId, memberId);
    await this.relations.refuseBlocked({ memberId, otherId }, callRefused);
    const [call, partyOf] = await Promise.all([
      this.sessions.start(chatId, memberId, otherId),
      this.parties.find([memberId]),
    ]);
    const sessionId = call.session_id;
    this.tell([memberId, otherId], chatId, 'video_chat_started', {
      sessionId,
      startedBy: memberId,
      starter: partyOf(memberId),
      ringsUntil: ringsUntil(call),
    });
    if (call.answered_at === null) this.events.publish(new CallRings(chatId, sessionId, memberId, otherId));
    return sessionId;
  }

  /** What a page that has just connected is told: the calls that ring at its member. */
  async ringingAt(memberId: string): Promise<Payload[]> {
    const calls = await this.sessions.ringingAt(memberId);
    if (calls.length === 0) return [];
    const partyOf = await this.parties.find(calls.map(({ started_by }) => started_by));
    return calls.map((call) => ({
      chatId: call.chat_id,
      sessionId: call.session_id,
      startedBy: call.started_by,
      starter: partyOf(call.started_by),
      ringsUntil: ringsUntil(call),
    }));
  }

  /**
   * Passes an offer, an answer or a candidate on unchanged.
   * @throws AppError 404 `CHAT_NOT_FOUND` or `VIDEO_NOT_FOUND`, 409 `CHAT_NOT_ACTIVE`
   */
  async signal({ chatId, memberId, sessionId }: CallOf, signal: object): Promise<void> {
    const otherId = await this.activePartner(chatId, memberId);
    if (!(await this.sessions.exists(chatId, sessionId))) {
      throw new AppError(404, 'VIDEO_NOT_FOUND', 'This video chat has ended.');
    }
    this.tell([otherId], chatId, 'video_signal', { sessionId, from: memberId, signal });
  }

  /**
   * Ends a call that rings, for both sides. One that was answered meanwhile, on another page, goes on: then only the
   * member's own pages hear of it.
   * @throws AppError 404 `CHAT_NOT_FOUND`
   */
  async decline(call: CallOf): Promise<void> {
    const { chatId, memberId, sessionId } = call;
    const otherId = await this.access.partner(chatId, memberId);
    const declined = await this.sessions.decline(call);
    const to = declined === undefined ? [memberId] : [memberId, otherId];
    this.tell(to, chatId, 'video_declined', { sessionId, declinedBy: memberId });
    if (declined !== undefined) this.over(declined, memberId);
  }

  /**
   * Ending an ended call is no error: both sides may hang up at once.
   * @throws AppError 404 `CHAT_NOT_FOUND`
   */
  async end({ chatId, memberId, sessionId }: CallOf): Promise<void> {
    const otherId = await this.access.partner(chatId, memberId);
    const ended = await this.sessions.end(chatId, sessionId);
    if (ended === undefined) return;
    this.tell([memberId, otherId], chatId, 'video_ended', { sessionId, endedBy: memberId });
    this.over(ended, memberId);
  }

  private over({ chat_id, session_id, started_by, called_id, answered_at }: SessionRow, endedBy: string | null): void {
    if (called_id === null) return;
    const seconds = answered_at === null ? null : Math.max(0, Math.round((Date.now() - answered_at.getTime()) / 1_000));
    this.events.publish(new CallOver(chat_id, session_id, started_by, called_id, endedBy, seconds));
  }

  private async activePartner(chatId: string, memberId: string): Promise<string> {
    const { chat } = await this.access.current(chatId, memberId);
    if (chat.state.status === 'active') return otherMember(chat, memberId);
    throw new AppError(409, 'CHAT_NOT_ACTIVE', 'Video is possible in an active chat only.');
  }

  private tell(to: readonly string[], chatId: string, type: string, payload: Payload): void {
    this.relay.publish({ to, chatId, type, payload: { chatId, ...payload } });
  }
}

/** Begins a chat's call or joins it, and returns its id. */
export class StartVideoCall extends Command<string> {
  constructor(
    readonly chatId: string,
    readonly memberId: string,
  ) {
    super();
  }
}

@CommandHandler(StartVideoCall)
export class StartVideoCallHandler implements ICommandHandler<StartVideoCall> {
  constructor(private readonly calls: VideoCalls) {}

  execute({ chatId, memberId }: StartVideoCall): Promise<string> {
    return this.calls.start(chatId, memberId);
  }
}

export class EndVideoCall extends Command<void> {
  constructor(readonly call: CallOf) {
    super();
  }
}

@CommandHandler(EndVideoCall)
export class EndVideoCallHandler implements ICommandHandler<EndVideoCall> {
  constructor(private readonly calls: VideoCalls) {}

  execute({ call }: EndVideoCall): Promise<void> {
    return this.calls.end(call);
  }
}
