import { useSearchParams } from 'react-router-dom';
import type { Application } from '@/features/oauth/application-types';
import { useMyApplications } from '../use-applications';
import type { SampleContext } from './samples';

const NO_APPLICATION = {
  clientId: 'YOUR_CLIENT_ID',
  redirectUri: 'https://your-app.example/callback',
  scope: 'openid profile nova',
  isPublic: false,
};
const PARAMETER = 'app';

export interface ChosenApplication {
  context: SampleContext;
  applications: readonly Application[];
  choose: (clientId: string) => void;
}

/** The values for the samples: this server, and the application in the address or else the newest. */
export function useSampleContext(): ChosenApplication {
  const { data: applications = [] } = useMyApplications();
  const [parameters, setParameters] = useSearchParams();
  const wanted = parameters.get(PARAMETER);
  const application = applications.find(({ clientId }) => clientId === wanted) ?? applications[0];
  const choose = (clientId: string) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        next.set(PARAMETER, clientId);
        return next;
      },
      { replace: true },
    );
  const own = application && {
    clientId: application.clientId,
    redirectUri: application.redirectUris[0] ?? NO_APPLICATION.redirectUri,
    scope: application.scopes.join(' '),
    isPublic: application.isPublic,
  };
  return { context: { origin: window.location.origin, ...(own ?? NO_APPLICATION) }, applications, choose };
}
