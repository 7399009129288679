import { Coins, Gift, MessageCircle, MessagesSquare, Target, type LucideIcon } from 'lucide-react';

export interface QuestKind {
  /** The titles of quest types (rule quests-9). */
  title: string;
  /** What members should know about how it counts. */
  counting?: string;
  icon: LucideIcon;
}

const KINDS: Readonly<Record<string, QuestKind>> = {
  chats_completed: { title: 'Complete Chats', icon: MessagesSquare },
  messages_sent: {
    title: 'Send Messages',
    counting: 'Messages count once their chat is successful.',
    icon: MessageCircle,
  },
  nova_earned: { title: 'Earn Nova', icon: Coins },
  gifts_sent: { title: 'Send Gifts', icon: Gift },
};

const OTHER: QuestKind = { title: 'Complete Tasks', icon: Target };

/** The title and icon of a quest type. */
export const questKind = (type: string): QuestKind => KINDS[type] ?? OTHER;

/** The types that a new quest may have. */
export const QUEST_TYPES: readonly string[] = Object.keys(KINDS);

/** Formats a count: Nova with decimals, anything else as a whole number. */
export const formatCount = (type: string, count: number): string =>
  count.toLocaleString('en-US', { maximumFractionDigits: 2, minimumFractionDigits: isWholeCount(type, count) ? 0 : 2 });

const isWholeCount = (type: string, count: number): boolean => type !== 'nova_earned' || Number.isInteger(count);
