export { DiscoveryGrid, MemberCard } from './discovery-grid';
