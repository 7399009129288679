export { SANDBOX_BALANCE_SQL, SANDBOX_SCHEMA_SQL } from './schema.js';
export { createStandInClient, STAND_IN_PATH, StripeStandIn } from './stand-in.js';
export { SandboxStripeError } from './stripe-objects.js';
