import { Injectable } from '@nestjs/common';
import { decodeModerationEvent, encodeModerationEvent, type ModerationEvent, moderationStream } from '@app/domain';
import { type Decided, DecidedStreams, type StreamRules } from '../platform/journal/decided-streams.js';

/** An act before it is stamped with journal time. */
export type Act = ModerationEvent extends infer E ? (E extends ModerationEvent ? Omit<E, 'at'> : never) : never;

/** What the acts on one target come to. */
export type Fold<S> = Pick<StreamRules<S, ModerationEvent>, 'initial' | 'evolve'>;

/** Who acts, in which request. */
export interface Actor {
  readonly adminId: string;
  readonly requestId: string | undefined;
}

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

  /**
   * Decides on the acts so far in a target's stream, and records what that comes to. Decided anew if somebody else was first.
   * @param models the read models that show it once this returns
   * @throws AppError 503
   */
  async decide<S, D extends Decided<ModerationEvent> | { readonly rejection: unknown }>(
    target: string,
    fold: Fold<S>,
    decide: (state: S, nowMs: number) => D,
    { adminId, requestId }: Actor,
    models: readonly string[] = ['audit'],
  ): Promise<D> {
    const by = { actor: `admin:${adminId}`, correlationId: requestId };
    const decision = await this.streams.execute(rulesOf(target, fold), decide, by);
    await this.streams.caughtUp(models, moderationStream(target));
    return decision;
  }

  /** What the acts in a target's stream come to. @throws AppError 503 */
  async read<S>(target: string, fold: Fold<S>): Promise<S> {
    return (await this.streams.read(rulesOf(target, fold))).state;
  }

  private async write(
    act: Act,
    requestId: string | undefined,
    models: readonly string[],
    isSame: (event: ModerationEvent) => boolean,
  ): Promise<void> {
    await this.decide(
      act.targetId,
      { initial: false, evolve: (isThere: boolean, event) => isThere || isSame(event) },
      (isThere, nowMs) => ({ events: isThere ? [] : [{ ...act, at: nowMs }] }),
      { adminId: act.adminId, requestId },
      models,
    );
  }
}

const rulesOf = <S>(target: string, fold: Fold<S>): StreamRules<S, ModerationEvent> => ({
  ...fold,
  stream: moderationStream(target),
  decode: decodeModerationEvent,
  encode: encodeModerationEvent,
});
