import { ErrorNote, PageHeader, Skeleton, Spinner } from '@/shared/ui';
import { ResonanceForm } from './resonance-form';
import { useResonance } from './use-resonance';

/** The Resonance profile (rule resonance-1): the member's actual and ideal self, and how far ahead they look. */
export function ResonancePage() {
  const resonance = useResonance();
  return (
    <>
      <PageHeader
        title="Resonance"
        description="Nova works out from this how well others fit you. They see only the result."
        backTo="/profile"
        backLabel="Back to profile"
      />
      {resonance.isPending && <Loading />}
      {resonance.isError && (
        <ErrorNote onRetry={() => void resonance.refetch()} retrying={resonance.isFetching}>
          Failed to fetch resonance data
        </ErrorNote>
      )}
      {resonance.isSuccess && <ResonanceForm stored={resonance.data} />}
    </>
  );
}

function Loading() {
  return (
    <>
      <output className="flex items-center gap-2 text-sm text-ink-muted">
        <Spinner />
        <span>Loading your Resonance profile…</span>
      </output>
      <Skeleton className="mt-4 h-56 w-full rounded-lg sm:h-48" />
      <Skeleton className="mt-6 h-[70dvh] w-full rounded-lg" />
    </>
  );
}
