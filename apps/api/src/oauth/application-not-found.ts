import { AppError } from '../platform/errors/app-error.js';

/** Unknown, deleted, or not the caller's to see: the answer is the same. */
export const applicationNotFound = (): AppError =>
  new AppError(404, 'APPLICATION_NOT_FOUND', 'This application was not found.');
