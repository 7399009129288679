import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { expectName } from '../../platform/names.js';
import { applicationNotFound } from '../application-not-found.js';
import { toApplicationDto } from '../application-view.js';
import { type ApplicationChangesDto, type ApplicationDto, INVALID_NAME } from '../application.dto.js';
import { Applications } from '../applications.js';
import { Registrations } from '../registrations.js';

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

  /** @throws AppError 400 `INVALID_NAME` or `RESERVED_NAME`, 404 */
  async execute({ ownerId, clientId, changes }: UpdateApplication): Promise<ApplicationDto> {
    if (changes.name !== undefined) {
      const was = (await this.applications.ownedBy(ownerId, clientId))?.name;
      expectName(changes.name, { field: 'name', code: INVALID_NAME, was });
    }
    await this.registrations.update(ownerId, clientId, changes);
    const updated = await this.applications.ownedBy(ownerId, clientId);
    if (!updated) throw applicationNotFound();
    return toApplicationDto(updated);
  }
}
