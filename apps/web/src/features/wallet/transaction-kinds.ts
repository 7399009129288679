import {
  ArrowLeftRight,
  Award,
  CreditCard,
  Eye,
  Flame,
  Gift,
  Hourglass,
  LockOpen,
  MessageCircle,
  MinusCircle,
  PlusCircle,
  RotateCcw,
  ScrollText,
  Sparkles,
  SquarePen,
  ThumbsUp,
  Trophy,
  Undo2,
  UserX,
  Wallet,
  type LucideIcon,
} from 'lucide-react';
import type { StatementType } from '@app/domain';
import type { Query } from '@/shared/api';

interface TransactionKind {
  label: string;
  icon: LucideIcon;
}

/** Every type of statement row (rule wallet-2), in the order in which a filter lists them. */
const KINDS = {
  purchase: { label: 'Top-up', icon: CreditCard },
  purchase_refund: { label: 'Top-up refunded', icon: Undo2 },
  purchase_reinstated: { label: 'Refund undone', icon: CreditCard },
  shortfall_repaid: { label: 'Refund repaid', icon: Undo2 },
  gift_send: { label: 'Gift sent', icon: Gift },
  gift_receive: { label: 'Gift received', icon: Gift },
  chat_initiate: { label: 'Chat started', icon: MessageCircle },
  chat_receive: { label: 'Chat earned', icon: MessageCircle },
  chat_refund: { label: 'Chat refunded', icon: RotateCcw },
  quest_reward: { label: 'Quest reward', icon: Trophy },
  influence_reward: { label: 'Influence reward', icon: Sparkles },
  karma_reward: { label: 'Karma reward', icon: Award },
  thread_reward: { label: 'Thread reward', icon: Sparkles },
  card_unlock_send: { label: 'Card unlocked', icon: LockOpen },
  card_unlock_receive: { label: 'My card unlocked', icon: LockOpen },
  card_upvote_send: { label: 'Upvote given', icon: ThumbsUp },
  card_upvote_receive: { label: 'Upvote received', icon: ThumbsUp },
  card_navigate_send: { label: 'Card viewed', icon: Eye },
  card_navigate_receive: { label: 'My card viewed', icon: Eye },
  wall_comment_send: { label: 'Wall comment written', icon: SquarePen },
  wall_comment_receive: { label: 'Wall comment received', icon: SquarePen },
  feed_scroll_send: { label: 'Post viewed', icon: ScrollText },
  feed_scroll_receive: { label: 'My post viewed', icon: ScrollText },
  app_spend: { label: 'Spent at an app', icon: ArrowLeftRight },
  app_earn: { label: 'Earned from an app', icon: ArrowLeftRight },
  app_wallet_fund: { label: 'App wallet funded', icon: Wallet },
  app_wallet_withdraw: { label: 'App wallet emptied', icon: Wallet },
  burn: { label: 'Burned for Seyvn', icon: Flame },
  admin_grant: { label: 'Added by an admin', icon: PlusCircle },
  admin_deduct: { label: 'Deducted by an admin', icon: MinusCircle },
  gift_send_reversed: { label: 'Gift sent, returned', icon: Undo2 },
  gift_receive_reversed: { label: 'Gift received, taken back', icon: Undo2 },
  app_spend_reversed: { label: 'Spent at an app, returned', icon: Undo2 },
  app_earn_reversed: { label: 'Earned from an app, taken back', icon: Undo2 },
  admin_grant_reversed: { label: 'Added by an admin, taken back', icon: Undo2 },
  admin_deduct_reversed: { label: 'Deducted by an admin, returned', icon: Undo2 },
  account_closed: { label: 'Account closed', icon: UserX },
} as const satisfies Record<StatementType, TransactionKind>;

/** The extra row "Rewards not yet credited": what pools owe, which no event has moved yet. */
export const ACCRUED_TYPE = 'accrued';

export const transactionTypes: readonly { value: string; label: string }[] = Object.entries(KINDS).map(
  ([value, { label }]) => ({ value, label }),
);

type TransactionType = NonNullable<Query<'/api/nova/transactions'>['type']>;

export const isTransactionType = (text: string): text is TransactionType => Object.hasOwn(KINDS, text);

/** How to show a type; an unknown type is shown by its name. */
export function transactionKind(type: string): TransactionKind {
  if (type === ACCRUED_TYPE) return { label: 'Rewards not yet credited', icon: Hourglass };
  return isTransactionType(type) ? KINDS[type] : { label: type.replaceAll('_', ' '), icon: ArrowLeftRight };
}
