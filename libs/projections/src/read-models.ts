import { applications } from './applications/applications.js';
import { audit } from './audit/audit.js';
import { balances } from './balances/balances.js';
import { cards } from './cards/cards.js';
import { chats } from './chats/chats.js';
import { daily } from './daily/daily.js';
import { engagement } from './engagement/engagement.js';
import { entries } from './entries/entries.js';
import { follows } from './follows/follows.js';
import { gifts } from './gifts/gifts.js';
import { keyIndex } from './key-index/key-index.js';
import { memberChats } from './member-chats/member-chats.js';
import { poolRewards } from './pool-rewards/pool-rewards.js';
import { posts } from './posts/posts.js';
import { quests } from './quests/quests.js';
import { ratings } from './ratings/ratings.js';
import type { ReadModel } from './read-model.js';
import { statement } from './statement/statement.js';
import { threads } from './threads/threads.js';
import { totals } from './totals/totals.js';

/** Every read model there is: what is made of the ledger alone, then what has the streams of chats and members in it. */
export const readModels: readonly ReadModel[] = [
  balances,
  statement,
  entries,
  gifts,
  applications,
  keyIndex,
  totals,
  poolRewards,
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
  daily,
];
