import { lazy } from 'react';
import { errorSentence } from '@/shared/api';
import { Amount, Card, ErrorNote, PartBoundary, Skeleton } from '@/shared/ui';
import type { NovaBreakdown } from './status-types';
import { useNovaBreakdown } from './use-status';

// The chart library is larger than the rest of this page, so it loads only when needed.
const Chart = lazy(async () => ({ default: (await import('./nova-breakdown-chart')).NovaBreakdownChart }));

/** Where the member's Nova is, as a chart and in figures. */
export function NovaBreakdownPanel() {
  const breakdown = useNovaBreakdown();
  return (
    <Card title="Nova Breakdown">
      {breakdown.isError && breakdown.data === undefined ? (
        <ErrorNote onRetry={() => void breakdown.refetch()} retrying={breakdown.isFetching}>
          {errorSentence(breakdown.error, 'The breakdown could not be loaded.')}
        </ErrorNote>
      ) : (
        <Breakdown breakdown={breakdown.data} />
      )}
    </Card>
  );
}

function Breakdown({ breakdown }: { breakdown: NovaBreakdown | undefined }) {
  if (breakdown === undefined) return <Skeleton className="h-56" />;
  const parts = breakdown.slices.filter(({ amount }) => amount > 0);
  if (parts.length === 0) return <p className="text-sm text-ink-muted">You have no Nova yet.</p>;
  return (
    <>
      <PartBoundary skeleton={<Skeleton className="h-44" />} failure="The chart could not be loaded.">
        <Chart slices={parts} />
      </PartBoundary>
      <table className="mt-4 w-full text-sm wrap-normal cramped:text-xs">
        <caption className="sr-only">Nova by part</caption>
        <tbody>
          {parts.map(({ key, label, amount }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="py-1.5 text-left font-normal text-ink-muted">
                {label}
              </th>
              <td className="py-1.5 text-right text-ink">
                <Amount value={amount} bare />
              </td>
            </tr>
          ))}
          <tr className="border-t border-line-strong font-semibold text-ink">
            <th scope="row" className="py-1.5 text-left">
              Nova balance
            </th>
            <td className="py-1.5 text-right">
              <Amount value={breakdown.total} />
            </td>
          </tr>
        </tbody>
      </table>
    </>
  );
}
