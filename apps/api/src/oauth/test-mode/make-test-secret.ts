import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ClientSecretDto } from '../application.dto.js';
import { TestClients } from './test-clients.js';

export class MakeTestSecret extends Command<ClientSecretDto> {
  constructor(
    readonly ownerId: string,
    readonly applicationId: string,
  ) {
    super();
  }
}

/** Makes the secret of a test client, or another one in its place. It moves nothing of value: no fresh proof is asked for. */
@CommandHandler(MakeTestSecret)
export class MakeTestSecretHandler implements ICommandHandler<MakeTestSecret> {
  constructor(private readonly clients: TestClients) {}

  /** @throws AppError 404, 409 `PUBLIC_CLIENT` */
  async execute({ ownerId, applicationId }: MakeTestSecret): Promise<ClientSecretDto> {
    return { clientSecret: await this.clients.newSecret(await this.clients.ownedBy(ownerId, applicationId)) };
  }
}
