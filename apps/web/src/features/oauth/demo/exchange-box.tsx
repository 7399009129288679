import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { SampleContext } from '@/features/developer/docs/samples';
import { ApiError, apiFetch } from '@/shared/api';
import { Button, Card, ErrorNote, Field, TextInput } from '@/shared/ui';
import { CodeBlock } from '../code-block';
import { exampleTokenRequest } from './demo-flow';

export interface ExchangeBoxProps {
  context: SampleContext;
  /** Of a public client, whose code can be exchanged without a secret. */
  verifier: string | null;
}

/** What to do with the code that comes back (rule oauth-20). */
export function ExchangeBox({ context, verifier }: ExchangeBoxProps) {
  const [code, setCode] = useState('');
  const exchange = useMutation({
    mutationFn: () =>
      apiFetch<unknown>('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: code.trim(),
          redirect_uri: context.redirectUri,
          client_id: context.clientId,
          code_verifier: verifier ?? '',
        }),
      }),
  });
  return (
    <Card
      title="After authorization"
      description="The browser comes back to the redirect URI with a code in its address. It works once, within a minute."
    >
      <div className="grid grid-cols-1 gap-4">
        <Field label="Authorization Code" hint="The value of code in the address.">
          <TextInput
            autoComplete="off"
            spellCheck={false}
            placeholder="Paste the code here"
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </Field>
        <CodeBlock label="Example token request" code={exampleTokenRequest(context, code.trim(), verifier)} />
        {verifier !== null && (
          <Button disabled={code.trim() === ''} pending={exchange.isPending} onClick={() => exchange.mutate()}>
            Exchange Code
          </Button>
        )}
        {exchange.error !== null && !exchange.isPending && <ErrorNote>{refusalOf(exchange.error)}</ErrorNote>}
        {exchange.data !== undefined && (
          <CodeBlock label="Token response" code={JSON.stringify(exchange.data, null, 2)} />
        )}
      </div>
    </Card>
  );
}

/** The token call refuses in the protocol's own words (RFC 6749 §5.2). */
function refusalOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The code could not be exchanged.';
  const { body } = error;
  const described = typeof body === 'object' && body !== null && 'error_description' in body;
  return described && typeof body.error_description === 'string' ? body.error_description : error.sentence;
}
