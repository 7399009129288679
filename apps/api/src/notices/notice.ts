import { novaText } from '@app/domain';
import { type SecurityNotice, sentenceOf } from '../identity/security-notice.js';

/** What notices tell of. */
export const NOTICE_KINDS = [
  'chat_request',
  'chat_accepted',
  'chat_declined',
  'chat_expired',
  'chat_ended',
  'chat_succeeded',
  'reward_released',
  'call_missed',
  'call_ended',
  'gift_received',
  'quest_completed',
  'webhook_off',
  'webhook_dropped',
  'security',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What a notice's row holds: ids and amounts, and no names. */
export interface NoticeFacts {
  readonly chatId?: string;
  /** The other member. */
  readonly otherId?: string;
  /** Minor units of NOVA that came back to the member, as text. */
  readonly refunded?: string;
  /** Minor units of NOVA that the member got, as text. */
  readonly earned?: string;
  /** INFLUENCE that was minted. */
  readonly influence?: number;
  readonly questId?: string;
  /** Of a call that took place. */
  readonly seconds?: number;
  /** An application of the member. */
  readonly clientId?: string;
  readonly security?: SecurityNotice;
}

/** A notice for one member, before it is stored. */
export interface NewNotice {
  readonly memberId: string;
  /** What it tells of, by which it is told once: an event's id for instance. */
  readonly source: string;
  readonly kind: NoticeKind;
  readonly facts: NoticeFacts;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface NoticeText {
  readonly title: string;
  readonly text: string;
  /** The page that it leads to, in the client. */
  readonly path: string;
}

const nova = (minor: string | undefined): string | undefined =>
  minor === undefined || minor === '0' ? undefined : novaText(BigInt(minor));

/** Names that a notice's ids stand for. */
export interface NoticeNames {
  readonly other: string;
  /** Null: the quest was deleted. */
  readonly quest: string | null;
  readonly application: string | null;
}

/** What a notice says, and where it leads. */
export function textOf(kind: NoticeKind, facts: NoticeFacts, { other, quest, application }: NoticeNames): NoticeText {
  const chat = facts.chatId === undefined ? '/?tab=status' : `/chat/${facts.chatId}`;
  switch (kind) {
    case 'chat_request':
      return { title: 'Chat request', text: `${other} would like to chat with you.`, path: '/?tab=status' };
    case 'chat_accepted':
      return { title: 'Chat accepted', text: `${other} accepted your chat request.`, path: chat };
    case 'chat_declined':
      return { title: 'Chat declined', text: `${other} declined your chat request.${money(facts)}`, path: chat };
    case 'chat_expired':
      return { title: 'Request expired', text: `${other} did not answer in time.${money(facts)}`, path: chat };
    case 'chat_ended':
      return { title: 'Chat ended', text: `Your chat with ${other} ended early.${money(facts)}`, path: chat };
    case 'chat_succeeded':
      return {
        title: 'Chat successful',
        text: `Your chat with ${other} was successful. Rate it to get your reward.`,
        path: chat,
      };
    case 'reward_released':
      return { title: 'Reward released', text: rewardOf(facts), path: '/payout-history' };
    case 'call_missed':
      return { title: 'Missed call', text: `${other} called you.`, path: chat };
    case 'call_ended':
      return { title: 'Call ended', text: `Your call with ${other} lasted ${durationOf(facts)}.`, path: chat };
    case 'gift_received':
      return { title: 'Gift received', text: `${other} sent you a gift.${money(facts)}`, path: '/gifts' };
    case 'quest_completed':
      return {
        title: 'Quest completed',
        text: `You completed ${quest === null ? 'a quest' : `“${quest}”`}. Claim your reward.`,
        path: '/quests',
      };
    case 'webhook_off':
      return {
        title: 'Webhook switched off',
        text: `A webhook of ${application ?? 'an application'} could not be reached. Its deliveries wait until you switch it on.`,
        path: `/developer/apps/${facts.clientId ?? ''}`,
      };
    case 'webhook_dropped':
      return {
        title: 'Webhook deliveries dropped',
        text: `Deliveries to a webhook of ${application ?? 'an application'} were dropped before they were sent: they were too old or too many.`,
        path: `/developer/apps/${facts.clientId ?? ''}`,
      };
    case 'security':
      return {
        title: 'Security',
        text: facts.security ? sentenceOf(facts.security) : '',
        path: '/profile?tab=settings',
      };
  }
}

function money({ refunded, earned }: NoticeFacts): string {
  const [back, got] = [nova(refunded), nova(earned)];
  return (back === undefined ? '' : ` ${back} came back to you.`) + (got === undefined ? '' : ` ${got} are yours.`);
}

function rewardOf({ earned, influence = 0 }: NoticeFacts): string {
  const parts = [nova(earned), influence > 0 ? `${influence} Influence` : undefined].filter(
    (part) => part !== undefined,
  );
  return `The reward of a chat is yours: ${parts.join(' and ')}.`;
}

function durationOf({ seconds = 0 }: NoticeFacts): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
