import { AdminStatCards } from '../admin-stat-cards';
import { OverviewCards } from './overview-cards';
import { OverviewTrends } from './overview-trends';
import { PeriodChoice } from './period-choice';
import { usePeriod } from './use-overview';

/** How the platform stands, and how it went over a period (rules admin-4, admin-5). */
export function OverviewSection() {
  const [period, setPeriod] = usePeriod();
  return (
    <>
      <AdminStatCards />
      <div className="mt-8 mb-4 flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="text-lg font-semibold text-ink">Platform Overview</h2>
          <p className="mt-1 text-sm text-ink-muted">The last {period} days in UTC, today included.</p>
        </div>
        <PeriodChoice period={period} onChange={setPeriod} />
      </div>
      <OverviewCards period={period} />
      <OverviewTrends period={period} />
    </>
  );
}
