import { Injectable } from '@nestjs/common';
import { decodeModerationEvent, encodeModerationEvent, type ModerationEvent, moderationStream } from '@app/domain';
import { DecidedStreams } from '../platform/journal/decided-streams.js';

/** An act before it is stamped with journal time. */
export type Act = ModerationEvent extends infer E ? (E extends ModerationEvent ? Omit<E, 'at'> : never) : never;

/** Writes down what admins do (rule admin-2: every action is an event with actor, target and reason). */
@Injectable()
export class Moderation {
  constructor(private readonly streams: DecidedStreams) {}

  /** Returns once the audit shows it. @throws AppError 503 */
  record(act: Act, requestId: string | undefined): Promise<void> {
    return this.write(act, requestId, ['audit', 'ratings', 'cards'], () => false);
  }

  /**
   * The same, unless such an act on this target and subject was recorded before: for what is taken up again after a crash, or
   * can happen once only.
   * @throws AppError 503
   */
  recordOnce(act: Act, requestId: string | undefined): Promise<void> {
    const isSame = ({ type, subjectId }: ModerationEvent) => type === act.type && subjectId === act.subjectId;
    return this.write(act, requestId, ['audit'], isSame);
  }

  private async write(
    act: Act,
    requestId: string | undefined,
    models: readonly string[],
    isSame: (event: ModerationEvent) => boolean,
  ): Promise<void> {
    const stream = moderationStream(act.targetId);
    await this.streams.execute(
      {
        stream,
        initial: false,
        evolve: (isThere: boolean, event: ModerationEvent) => isThere || isSame(event),
        decode: decodeModerationEvent,
        encode: encodeModerationEvent,
      },
      (isThere, nowMs) => ({ events: isThere ? [] : [{ ...act, at: nowMs }] }),
      { actor: `admin:${act.adminId}`, correlationId: requestId },
    );
    await this.streams.caughtUp(models, stream);
  }
}
