import { Button, CopyButton, Dialog } from '@/shared/ui';

export interface RecoveryCodesDialogProps {
  /** None: the dialog is closed. */
  codes: readonly string[] | null;
  onClose: () => void;
}

/** New recovery codes, which nobody can read again. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <Dialog
      open={codes !== null}
      onOpenChange={onClose}
      title="Keep your recovery codes"
      description="You see them only now. Write them down, or keep them in your password manager. Each replaces a lost passkey once. Earlier codes no longer work."
      footer={
        <Button variant="primary" onClick={onClose}>
          I Have Kept Them
        </Button>
      }
    >
      <div className="relative rounded-md border border-line bg-sky-900 p-3 pr-14">
        <ul aria-label="Recovery codes" className="grid gap-1 font-mono text-sm text-ink">
          {codes?.map((code) => (
            <li key={code} className="wrap-anywhere">
              {code}
            </li>
          ))}
        </ul>
        <CopyButton className="absolute top-1.5 right-1.5" text={codes?.join('\n') ?? ''} label="Copy all codes" />
      </div>
    </Dialog>
  );
}
