import { AppLogo } from '@/features/oauth/app-logo';
import type { UsedApplication } from '@/features/oauth/application-types';
import type { LimitedApplication } from '@/features/oauth/change-limit-dialog';
import { addNova, formatNova } from '@/shared/api';
import { Amount, Button, ProgressBar, RelativeTime } from '@/shared/ui';

export interface ApplicationRowProps {
  application: UsedApplication;
  onLimit: (application: LimitedApplication) => void;
}

/** One application: what it took and gave, and how much of today's limit is used. */
export function ApplicationRow({ application, onLimit }: ApplicationRowProps) {
  const { clientId, name, logoUrl, spent, transferred, earned, dailyLimit, lastUsedAt } = application;
  return (
    <div className="grid gap-3 px-4 py-4 sm:px-6">
      <div className="flex items-start gap-3">
        <AppLogo src={logoUrl} />
        <div className="min-w-0 flex-1">
          <h3 className="line-clamp-2 text-sm font-medium wrap-anywhere text-ink">
            <bdi>{name}</bdi>
          </h3>
          <p className="mt-0.5 text-xs text-ink-faint tabular-nums">
            {formatNova(spent)} spent, {formatNova(transferred)} given
          </p>
          {lastUsedAt !== null && (
            <p className="mt-0.5 text-xs text-ink-faint">
              Last used <RelativeTime iso={lastUsedAt} />
            </p>
          )}
        </div>
        <p className="grid shrink-0 justify-items-end">
          <Amount value={-addNova(spent, transferred)} signed bare className="text-sm font-semibold" />
          {earned > 0 && (
            <span className="text-xs text-ink-faint">
              paid you <Amount value={earned} signed bare />
            </span>
          )}
        </p>
      </div>
      {dailyLimit === null ? (
        <p className="text-xs text-ink-faint sm:pl-13">It can spend no more.</p>
      ) : (
        <Today {...application} dailyLimit={dailyLimit} onLimit={() => onLimit({ clientId, name, dailyLimit })} />
      )}
    </div>
  );
}

interface TodayProps {
  name: string;
  spentToday: number;
  dailyLimit: number;
  onLimit: () => void;
}

function Today({ name, spentToday, dailyLimit, onLimit }: TodayProps) {
  const text = `${formatNova(spentToday)} of ${formatNova(dailyLimit)} Nova today`;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 sm:pl-13">
      <div className="min-w-40 flex-1">
        <p className="mb-1 text-xs text-ink-muted tabular-nums">{text}</p>
        {dailyLimit > 0 && <ProgressBar label={`Daily limit of ${name}`} value={spentToday} max={dailyLimit} />}
      </div>
      <Button size="sm" variant="ghost" onClick={onLimit}>
        Change limit
      </Button>
    </div>
  );
}
