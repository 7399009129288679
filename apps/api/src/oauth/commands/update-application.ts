import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FreshProofs } from '../../platform/auth/fresh-proofs.js';
import type { SignedInMember } from '../../platform/auth/member.js';
import { expectName } from '../../platform/names.js';
import { toApplicationDto } from '../application-view.js';
import { type ApplicationChangesDto, type ApplicationDto, INVALID_NAME } from '../application.dto.js';
import { refuseAppLinks } from '../application-urls.js';
import { Applications } from '../applications.js';
import { Registrations } from '../registrations.js';

export class UpdateApplication extends Command<ApplicationDto> {
  constructor(
    readonly owner: SignedInMember,
    readonly clientId: string,
    readonly changes: ApplicationChangesDto,
  ) {
    super();
  }
}

/** Changes an application's description, and switches it off and on. */
@CommandHandler(UpdateApplication)
export class UpdateApplicationHandler implements ICommandHandler<UpdateApplication> {
  constructor(
    private readonly registrations: Registrations,
    private readonly applications: Applications,
    private readonly proofs: FreshProofs,
  ) {}

  /**
   * Redirect URIs are as sensitive as the secret: a developer with a passkey needs a fresh proof.
   * @throws AppError 400 `INVALID_NAME`, `RESERVED_NAME` or `INVALID_REDIRECT_URI`, 403 `FRESH_PROOF_NEEDED`, 404
   */
  async execute({ owner, clientId, changes }: UpdateApplication): Promise<ApplicationDto> {
    const before = await this.applications.ownedBy(owner.id, clientId);
    const { name, redirectUris } = changes;
    if (redirectUris) refuseAppLinks(redirectUris, before.isPublic);
    if (redirectUris && redirectUris.join(' ') !== before.redirectUris.join(' ')) await this.proofs.require(owner);
    if (name !== undefined) expectName(name, { field: 'name', code: INVALID_NAME, was: before.name });
    await this.registrations.update(owner.id, clientId, changes);
    return toApplicationDto(await this.applications.ownedBy(owner.id, clientId));
  }
}
