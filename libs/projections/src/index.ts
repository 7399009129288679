export * from './read-model.js';
