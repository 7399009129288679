/**
 * The secrets with which everybody in a test signs in by default. They satisfy the rules for new passwords and PINs.
 */
export const GOOD_PASSWORD = 'correct horse';
export const GOOD_PIN = '472916';
