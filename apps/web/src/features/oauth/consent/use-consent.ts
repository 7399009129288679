import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { api, type Answer } from '@/shared/api';
import { errorToast, failureToast } from '@/shared/ui';
import { oauthKeys } from '../oauth-keys';
import type { Scope } from '../scopes';
import { webAddress } from '../web-address';
import type { ConsentRequest } from './consent-request';

export type ClientInfo = Answer<'/api/oauth/client-info/{client_id}'>;

/** The application that asks. A failed look-up is final and not retried (rule oauth-9). */
export const useClientInfo = (clientId: string | undefined) =>
  useQuery<ClientInfo>({
    queryKey: oauthKeys.clientInfo(clientId ?? ''),
    enabled: clientId !== undefined,
    refetchOnMount: 'always',
    // A limit or a name from an earlier visit must not be decided on.
    gcTime: 0,
  });

export interface Decision {
  approved: boolean;
  scopes: Scope[];
  /** Nova a day; only with scope nova. */
  dailyLimit?: number;
}

const FEED = '/feed';

/** Sends the decision and goes where the server says (rule oauth-11). */
export function useDecision(request: ConsentRequest) {
  const navigate = useNavigate();
  const decision = useMutation({
    mutationFn: (body: Decision) =>
      api.post('/api/oauth/consent', {
        body: {
          client_id: request.clientId,
          redirect_uri: request.redirectUri,
          ...request.carried,
          ...body,
        },
      }),
    onSuccess({ redirect_url: redirectUrl }, { approved }) {
      const address = redirectUrl === undefined ? null : webAddress(new URL(redirectUrl, window.location.href).href);
      if (address !== null) window.location.assign(address);
      else if (approved) failureToast('Authorization Error', 'Failed to generate authorization code');
      else void navigate(FEED);
    },
    onError(error, { approved }) {
      if (approved) errorToast('Authorization Failed', error, 'The application was not authorized.');
      else void navigate(FEED);
    },
  });
  useComingBack(() => decision.reset());
  // Also while the browser is leaving.
  const isLeaving = decision.isSuccess && decision.data.redirect_url !== undefined;
  return { decide: decision.mutate, decided: decision.variables, isBusy: decision.isPending || isLeaving };
}

/** The browser keeps a page that it left, and shows it unchanged when the member goes back. */
export function useComingBack(onBack: () => void): void {
  const back = useEffectEvent(onBack);
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && back();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);
}
