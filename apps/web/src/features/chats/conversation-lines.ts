import type { ShownMessage } from './floating';

/** Messages of one side that follow each other this closely look like one. */
const TOGETHER_MS = 5 * 60_000;

/** A message with what is shown before it. */
export interface ConversationLine {
  readonly message: ShownMessage;
  /** A day separator stands before it. */
  readonly beginsDay: boolean;
  /** It does not follow closely a message of the same side. */
  readonly beginsGroup: boolean;
}

/** The calendar day in the viewer's time zone. */
const dayOf = (iso: string): string => new Date(iso).toDateString();

export function conversationLines(messages: readonly ShownMessage[]): ConversationLine[] {
  return messages.map((message, index) => {
    const before = messages[index - 1];
    const beginsDay = before === undefined || dayOf(before.createdAt) !== dayOf(message.createdAt);
    const isTogether =
      !beginsDay &&
      before?.senderId === message.senderId &&
      Date.parse(message.createdAt) - Date.parse(before.createdAt) < TOGETHER_MS;
    return { message, beginsDay, beginsGroup: !isTogether };
  });
}

const DAY_MS = 24 * 60 * 60_000;
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long' });
const date = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });

/** `Today`, `Yesterday`, the weekday within the last week, then the date. */
export function dayName(iso: string, nowMs: number): string {
  const at = new Date(iso);
  const ago = Math.round((Date.parse(new Date(nowMs).toDateString()) - Date.parse(at.toDateString())) / DAY_MS);
  if (ago <= 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  return ago < 7 ? weekday.format(at) : date.format(at);
}
