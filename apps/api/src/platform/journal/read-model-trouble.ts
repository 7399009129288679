import { Injectable } from '@nestjs/common';
import { Projections } from '@app/projections';
import { AppError } from '../errors/app-error.js';

const UNFORESEEN = 500;

/**
 * While a read model is of another release than this program, queries miss its tables or columns, and what they make of old
 * rows may miss fields. That is no fault of the query: it passes when the rebuild is done.
 */
@Injectable()
export class ReadModelTrouble {
  constructor(private readonly runner: Pick<Projections, 'isBetweenVersions'>) {}

  /** The error itself, or, where it is unforeseen and a read model waits for its rebuild, a 503. Never rejects. */
  async explain(error: AppError): Promise<AppError> {
    if (error.statusCode !== UNFORESEEN) return error;
    if (!(await this.isBetweenVersions())) return error;
    return new AppError(
      503,
      'READ_MODEL_REBUILDING',
      'This is being updated after an upgrade. Try again in a moment.',
      { retryAfterSeconds: 5, cause: error },
    );
  }

  private async isBetweenVersions(): Promise<boolean> {
    try {
      return await this.runner.isBetweenVersions();
    } catch {
      // The database is away too: nobody can tell.
      return false;
    }
  }
}
