import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { applicationNotFound } from '../application-not-found.js';
import { isClientId } from '../client-id.js';
import { Consents } from '../consents.js';

export class RevokeConsent extends Command<MessageResponse> {
  constructor(
    readonly memberId: string,
    readonly clientId: string,
  ) {
    super();
  }
}

/** Revokes a consent: the application's tokens for this member end at once. */
@CommandHandler(RevokeConsent)
export class RevokeConsentHandler implements ICommandHandler<RevokeConsent> {
  constructor(private readonly consents: Consents) {}

  /** @throws AppError 404 */
  async execute({ memberId, clientId }: RevokeConsent): Promise<MessageResponse> {
    if (!isClientId(clientId) || !(await this.consents.revoke(memberId, clientId))) throw applicationNotFound();
    return { message: 'Access revoked' };
  }
}
