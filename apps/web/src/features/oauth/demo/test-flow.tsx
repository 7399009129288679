import { useState } from 'react';
import { Card, failureToast, toast } from '@/shared/ui';
import { DEMO_REDIRECT_URI, DEMO_SCOPES, contextOf, demoUrl, isFilled, MISSING, type DemoDraft } from './demo-flow';
import { ExchangeBox } from './exchange-box';
import { GeneratedUrl } from './generated-url';
import { GeneratorForm } from './generator-form';
import { makePkce, NO_CRYPTOGRAPHY, type Pkce } from './pkce';

interface Generated {
  url: string;
  draft: DemoDraft;
  /** Of a public client. */
  verifier: string | null;
}

/** Makes the address that starts the flow, then helps with the code that comes back (rule oauth-20). */
export function TestFlow() {
  const [draft, setDraft] = useState<DemoDraft>({
    clientId: '',
    redirectUri: DEMO_REDIRECT_URI,
    scopes: DEMO_SCOPES,
  });
  const [isPublic, setPublic] = useState(false);
  const [generated, setGenerated] = useState<Generated | null>(null);
  const verifier = generated?.verifier ?? null;
  const { origin } = window.location;

  const generate = async () => {
    if (!isFilled(draft)) {
      failureToast(MISSING.title, MISSING.description);
      return;
    }
    let pkce: Pkce | null = null;
    try {
      if (isPublic) pkce = await makePkce();
    } catch {
      failureToast(NO_CRYPTOGRAPHY.title, NO_CRYPTOGRAPHY.description);
      return;
    }
    const url = demoUrl(draft, origin, pkce?.challenge);
    setGenerated({ url, draft, verifier: pkce?.verifier ?? null });
    toast({ title: 'Authorization URL Generated', description: 'Copy this URL to start the OAuth flow' });
  };
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
      <Card title="Generate Authorization URL" description="Where an application sends a member’s browser.">
        <GeneratorForm
          draft={draft}
          onDraftChange={setDraft}
          isPublic={isPublic}
          onPublicChange={setPublic}
          onGenerate={() => void generate()}
        />
        {generated !== null && <GeneratedUrl url={generated.url} />}
      </Card>
      <ExchangeBox
        key={generated?.url ?? ''}
        context={contextOf(generated?.draft ?? draft, origin, verifier !== null)}
        verifier={verifier}
      />
    </div>
  );
}
