import type { ChatEvent } from '@app/domain';

/** When a chat came to its end, milliseconds since 1970: shown to members, of no account to the rules. */
export interface ChatTimes {
  /** Declined, expired, terminated or successful. */
  readonly endedAt?: number;
  readonly completedAt?: number;
}

/** The times with one more event. */
export function followTimes(times: ChatTimes, { type, at }: ChatEvent): ChatTimes {
  switch (type) {
    case 'ChatRequestAbandoned':
    case 'ChatDeclined':
    case 'ChatRequestExpired':
    case 'ChatSucceeded':
    case 'ChatTerminated':
      return { ...times, endedAt: at };
    case 'ChatCompleted':
      return { ...times, completedAt: at };
    case 'ChatRequested':
    case 'ChatAccepted':
    case 'ChatMessageSent':
    case 'ChatVerified':
    case 'ChatNudged':
    case 'ChatRated':
      return times;
  }
}
