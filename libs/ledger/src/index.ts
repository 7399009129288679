export * from './writer-port.js';
