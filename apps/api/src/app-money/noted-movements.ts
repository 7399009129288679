import { Injectable } from '@nestjs/common';
import type { LedgerCommand } from '@app/domain';
import { type CommandOutcome, LedgerOutcomeUnknown } from '@app/ledger';
import { NOTE_CAUSE } from '@app/projections';
import type { AccessToken } from '../oauth/access-tokens.js';
import { type Call, calledBy } from '../platform/current-call.js';
import { type Accepted, expectAccepted } from '../platform/errors/rejections.js';
import type { ApplicationMoney } from './application-money.js';
import { MovementNotes } from './movement-notes.js';

/** A movement that an application asks for. */
export interface MovementRequest {
  readonly by: AccessToken;
  /** The application's, in the token's mode. */
  readonly money: ApplicationMoney;
  readonly command: LedgerCommand;
  /** `spend`, `earn`, `transfer`: each call has its own keys. */
  readonly call: string;
  readonly description: string | undefined;
  readonly asked: Call;
}

/** Moves Nova for an application: writes the note first, then moves the money. */
@Injectable()
export class NotedMovements {
  constructor(private readonly notes: MovementNotes) {}

  /**
   * @param expect turns the ledger's refusals into answers
   * @throws AppError what `expect` makes of a refusal, 422 the key was used with another body before, 503
   */
  async move(request: MovementRequest, expect: (outcome: CommandOutcome) => Accepted): Promise<Accepted> {
    const { by, description } = request;
    if (description === undefined) return this.checked(request, expect(await this.execute(request)));
    const noteId = await this.notes.write({ userId: by.memberId, clientId: by.clientId, note: description });
    try {
      const accepted = expect(await this.execute(request, noteId));
      if (accepted.repeated) await this.notes.discard(noteId);
      return await this.checked(request, accepted);
    } catch (error) {
      // A movement that may have happened keeps its note.
      if (!(error instanceof LedgerOutcomeUnknown)) await this.notes.discard(noteId);
      throw error;
    }
  }

  private execute({ by, money, command, call, asked }: MovementRequest, noteId?: string): Promise<CommandOutcome> {
    return money.ledger.execute({
      command,
      actor: `app:${by.clientId}`,
      ...(noteId === undefined ? {} : { cause: `${NOTE_CAUSE}${noteId}` }),
      ...calledBy(asked, `app:${by.clientId}:${by.memberId}:tokens.${call}`),
    });
  }

  /** The description is part of the body: the same key with another description is another request. */
  private async checked({ description }: MovementRequest, accepted: Accepted): Promise<Accepted> {
    if (!accepted.repeated) return accepted;
    const cause = accepted.events.at(-1)?.event.cause;
    const earlierId = cause?.startsWith(NOTE_CAUSE) ? cause.slice(NOTE_CAUSE.length) : null;
    const earlier = earlierId === null ? undefined : (await this.notes.find([earlierId])).get(earlierId);
    return earlier === description ? accepted : expectAccepted({ status: 'key-reused' });
  }
}
