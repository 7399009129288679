import { useNavigate } from 'react-router-dom';
import { ApiError, useSignOut } from '@/shared/api';
import { toast } from '@/shared/ui';

/** Sign Out with its toast and its way to / (S0 §7, §8). */
export function useSignOutAction() {
  const navigate = useNavigate();
  return useSignOut({
    onSignedOut() {
      toast({ title: 'Signed out' });
      void navigate('/');
    },
    onError(error) {
      toast({
        title: 'Error',
        description: error instanceof ApiError ? error.sentence : error.message,
        variant: 'destructive',
      });
    },
  });
}
