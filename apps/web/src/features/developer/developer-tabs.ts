import { useSearchParams } from 'react-router-dom';

/** The tabs of the Developer Portal (rule oauth-6). */
export const DEVELOPER_TABS = [
  { name: 'applications', label: 'My Applications' },
  { name: 'authorized', label: 'Authorized Apps' },
  { name: 'api', label: 'API Documentation' },
  { name: 'guide', label: 'Integration Guide' },
] as const;
export type DeveloperTab = (typeof DEVELOPER_TABS)[number]['name'];

/** The tab is in the address; My Applications where there is none. What else is in the address stays. */
export function useDeveloperTab(): [tab: DeveloperTab, show: (tab: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const named = parameters.get('tab');
  const show = (tab: string) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        if (tab === 'applications') next.delete('tab');
        else next.set('tab', tab);
        return next;
      },
      { replace: true },
    );
  return [DEVELOPER_TABS.find(({ name }) => name === named)?.name ?? 'applications', show];
}
