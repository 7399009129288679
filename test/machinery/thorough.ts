/**
 * Whether everything is tried: `npm run test:machinery`. Within `npm test`, which everybody runs all the time, only what takes
 * seconds is.
 */
export const IS_THOROUGH = process.env['MACHINERY'] === 'full';
