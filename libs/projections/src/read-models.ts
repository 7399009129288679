import { applications } from './app-money/applications.js';
import { approvals } from './admin/approvals.js';
import { audit } from './admin/audit.js';
import { balances } from './wallet/balances.js';
import { cards } from './discovery/cards.js';
import { chats } from './chats/chats.js';
import { daily } from './finance/daily.js';
import { engagement } from './feed/engagement.js';
import { entries } from './finance/entries.js';
import { follows } from './members/follows.js';
import { generalLedger } from './finance/general-ledger.js';
import { gifts } from './gifts/gifts.js';
import { keyIndex } from './key-index/key-index.js';
import { memberChats } from './chats/member-chats.js';
import { poolRewards } from './pools/pool-rewards.js';
import { posts } from './feed/posts.js';
import { quests } from './quests/quests.js';
import { ratings } from './chats/ratings.js';
import { receivables } from './payments/receivables.js';
import type { ReadModel } from './read-model.js';
import { statement } from './wallet/statement.js';
import { threads } from './nexus/threads.js';
import { totals } from './finance/totals.js';
import { watchCrossings } from './admin/watch-crossings.js';

/**
 * All read models: first those that use the ledger alone, then those that also use the streams of chats and members.
 */
export const readModels: readonly ReadModel[] = [
  balances,
  statement,
  entries,
  generalLedger,
  gifts,
  applications,
  keyIndex,
  totals,
  poolRewards,
  receivables,
  chats,
  memberChats,
  ratings,
  threads,
  follows,
  cards,
  posts,
  engagement,
  quests,
  audit,
  approvals,
  watchCrossings,
  daily,
];
