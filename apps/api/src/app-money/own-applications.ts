import { Injectable } from '@nestjs/common';
import { applicationIdOf, isAccountId } from '@app/domain';
import { type Application, Applications } from '../oauth/applications.js';
import { AppError } from '../platform/errors/app-error.js';

/** An application, and the member who claims to be its developer. */
export interface OwnApplication {
  readonly ownerId: string;
  readonly clientId: string;
}

/** Finds applications for their developers, by their own client id or the test client's. */
@Injectable()
export class OwnApplications {
  constructor(private readonly applications: Applications) {}

  /** @throws AppError 404 `APPLICATION_NOT_FOUND`, also when it is another developer's */
  async find({ ownerId, clientId }: OwnApplication): Promise<Application> {
    const application = isAccountId(clientId)
      ? await this.applications.ownedBy(ownerId, applicationIdOf(clientId))
      : undefined;
    if (application) return { ...application, clientId };
    throw new AppError(404, 'APPLICATION_NOT_FOUND', 'This application was not found.');
  }
}
