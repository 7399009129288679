import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { useStoredValue } from '@/shared/hooks/use-stored-value';
import { DEMO_REDIRECT_URI, DEMO_SCOPES } from './demo-flow';

const draft = z.object({ clientId: z.string(), redirectUri: z.string(), scopes: z.string() });
const schema = z.object({
  draft,
  isPublic: z.boolean(),
  generated: z.nullable(
    z.object({
      url: z.string(),
      draft,
      /** For a public client. */
      verifier: z.nullable(z.string()),
    }),
  ),
});

/** The form of the demo, and the address that was made of it. */
export type Flow = z.infer<typeof schema>;

const START: Flow = {
  draft: { clientId: '', redirectUri: DEMO_REDIRECT_URI, scopes: DEMO_SCOPES },
  isPublic: false,
  generated: null,
};

/** Kept on the device: the browser leaves the page for the consent, and may come back in another tab (rule oauth-20). */
export function useKeptFlow(): [flow: Flow, change: (change: Partial<Flow>) => void] {
  const [stored, store] = useStoredValue('nova.oauthDemo');
  const [flow, setFlow] = useState(() => read(stored));
  useEffect(() => store(JSON.stringify(flow)), [flow, store]);
  return [flow, (part) => setFlow((known) => ({ ...known, ...part }))];
}

function read(stored: string | null): Flow {
  try {
    const parsed = schema.safeParse(JSON.parse(stored ?? ''));
    return parsed.success ? parsed.data : START;
  } catch {
    // Nothing is kept, or something else.
    return START;
  }
}
