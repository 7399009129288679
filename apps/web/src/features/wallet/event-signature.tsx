import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { formatCount, type Schemas } from '@/shared/api';
import { CopyButton, ErrorNote } from '@/shared/ui';

/** Shown above everything else of an event that nobody we trust has signed. */
export function SignatureWarning({ signature: { status, problem } }: { signature: Schemas['EventSignatureDto'] }) {
  if (status !== 'wrong') return null;
  return (
    <ErrorNote>
      Do not trust this event: no key that this installation trusts has signed it. <span>{problem}</span>
    </ErrorNote>
  );
}

/** Who signed an event, among its facts. */
export function SignatureFact({ signature }: { signature: Schemas['EventSignatureDto'] }) {
  return (
    <div className="min-w-0 sm:col-span-2">
      <dt className="text-xs font-medium text-ink-muted">Signature</dt>
      <dd className="mt-0.5 text-sm text-ink">
        <Verdict signature={signature} />
        {signature.signature !== null && <SignatureText text={signature.signature} />}
      </dd>
    </div>
  );
}

function Verdict({ signature }: { signature: Schemas['EventSignatureDto'] }) {
  switch (signature.status) {
    case 'unsigned':
      return <span className="text-ink-faint">This journal is not signed.</span>;
    case 'before':
      return (
        <span className="text-ink-muted">
          Not signed. It is from before signing began (revision {formatCount(signature.signedFrom ?? 0)}).
        </span>
      );
    case 'signed':
      return (
        <span className="flex items-start gap-2">
          <ShieldCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-gain" />
          <span className="min-w-0">
            Signed by <SigningKey signature={signature} />, checked
          </span>
        </span>
      );
    case 'wrong':
      return (
        <span className="flex items-start gap-2">
          <ShieldAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-loss" />
          <span className="min-w-0">
            {signature.keyId === null ? (
              'Not signed'
            ) : (
              <span>
                Not valid: names <SigningKey signature={signature} />
              </span>
            )}
          </span>
        </span>
      );
  }
}

function SigningKey({
  signature: { keyId, firstRevision, lastRevision },
}: {
  signature: Schemas['EventSignatureDto'];
}) {
  const [first, last] = [formatCount(firstRevision ?? 0), formatCount(lastRevision ?? 0)];
  return (
    <>
      key <code className="text-xs whitespace-nowrap">{keyId}</code>,{' '}
      {first === last ? `revision ${first}` : `revisions ${first}–${last}`}
    </>
  );
}

function SignatureText({ text }: { text: string }) {
  return (
    <details className="mt-1 open:mb-2">
      <summary className="min-h-11 py-2.5 text-sm text-ink-muted hover:text-ink">Show the signature</summary>
      <p className="flex items-center gap-1">
        <code className="min-w-0 text-xs break-all text-ink">{text}</code>
        <CopyButton text={text} label="Copy the signature" className="-my-2" />
      </p>
    </details>
  );
}
