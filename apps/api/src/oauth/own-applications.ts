import { Injectable } from '@nestjs/common';
import { applicationIdOf } from '@app/domain';
import { type Application, Applications } from './applications.js';

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
    return { ...(await this.applications.ownedBy(ownerId, applicationIdOf(clientId))), clientId };
  }
}
