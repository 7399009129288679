export { ThreadConnections } from './thread-connections';
