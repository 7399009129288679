export { StatusTab } from './status-tab';
export type { PoolShare } from './status-types';
export { useInboundChats, useMyChats } from './use-status';
