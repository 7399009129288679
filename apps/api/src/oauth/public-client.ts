import { AppError } from '../platform/errors/app-error.js';

export const isPublicClient = (): AppError =>
  new AppError(409, 'PUBLIC_CLIENT', 'A public application has no secret. It proves itself with PKCE.');
