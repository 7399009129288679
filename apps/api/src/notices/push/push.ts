import { novaText } from '@app/domain';
import { PUSH_TEXT_MAX } from '../limits.js';

/** What notifications tell of; a member chooses among these. */
export const PUSH_KINDS = ['chat_request', 'chat_accepted', 'call', 'message', 'gift'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

export interface PushFacts {
  readonly chatId?: string;
  /** Who wrote, called, asked or gave. */
  readonly otherId?: string;
  /** The row that holds the text. */
  readonly messageId?: string;
  /** Minor units of NOVA, as text. */
  readonly earned?: string;
}

/** A notification for all browsers of a member. */
export interface NewPush {
  readonly memberId: string;
  readonly kind: PushKind;
  /** A later one of the same topic replaces it. */
  readonly topic: string;
  readonly facts: PushFacts;
  /** Milliseconds since 1970: nobody needs it later. */
  readonly expiresAt: number;
}

/** What the service worker gets. */
export interface PushPayload {
  readonly title: string;
  readonly body: string;
  /** The page that it opens, in the client. */
  readonly path: string;
  readonly topic: string;
}

/** What a notification may show of members: their names, and what they wrote. */
export interface PushDetails {
  readonly name: string;
  readonly message: string | undefined;
}

/**
 * What a locked screen shows: who, and what was written, only with `details`, which the member has to allow
 * (rule notices-7).
 */
export function payloadOf(
  kind: PushKind,
  topic: string,
  facts: PushFacts,
  details: PushDetails | undefined,
): PushPayload {
  const path = facts.chatId === undefined ? '/gifts' : `/chat/${facts.chatId}`;
  return { ...wordsOf(kind, facts, details), path: kind === 'chat_request' ? '/?tab=status' : path, topic };
}

function wordsOf(
  kind: PushKind,
  { earned = '0' }: PushFacts,
  details: PushDetails | undefined,
): Pick<PushPayload, 'title' | 'body'> {
  const name = details?.name;
  switch (kind) {
    case 'chat_request':
      return {
        title: name === undefined ? 'New chat request' : `${name} would like to chat with you`,
        body: 'You have 2 minutes to accept.',
      };
    case 'chat_accepted':
      return {
        title: name === undefined ? 'Chat request accepted' : `${name} accepted your chat request`,
        body: 'The chat is open.',
      };
    case 'call':
      return { title: name === undefined ? 'Incoming call' : `${name} is calling`, body: 'Open Nova to answer.' };
    case 'message':
      return { title: name ?? 'New message', body: details?.message === undefined ? '' : shortened(details.message) };
    case 'gift':
      return {
        title: name === undefined ? 'You received a gift' : `${name} sent you a gift`,
        body: details === undefined ? '' : `${novaText(BigInt(earned))} are yours.`,
      };
  }
}

const shortened = (text: string): string => {
  const points = Array.from(text);
  return points.length <= PUSH_TEXT_MAX ? text : `${points.slice(0, PUSH_TEXT_MAX - 1).join('')}…`;
};
