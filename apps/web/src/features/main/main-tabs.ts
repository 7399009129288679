import { useLocation, useSearchParams } from 'react-router-dom';

export type MainTab = 'discover' | 'feed' | 'status' | 'nexus' | 'profile';

const mainPaths = new Set(['/', '/discovery', '/feed']);

/** The open tab of the main screen; null on every other page. Its address is `/?tab=…`, so that it can be linked. */
export function useMainTab(): MainTab | null {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  if (!mainPaths.has(pathname)) return null;
  const tab = search.get('tab');
  if (tab === 'status' || tab === 'nexus' || tab === 'profile') return tab;
  return pathname === '/feed' ? 'feed' : 'discover';
}
