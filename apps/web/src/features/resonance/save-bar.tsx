import { Check, CircleAlert, CircleDot } from 'lucide-react';
import { errorSentence } from '@/shared/api';
import { Button } from '@/shared/ui';

export interface SaveBarProps {
  state: 'new' | 'changed' | 'saving' | 'saved';
  error: Error | null;
}

/** Stays in reach while the form is longer than the screen: above a phone's tabs, else at the bottom. */
export function SaveBar({ state, error }: SaveBarProps) {
  const isSaving = state === 'saving';
  return (
    <div className="z-10 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-lg border border-line bg-sky-800/95 p-3 shadow-raised backdrop-blur-sm sm:px-6 sm:py-4 tall:sticky tall:bottom-[calc(4rem+env(safe-area-inset-bottom))] tall:sm:bottom-4">
      <p aria-live="polite" className="flex min-w-0 items-center gap-2 text-sm text-ink-muted">
        {!isSaving && error !== null ? <Failure error={error} /> : <State state={state} />}
      </p>
      <Button type="submit" variant="primary" className="grow sm:grow-0" pending={isSaving} pendingText="Saving...">
        Save Resonance Profile
      </Button>
    </div>
  );
}

function Failure({ error }: { error: Error }) {
  return (
    <>
      <CircleAlert aria-hidden="true" className="size-4 shrink-0 text-loss" />
      {errorSentence(error, 'Nothing was saved. Try again in a moment.')}
    </>
  );
}

function State({ state }: { state: SaveBarProps['state'] }) {
  if (state === 'new') return 'Nothing saved yet';
  if (state === 'saved') {
    return (
      <>
        <Check aria-hidden="true" className="size-4 shrink-0 text-gain" />
        All saved
      </>
    );
  }
  return (
    <>
      <CircleDot aria-hidden="true" className="size-4 shrink-0 text-hold" />
      Not saved
    </>
  );
}
