import { AppError, notFound } from '../platform/errors/app-error.js';
import { PASSKEYS_MAX } from './limits.js';

/**
 * The same refusal for every fault: an unknown key, another account's, a wrong signature, a used or expired challenge.
 */
export const passkeyRefused = (): AppError =>
  new AppError(403, 'PASSKEY_REFUSED', 'This passkey was not accepted. Please try again.');

/** The same refusal when signing in. */
export const passkeySignInRefused = (): AppError =>
  new AppError(401, 'PASSKEY_REFUSED', 'This passkey was not accepted. Please try again, or use your password.');

/** Browsers allow passkeys only at domain names and over secure connections. */
export const passkeysUnavailable = (): AppError =>
  new AppError(404, 'PASSKEYS_UNAVAILABLE', 'Passkeys cannot be used at this address.');

export const tooManyPasskeys = (): AppError =>
  new AppError(409, 'TOO_MANY_PASSKEYS', `You have ${PASSKEYS_MAX} passkeys, the maximum. Remove one first.`);

export const passkeyKnown = (): AppError => new AppError(409, 'PASSKEY_KNOWN', 'This passkey has been added before.');

/** Recovery codes stand in for passkeys. */
export const noPasskey = (): AppError =>
  new AppError(409, 'NO_PASSKEY', 'Recovery codes replace a passkey. Please add a passkey first.');

export const passkeyNotFound = (): AppError => notFound('This passkey');

export const codeRefused = (): AppError =>
  new AppError(403, 'CODE_REFUSED', 'This recovery code is wrong, or was used before.');
