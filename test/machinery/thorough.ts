/**
 * Whether every case runs: true for `npm run test:machinery`. `npm test`, which everybody runs all the time, runs only
 * cases that take seconds.
 */
export const IS_THOROUGH = process.env['MACHINERY'] === 'full';
