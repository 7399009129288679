import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { TestClients } from '../../oauth/test-mode/test-clients.js';
import { AccountErasure } from '../../platform/account-erasure.js';
import { MovementNotes } from '../movement-notes.js';

export class ResetTestData extends Command<void> {
  constructor(
    readonly ownerId: string,
    readonly applicationId: string,
  ) {
    super();
  }
}

/**
 * Gives an application's test mode other made-up members, with a new stream. The old stream stays as it is: nothing is ever
 * taken out of the event store.
 */
@CommandHandler(ResetTestData)
export class ResetTestDataHandler implements ICommandHandler<ResetTestData> {
  constructor(
    private readonly clients: TestClients,
    private readonly notes: MovementNotes,
    erasure: AccountErasure,
  ) {
    // What an application wrote in test mode goes with its developer.
    erasure.register(async (accountId) => {
      await this.notes.discardOf(await this.clients.idsOf(accountId));
      return 0;
    });
  }

  /** @throws AppError 404, 429 it was reset too often today */
  async execute({ ownerId, applicationId }: ResetTestData): Promise<void> {
    const client = await this.clients.ownedBy(ownerId, applicationId);
    await this.clients.reset(client);
    await this.notes.discardOf([client.clientId]);
  }
}
