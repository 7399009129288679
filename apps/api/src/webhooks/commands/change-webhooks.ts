import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Developer } from '../../oauth/needs-application.js';
import { FreshProofs } from '../../platform/auth/fresh-proofs.js';
import { OwnApplications } from '../../oauth/own-applications.js';
import { toWebhookDto } from '../webhook-view.js';
import { WebhookEndpoints } from '../webhook-endpoints.js';
import type { NewSecretDto, NewWebhookDto, RotatedSecretDto, WebhookChangesDto, WebhookDto } from '../webhooks.dto.js';

/** The application is told of these events at this address. */
export class AddWebhook extends Command<NewSecretDto> {
  constructor(
    readonly ownerId: string,
    readonly clientId: string,
    readonly webhook: NewWebhookDto,
  ) {
    super();
  }
}

@CommandHandler(AddWebhook)
export class AddWebhookHandler implements ICommandHandler<AddWebhook> {
  constructor(
    private readonly applications: OwnApplications,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  /** @throws AppError 400 `INVALID_URL`, 404, 409 `WEBHOOK_LIMIT` */
  async execute({ ownerId, clientId, webhook }: AddWebhook): Promise<NewSecretDto> {
    await this.applications.find({ ownerId, clientId });
    return this.endpoints.add({ clientId, ownerId }, webhook);
  }
}

/** Another address, other events, or on and off. */
export class ChangeWebhook extends Command<WebhookDto> {
  constructor(
    readonly owner: Developer,
    readonly clientId: string,
    readonly id: string,
    readonly changes: WebhookChangesDto,
  ) {
    super();
  }
}

@CommandHandler(ChangeWebhook)
export class ChangeWebhookHandler implements ICommandHandler<ChangeWebhook> {
  constructor(
    private readonly applications: OwnApplications,
    private readonly endpoints: WebhookEndpoints,
    private readonly proofs: FreshProofs,
  ) {}

  /**
   * Members' facts go to the address: for another one, a developer with a passkey needs a fresh proof, and the
   * application its secret.
   * @throws AppError 400 `INVALID_URL`, 403 `FRESH_PROOF_NEEDED`, 404
   */
  async execute({ owner, clientId, id, changes }: ChangeWebhook): Promise<WebhookDto> {
    await this.applications.find({ ownerId: owner.id, clientId });
    const before = await this.endpoints.find({ clientId, id });
    const isElsewhere = changes.url !== undefined && changes.url !== before.url;
    if (isElsewhere && owner.session) await this.proofs.require(owner.session);
    return toWebhookDto(await this.endpoints.change({ clientId, id }, changes));
  }
}

/** The application is told nothing there any more. */
export class DeleteWebhook extends Command<void> {
  constructor(
    readonly ownerId: string,
    readonly clientId: string,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteWebhook)
export class DeleteWebhookHandler implements ICommandHandler<DeleteWebhook> {
  constructor(
    private readonly applications: OwnApplications,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  /** @throws AppError 404 */
  async execute({ ownerId, clientId, id }: DeleteWebhook): Promise<void> {
    await this.applications.find({ ownerId, clientId });
    await this.endpoints.remove({ clientId, id });
  }
}

/** A new secret, which is shown once. */
export class RotateWebhookSecret extends Command<RotatedSecretDto> {
  constructor(
    readonly ownerId: string,
    readonly clientId: string,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(
    private readonly applications: OwnApplications,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  /** @throws AppError 404 */
  async execute({ ownerId, clientId, id }: RotateWebhookSecret): Promise<RotatedSecretDto> {
    await this.applications.find({ ownerId, clientId });
    const { secret, previousUntil } = await this.endpoints.rotateSecret({ clientId, id });
    return { id, secret, previousUntil: previousUntil.toISOString() };
  }
}
