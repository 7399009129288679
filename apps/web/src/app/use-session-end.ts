import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { toast } from '@/shared/ui';
import { watchMember } from './member-watch';

/** Where a session that ends shows Access Denied instead of the landing screen (rule screens-4). */
export const DENIED_PATH = '/wallet';

/** The path where the session ended by itself; null while it has not. */
export function useSessionEnd(): string | null {
  const client = useQueryClient();
  const [endedAt, setEndedAt] = useState<string | null>(null);
  useEffect(
    () =>
      watchMember(client, (memberId) => {
        const { pathname } = window.location;
        setEndedAt(memberId === null ? pathname : null);
        if (memberId === null && pathname !== DENIED_PATH) {
          toast({ title: 'Session ended', description: 'Sign in again to continue.' });
        }
      }),
    [client],
  );
  return endedAt;
}
