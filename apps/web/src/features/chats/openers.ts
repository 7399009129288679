import { isolated } from '@app/domain';
import type { ChatView } from './chat-types';

/** Three ways to begin a chat in which nothing has been said. */
export const openersFor = ({ side, initiator, host }: ChatView): readonly string[] =>
  side === 'initiator'
    ? [
        `Hi ${isolated(host.displayName)}! What made you smile today?`,
        'If you had a whole free day tomorrow, how would you spend it?',
        'What are you working on that you would love to talk about?',
      ]
    : [
        `Hi ${isolated(initiator.displayName)}, thank you for asking me! What brings you here?`,
        'What would you like to talk about?',
        'How was your day so far? Tell me the best part.',
      ];
