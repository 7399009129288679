export { DiscoveryGrid } from './discovery-grid';
