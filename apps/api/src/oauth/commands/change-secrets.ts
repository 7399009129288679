import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApplicationSecrets } from '../application-secrets.js';
import { Applications } from '../applications.js';
import type { MadeSecretDto } from '../credential.dto.js';
import { toSecretDto } from '../credential-view.js';
import { isPublicClient } from '../public-client.js';

/** A second secret beside the first, so that programs can change over one after the other (rule oauth-26). */
export class CreateSecret extends Command<MadeSecretDto> {
  constructor(
    readonly ownerId: string,
    readonly clientId: string,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(CreateSecret)
export class CreateSecretHandler implements ICommandHandler<CreateSecret> {
  constructor(
    private readonly secrets: ApplicationSecrets,
    private readonly applications: Applications,
  ) {}

  /** @throws AppError 404, 409 `PUBLIC_CLIENT` or `SECRET_LIMIT` */
  async execute({ ownerId, clientId, name }: CreateSecret): Promise<MadeSecretDto> {
    const application = await this.applications.ownedBy(ownerId, clientId);
    if (application.isPublic) throw isPublicClient();
    const { secret, ...made } = await this.secrets.add(clientId, name);
    return { ...toSecretDto(made), clientSecret: secret };
  }
}

/** The secret and the application's own tokens for it end at once. */
export class RevokeSecret extends Command<void> {
  constructor(
    readonly ownerId: string,
    readonly clientId: string,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeSecret)
export class RevokeSecretHandler implements ICommandHandler<RevokeSecret> {
  constructor(
    private readonly secrets: ApplicationSecrets,
    private readonly applications: Applications,
  ) {}

  /** @throws AppError 404, 409 `LAST_SECRET` */
  async execute({ ownerId, clientId, id }: RevokeSecret): Promise<void> {
    await this.applications.ownedBy(ownerId, clientId);
    await this.secrets.revoke(clientId, id);
  }
}
