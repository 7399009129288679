import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { ChatAccess, otherMember } from '../chats/chat-access.js';
import { InjectPool } from '../platform/database/database.module.js';
import { AppError } from '../platform/errors/app-error.js';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';
import type { Payload } from './live-socket.js';
import { Relay } from './relay.js';

const START = `
  insert into video_sessions (chat_id, session_id, started_by) values ($1, $2, $3)
  on conflict (chat_id) do update set started_by = excluded.started_by, started_at = excluded.started_at
  returning session_id`;

/** One call a chat at most. Both sides starting at once are in the same one. */
@Injectable()
export class VideoSessions extends Rounds {
  constructor(@InjectPool() private readonly pool: pg.Pool) {
    super(HOUSEKEEPING, 'forgetting calls that nobody ended');
  }

  protected override round(): Promise<void> {
    return this.sweep();
  }

  /** A page that is closed ends no call: what is left of one is forgotten a day after it was last joined. */
  async sweep(): Promise<void> {
    await this.pool.query(`delete from video_sessions where started_at < now() - interval '1 day'`);
  }

  /** The id of the chat's call, which this begins unless there is one. */
  async start(chatId: string, memberId: string): Promise<string> {
    const { rows } = await this.pool.query<{ session_id: string }>(START, [chatId, uuidv7(), memberId]);
    const [row] = rows;
    if (!row) throw new Error('a video session was neither made nor found');
    return row.session_id;
  }

  async exists(chatId: string, sessionId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'find-video-session',
      text: 'select 1 from video_sessions where chat_id = $1 and session_id = $2',
      values: [chatId, sessionId],
    });
    return rowCount === 1;
  }

  /** True when there was such a call. */
  async end(chatId: string, sessionId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('delete from video_sessions where chat_id = $1 and session_id = $2', [
      chatId,
      sessionId,
    ]);
    return rowCount === 1;
  }
}

/** A call, and which of a chat's two acts in it. */
export interface CallOf {
  readonly chatId: string;
  readonly memberId: string;
  readonly sessionId: string;
}

/** Calls between the two browsers of an active chat: what one side says is handed on to the other. */
@Injectable()
export class VideoCalls {
  constructor(
    private readonly access: ChatAccess,
    private readonly sessions: VideoSessions,
    private readonly relay: Relay,
  ) {}

  /**
   * Both sides hear of the call; whoever started it last makes the offer. Answers its id.
   * @throws AppError 404 `CHAT_NOT_FOUND`, 409 `CHAT_NOT_ACTIVE`
   */
  async start(chatId: string, memberId: string): Promise<string> {
    const otherId = await this.activePartner(chatId, memberId);
    const sessionId = await this.sessions.start(chatId, memberId);
    this.tell([memberId, otherId], chatId, 'video_chat_started', { sessionId, startedBy: memberId });
    return sessionId;
  }

  /**
   * Hands an offer, an answer or a candidate on as it is.
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
   * For the member's own other pages, which stop ringing: the caller is told nothing.
   * @throws AppError 404 `CHAT_NOT_FOUND`
   */
  async decline({ chatId, memberId, sessionId }: CallOf): Promise<void> {
    await this.access.partner(chatId, memberId);
    this.tell([memberId], chatId, 'video_declined', { sessionId });
  }

  /**
   * Ending what has ended is no error: both may hang up at once.
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

/** Begins a chat's call or joins it, and answers its id. */
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
