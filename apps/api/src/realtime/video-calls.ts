import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { ChatAccess, otherMember } from '../chats/chat-access.js';
import { CallNotices } from '../notices/call-notices.js';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { AppError } from '../platform/errors/app-error.js';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';
import type { Payload } from './live-socket.js';
import { Relay } from './relay.js';

const START = `
  insert into video_sessions as v (chat_id, session_id, started_by, caller_id, callee_id) values ($1, $2, $3, $3, $4)
  on conflict (chat_id) do update set started_by = excluded.started_by, started_at = excluded.started_at,
    answered_at = case when v.callee_id = excluded.started_by then coalesce(v.answered_at, now()) else v.answered_at end
  returning session_id, xmax = 0 as made`;

const END = `
  delete from video_sessions where chat_id = $1 and session_id = $2
  returning caller_id as "callerId", callee_id as "calleeId", declined_at is not null as "isDeclined",
    extract(epoch from now() - answered_at)::float8 as seconds`;

interface EndedRow {
  readonly callerId: string;
  readonly calleeId: string;
  readonly isDeclined: boolean;
  readonly seconds: number | null;
}

/** At most one call for each chat. If both sides start at once, they are in the same call. */
@Injectable()
export class VideoSessions extends Rounds {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly notices: CallNotices,
  ) {
    super(HOUSEKEEPING, 'forgetting calls that nobody ended');
  }

  protected override round(): Promise<void> {
    return this.sweep();
  }

  /** Removes calls a day after they were last joined: closing a page does not end a call. */
  async sweep(): Promise<void> {
    await this.pool.query(`delete from video_sessions where started_at < now() - interval '1 day'`);
  }

  /** Begins the chat's call unless there is one, and returns its id. The other member's browsers ring. */
  async start(chatId: string, memberId: string, otherId: string): Promise<string> {
    const values = [chatId, uuidv7(), memberId, otherId];
    const { rows } = await this.pool.query<{ session_id: string; made: boolean }>(START, values);
    const [row] = rows;
    if (!row) throw new Error('a video session was neither made nor found');
    if (row.made) await this.notices.ringing({ chatId, callerId: memberId, calleeId: otherId });
    return row.session_id;
  }

  /** The callee knows of the call and does not take it. */
  async decline(chatId: string, sessionId: string): Promise<void> {
    await this.pool.query('update video_sessions set declined_at = now() where chat_id = $1 and session_id = $2', [
      chatId,
      sessionId,
    ]);
  }

  async exists(chatId: string, sessionId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'find-video-session',
      text: 'select 1 from video_sessions where chat_id = $1 and session_id = $2',
      values: [chatId, sessionId],
    });
    return rowCount === 1;
  }

  /** True if there was such a call. */
  async end(chatId: string, sessionId: string): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<EndedRow>(END, [chatId, sessionId]);
      const [row] = rows;
      if (row) await this.notices.ended(client, { ...row, chatId, sessionId, seconds: row.seconds ?? undefined });
      return row !== undefined;
    });
  }
}

/** A call, and the member of the chat who acts in it. */
export interface CallOf {
  readonly chatId: string;
  readonly memberId: string;
  readonly sessionId: string;
}

/** Calls between the two browsers of an active chat: the server passes each side's signals to the other. */
@Injectable()
export class VideoCalls {
  constructor(
    private readonly access: ChatAccess,
    private readonly sessions: VideoSessions,
    private readonly relay: Relay,
  ) {}

  /**
   * Announces the call to both sides; the side that started it last makes the offer. Returns the call's id.
   * @throws AppError 404 `CHAT_NOT_FOUND`, 409 `CHAT_NOT_ACTIVE`
   */
  async start(chatId: string, memberId: string): Promise<string> {
    const otherId = await this.activePartner(chatId, memberId);
    const sessionId = await this.sessions.start(chatId, memberId, otherId);
    this.tell([memberId, otherId], chatId, 'video_chat_started', { sessionId, startedBy: memberId });
    return sessionId;
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
   * Stops the ringing on the member's own other pages. The caller is told nothing.
   * @throws AppError 404 `CHAT_NOT_FOUND`
   */
  async decline({ chatId, memberId, sessionId }: CallOf): Promise<void> {
    await this.access.partner(chatId, memberId);
    await this.sessions.decline(chatId, sessionId);
    this.tell([memberId], chatId, 'video_declined', { sessionId });
  }

  /**
   * Ending an ended call is no error: both sides may hang up at once.
   * @throws AppError 404 `CHAT_NOT_FOUND`
   */
  async end({ chatId, memberId, sessionId }: CallOf): Promise<void> {
    const otherId = await this.access.partner(chatId, memberId);
    if (!(await this.sessions.end(chatId, sessionId))) return;
    this.tell([memberId, otherId], chatId, 'video_ended', { sessionId, endedBy: memberId });
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
