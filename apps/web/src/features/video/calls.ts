import { createContext, use } from 'react';
import type { ServerFrames } from '@/shared/realtime';

/** A call that rings at the member. */
export type Ring = Pick<ServerFrames['video_chat_started'], 'chatId' | 'sessionId' | 'starter' | 'ringsUntil'>;

export interface Calls {
  /** Calls that ring, the oldest first. */
  readonly rings: readonly Ring[];
  /** This page takes part in the chat's call until the returned function is called: there, the call does not ring. */
  readonly enter: (chatId: string) => () => void;
}

const CallsContext = createContext<Calls | null>(null);

export const CallsContextProvider = CallsContext;

export function useCalls(): Calls {
  const calls = use(CallsContext);
  if (calls === null) throw new Error('Calls belong into the shell.');
  return calls;
}
