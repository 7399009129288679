import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { applicationNotFound } from '../application-not-found.js';
import { toApplicationDto } from '../application-view.js';
import type { ApplicationChangesDto, ApplicationDto } from '../application.dto.js';
import { Applications } from '../applications.js';
import { Registrations } from '../registrations.js';
import { withOpenid } from '../scopes.js';

export class UpdateApplication extends Command<ApplicationDto> {
  constructor(
    readonly ownerId: string,
    readonly clientId: string,
    readonly changes: ApplicationChangesDto,
  ) {
    super();
  }
}

/** Changes what an application says about itself, and switches it off and on. */
@CommandHandler(UpdateApplication)
export class UpdateApplicationHandler implements ICommandHandler<UpdateApplication> {
  constructor(
    private readonly registrations: Registrations,
    private readonly applications: Applications,
  ) {}

  /** @throws AppError 404 */
  async execute({ ownerId, clientId, changes }: UpdateApplication): Promise<ApplicationDto> {
    const current = await this.applications.ownedBy(ownerId, clientId);
    if (!current) throw applicationNotFound();
    await this.registrations.update(ownerId, clientId, {
      name: changes.name ?? current.name,
      description: changed(changes.description, current.description),
      logoUrl: changed(changes.logoUrl, current.logoUrl),
      applicationUrl: changed(changes.applicationUrl, current.applicationUrl),
      redirectUris: changes.redirectUris ?? current.redirectUris,
      scopes: changes.scopes ? withOpenid(changes.scopes) : current.scopes,
      isActive: changes.isActive ?? current.isActive,
    });
    const updated = await this.applications.ownedBy(ownerId, clientId);
    if (!updated) throw applicationNotFound();
    return toApplicationDto(updated);
  }
}

const changed = (change: string | null | undefined, current: string | null): string | null =>
  change === undefined ? current : change || null;
