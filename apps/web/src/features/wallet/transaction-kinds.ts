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
import { ROW_LABELS, type StatementType } from '@app/domain';
import type { Query } from '@/shared/api';

interface TransactionKind {
  label: string;
  icon: LucideIcon;
}

/** A type without an icon of its own has arrows. */
const ICONS: Readonly<Partial<Record<StatementType, LucideIcon>>> = {
  purchase: CreditCard,
  purchase_refund: Undo2,
  purchase_reinstated: CreditCard,
  shortfall_repaid: Undo2,
  gift_send: Gift,
  gift_receive: Gift,
  chat_initiate: MessageCircle,
  chat_receive: MessageCircle,
  chat_refund: RotateCcw,
  quest_reward: Trophy,
  influence_reward: Sparkles,
  karma_reward: Award,
  thread_reward: Sparkles,
  card_unlock_send: LockOpen,
  card_unlock_receive: LockOpen,
  card_upvote_send: ThumbsUp,
  card_upvote_receive: ThumbsUp,
  card_navigate_send: Eye,
  card_navigate_receive: Eye,
  wall_comment_send: SquarePen,
  wall_comment_receive: SquarePen,
  feed_scroll_send: ScrollText,
  feed_scroll_receive: ScrollText,
  app_wallet_fund: Wallet,
  app_wallet_withdraw: Wallet,
  burn: Flame,
  admin_grant: PlusCircle,
  admin_deduct: MinusCircle,
  gift_send_reversed: Undo2,
  gift_receive_reversed: Undo2,
  app_spend_reversed: Undo2,
  app_earn_reversed: Undo2,
  admin_grant_reversed: Undo2,
  admin_deduct_reversed: Undo2,
  account_closed: UserX,
};

/** The extra row "Rewards not yet credited": what pools owe, which no event has moved yet. */
export const ACCRUED_TYPE = 'accrued';

export const transactionTypes: readonly { value: string; label: string }[] = Object.entries(ROW_LABELS).map(
  ([value, label]) => ({ value, label }),
);

type TransactionType = NonNullable<Query<'/api/nova/transactions'>['type']>;

export const isTransactionType = (text: string): text is TransactionType => Object.hasOwn(ROW_LABELS, text);

/** How to show a type; an unknown type is shown by its name. */
export function transactionKind(type: string): TransactionKind {
  if (type === ACCRUED_TYPE) return { label: 'Rewards not yet credited', icon: Hourglass };
  if (isTransactionType(type)) return { label: ROW_LABELS[type], icon: ICONS[type] ?? ArrowLeftRight };
  return { label: type.replaceAll('_', ' '), icon: ArrowLeftRight };
}
