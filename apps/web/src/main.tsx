import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/sora/wght.css';
import './styles/fonts.css';
import './styles/index.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { createRouter, loadParts } from '@/app/router';
import { currentUserQuery, queryClient } from '@/shared/api';

/** Until then the page's shell stands, which becomes the page in one step. */
const PARTS_MS_MAX = 2_000;

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root');
const root = createRoot(container);

async function firstParts(): Promise<void> {
  await queryClient.prefetchQuery(currentUserQuery);
  const isMember = queryClient.getQueryData(currentUserQuery.queryKey) != null;
  if (isMember) await loadParts(window.location);
}

void Promise.race([firstParts(), new Promise((late) => setTimeout(late, PARTS_MS_MAX))]).then(() =>
  // In slices, between which the page answers.
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={createRouter()} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  ),
);
