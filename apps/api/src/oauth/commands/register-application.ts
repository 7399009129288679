import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AppError } from '../../platform/errors/app-error.js';
import { toApplicationDto } from '../application-view.js';
import type { RegisterApplicationDto, RegisteredApplicationDto } from '../application.dto.js';
import { refuseAppLinks } from '../application-urls.js';
import { Applications } from '../applications.js';
import { APPLICATIONS_MAX } from '../limits.js';
import { Registrations } from '../registrations.js';
import { DEFAULT_SCOPES, withOpenid } from '../scopes.js';

export class RegisterApplication extends Command<RegisteredApplicationDto> {
  constructor(
    readonly ownerId: string,
    readonly application: RegisterApplicationDto,
  ) {
    super();
  }
}

/** Registers an application. The answer shows its secret once and never again (rule oauth-3). */
@CommandHandler(RegisterApplication)
export class RegisterApplicationHandler implements ICommandHandler<RegisterApplication> {
  constructor(
    private readonly registrations: Registrations,
    private readonly applications: Applications,
  ) {}

  /** @throws AppError 400 `INVALID_REDIRECT_URI`, 409 `TOO_MANY_APPLICATIONS` */
  async execute({ ownerId, application }: RegisterApplication): Promise<RegisteredApplicationDto> {
    const { redirectUris, isPublic = false } = application;
    refuseAppLinks(redirectUris, isPublic);
    const credentials = await this.registrations.register({
      ownerId,
      name: application.name,
      description: application.description || null,
      logoUrl: application.logoUrl || null,
      applicationUrl: application.applicationUrl || null,
      redirectUris,
      scopes: withOpenid(application.scopes ?? DEFAULT_SCOPES),
      requirePkce: application.requirePkce ?? false,
      deviceFlow: application.deviceFlow ?? false,
      isPublic,
    });
    const registered = credentials && (await this.applications.ownedBy(ownerId, credentials.clientId));
    if (!registered) {
      const message = `You have ${APPLICATIONS_MAX} applications, the maximum.`;
      throw new AppError(409, 'TOO_MANY_APPLICATIONS', message);
    }
    return { message: 'Application registered', ...credentials, application: toApplicationDto(registered) };
  }
}
