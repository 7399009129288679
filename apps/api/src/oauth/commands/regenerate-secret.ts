import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ClientSecretDto } from '../application.dto.js';
import { Applications } from '../applications.js';
import { isPublicClient } from '../public-client.js';
import { Registrations } from '../registrations.js';

export class RegenerateSecret extends Command<ClientSecretDto> {
  constructor(
    readonly ownerId: string,
    readonly clientId: string,
  ) {
    super();
  }
}

/** Replaces all secrets by one, which is shown once. Members' tokens stay valid (rule oauth-3). */
@CommandHandler(RegenerateSecret)
export class RegenerateSecretHandler implements ICommandHandler<RegenerateSecret> {
  constructor(
    private readonly registrations: Registrations,
    private readonly applications: Applications,
  ) {}

  /** @throws AppError 404, 409 `PUBLIC_CLIENT` */
  async execute({ ownerId, clientId }: RegenerateSecret): Promise<ClientSecretDto> {
    const application = await this.applications.ownedBy(ownerId, clientId);
    if (application.isPublic) throw isPublicClient();
    return { clientSecret: await this.registrations.newSecret(clientId) };
  }
}
