import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PersonalThread, ThreadStats } from '../thread-types';
import { fetchThreads } from '../use-threads';
import { checkChain } from './check-chain';

/** Checks the whole chain here, in the browser. `progress` is how many blocks have been looked at. */
export function useChainCheck(ownerId: string) {
  const [progress, setProgress] = useState(0);
  const check = useMutation({
    async mutationFn({ blocks, headHash }: ThreadStats) {
      setProgress(0);
      return checkChain({ ownerId, blocks, headHash, pages: pagesOf(ownerId), sha256, onProgress: setProgress });
    },
  });
  return { ...check, progress };
}

async function* pagesOf(ownerId: string): AsyncGenerator<readonly PersonalThread[]> {
  let cursor: string | null = null;
  do {
    const page = await fetchThreads({ ownerId, cursor });
    yield page.threads;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
