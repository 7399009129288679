import { useNavigate } from 'react-router-dom';
import { ApiError, useSignOut } from '@/shared/api';
import { failureToast, toast } from '@/shared/ui';

/**
 * Sign Out, with its toast and its way to / (rule screens-13).
 * @param onError reports the failure; when absent, a toast gives the reason
 */
export function useSignOutAction(onError: (error: Error) => void = sayWhy) {
  const navigate = useNavigate();
  return useSignOut({
    onSignedOut() {
      toast({ title: 'Signed out' });
      void navigate('/');
    },
    onError,
  });
}

function sayWhy(error: Error): void {
  failureToast('Error', error instanceof ApiError ? error.sentence : error.message);
}
