import { InvalidCursor } from '@app/projections';
import { AppError } from '../platform/errors/app-error.js';

/** Runs a query that takes a caller's cursor. @throws AppError 400 `INVALID_CURSOR` */
export async function withCursor<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof InvalidCursor) throw new AppError(400, error.code, error.message, { cause: error });
    throw error;
  }
}
