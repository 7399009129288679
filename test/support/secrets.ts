/** What every person in a test signs in with unless the test says otherwise: nothing that a new password or PIN may not be. */
export const GOOD_PASSWORD = 'correct horse';
export const GOOD_PIN = '472916';
