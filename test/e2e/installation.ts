import { GOOD_PIN } from '../support/secrets.js';

/** The values that the global setup passes to the tests, through the environment of their processes. */
export const URL_VARIABLE = 'NOVA_E2E_URL';
export const ADMIN_STATE = 'NOVA_E2E_ADMIN_STATE';

export const ADMIN = {
  displayName: 'Grace Hopper',
  email: 'admin@nova.test',
  password: 'correct horse battery',
  pin: GOOD_PIN,
};
