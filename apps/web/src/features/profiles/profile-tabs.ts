import { useSearchParams } from 'react-router-dom';

const PROFILE_TABS = ['content', 'nexus', 'settings'] as const;
export type ProfileTab = (typeof PROFILE_TABS)[number];

const isTab = (name: string | null): name is ProfileTab => PROFILE_TABS.some((tab) => tab === name);

/** The tab is in the address, so that a link leads to it and reloading stays; Content where there is none. */
export function useProfileTab(): [tab: ProfileTab, show: (tab: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const named = parameters.get('tab');
  const show = (tab: string) => setParameters(tab === 'content' ? {} : { tab }, { replace: true });
  return [isTab(named) ? named : 'content', show];
}
