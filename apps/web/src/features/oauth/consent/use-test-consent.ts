import { useMutation, useQuery } from '@tanstack/react-query';
import { api, type Answer } from '@/shared/api';
import { errorToast } from '@/shared/ui';
import { oauthKeys } from '../oauth-keys';
import { webAddress } from '../web-address';
import type { ConsentRequest } from './consent-request';
import { type Decision, useComingBack } from './use-consent';

export type TestConsentScreen = Answer<'/api/oauth/test-consent/{clientId}'>;

/** The application that asks, and its made-up members. */
export const useTestConsentScreen = (clientId: string | undefined) =>
  useQuery<TestConsentScreen>({
    queryKey: oauthKeys.testConsent(clientId ?? ''),
    enabled: clientId !== undefined,
    refetchOnMount: 'always',
    gcTime: 0,
  });

/** Sends the decision of a made-up member and goes where the server says. */
export function useTestDecision(request: ConsentRequest) {
  const decision = useMutation({
    mutationFn: (body: Decision & { member: string }) =>
      api.post('/api/oauth/test-consent', {
        body: { client_id: request.clientId, redirect_uri: request.redirectUri, ...request.carried, ...body },
      }),
    onSuccess({ redirect_url: redirectUrl }) {
      const address = webAddress(new URL(redirectUrl, window.location.href).href);
      if (address !== null) window.location.assign(address);
    },
    onError: (error) => errorToast('Sign-In Failed', error, 'Nobody was signed in.'),
  });
  useComingBack(() => decision.reset());
  const { isPending, isSuccess, mutate, variables } = decision;
  // Also while the browser is leaving.
  return { decide: mutate, decided: variables, isBusy: isPending || isSuccess };
}
