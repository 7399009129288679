import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { CodeBlock } from '@/features/oauth/code-block';
import { Button, Dialog, ErrorNote } from '@/shared/ui';

export interface SecretDialogProps {
  /** Null while the dialog is closed. */
  secret: string | null;
  onSaved: () => void;
  title?: string;
  /** What kind of secret it is. */
  label?: string;
}

/**
 * Shows a secret the only time that it can be shown (rule oauth-3). Esc, the back button and a press outside do not
 * close the dialog, because they happen too easily by accident.
 */
export function SecretDialog({
  secret,
  onSaved,
  title = 'Client Secret Generated',
  label = 'Client secret',
}: SecretDialogProps) {
  const [wasLeft, setLeft] = useState(false);
  const close = () => {
    setLeft(false);
    onSaved();
  };
  return (
    <Dialog
      open={secret !== null}
      onOpenChange={(open) => !open && setLeft(true)}
      title={title}
      description="Save this secret now. You won't be able to see it again."
      footer={
        <Button variant="primary" onClick={close}>
          I've Saved the Secret
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <CodeBlock label={label} code={secret ?? ''} />
        <p className="flex items-start gap-2 text-sm text-ink-muted">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-hold" />
          If you lose it, you'll need to generate a new one.
        </p>
        {wasLeft && <ErrorNote>The secret is gone once this is closed. Close it with the button below.</ErrorNote>}
      </div>
    </Dialog>
  );
}
