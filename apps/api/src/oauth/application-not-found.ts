import { AppError } from '../platform/errors/app-error.js';

/** The same answer for unknown, deleted and foreign applications. */
export const applicationNotFound = (): AppError =>
  new AppError(404, 'APPLICATION_NOT_FOUND', 'This application was not found.');
