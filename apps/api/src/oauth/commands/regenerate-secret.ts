import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AppError } from '../../platform/errors/app-error.js';
import { applicationNotFound } from '../application-not-found.js';
import type { ClientSecretDto } from '../application.dto.js';
import { Applications } from '../applications.js';
import { Registrations } from '../registrations.js';

export class RegenerateSecret extends Command<ClientSecretDto> {
  constructor(
    readonly ownerId: string,
    readonly clientId: string,
  ) {
    super();
  }
}

/** Regenerates the secret, which is shown once. Tokens that were issued stay valid (rule oauth-3). */
@CommandHandler(RegenerateSecret)
export class RegenerateSecretHandler implements ICommandHandler<RegenerateSecret> {
  constructor(
    private readonly registrations: Registrations,
    private readonly applications: Applications,
  ) {}

  /** @throws AppError 404, 409 `PUBLIC_CLIENT` */
  async execute({ ownerId, clientId }: RegenerateSecret): Promise<ClientSecretDto> {
    const application = await this.applications.ownedBy(ownerId, clientId);
    if (!application) throw applicationNotFound();
    if (application.isPublic) {
      throw new AppError(409, 'PUBLIC_CLIENT', 'A public application has no secret. It proves itself with PKCE.');
    }
    return { clientSecret: await this.registrations.newSecret(clientId) };
  }
}
