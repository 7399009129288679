import { Injectable } from '@nestjs/common';
import { applicationNotFound } from '../oauth/application-not-found.js';
import { Applications } from '../oauth/applications.js';

/** Finds applications for their developers alone. */
@Injectable()
export class OwnApplication {
  constructor(private readonly applications: Applications) {}

  /** @throws AppError 404, also if the application is another developer's */
  async expect(ownerId: string, clientId: string): Promise<void> {
    if (!(await this.applications.ownedBy(ownerId, clientId))) throw applicationNotFound();
  }
}
