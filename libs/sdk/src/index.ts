export * from './application.js';
export * from './errors.js';
export type { HttpOptions } from './http.js';
export * from './wallet-change.js';
export * from './webhook-endpoints.js';
export * from './webhooks.js';
