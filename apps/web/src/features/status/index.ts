export { StatusTab } from './status-tab';
export type { InfluenceInventory, PoolShare } from './status-types';
export { useInboundChats, useMyChats } from './use-status';
