import { CHART, DOLLAR_ACCOUNTS, type DollarAccount, type Flow, FLOWS } from '@app/domain';
import { ReceiptText } from 'lucide-react';
import { Link } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import { Card, EmptyState, ErrorNote, LoadMore } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import { SkeletonRows } from '../list-body';
import { Crumbs } from './crumbs';
import { DebitOrCredit } from './dollar-amount';
import { financePath } from './finance-address';
import { periodLabel } from './fiscal-period';
import { UtcTime } from './moment-note';
import { type DollarLine, useDollarLines } from './use-general-ledger';

const SKELETON_ROWS = 10;

/** What changes deferred revenue. */
export const FLOW_LABELS: Readonly<Record<Flow, string>> = {
  sold: 'Nova sold',
  commission: 'Commission earned',
  burned: 'Nova burned',
  reversed: 'Refunds and disputes',
  deducted: 'Deducted by admins',
  forfeited: 'Forfeited',
};

/** The lines that a figure is made of. `first` and `last` are days; without a first, everything before counts too. */
export interface LinesPlace {
  account: DollarAccount;
  first: string;
  last: string;
  /** A payment, dispute or member; all if empty. */
  subject: string;
  /** What moved deferred revenue. */
  flow: Flow | undefined;
}

type LinesAsked = Pick<LinesPlace, 'account' | 'first' | 'last'> & Partial<LinesPlace>;

/** The address of lines; `back` is what the page that leads to them shows. */
export const linesPath = (
  { subject = '', flow, ...place }: LinesAsked,
  back: Readonly<Record<string, string>> = {},
): string => financePath({ view: 'dollars', ...back, ...place, subject, flow: flow ?? '' });

/** Reads the place in the address; undefined if it names no account. */
export function linesPlaceOf(parameters: URLSearchParams): LinesPlace | undefined {
  const account = DOLLAR_ACCOUNTS.find((name) => name === parameters.get('account'));
  if (account === undefined) return undefined;
  const of = (name: string): string => parameters.get(name) ?? '';
  const flow = FLOWS.find((name) => name === of('flow'));
  return { account, first: of('first'), last: of('last'), subject: of('subject'), flow };
}

export interface DollarLinesProps {
  place: LinesPlace;
  /** Where the statements are that the figure is in. */
  back: Readonly<Record<string, string>>;
}

export function DollarLines({ place, back }: DollarLinesProps) {
  const { account, first, last, subject, flow } = place;
  const list = useDollarLines({ account, subject, flow, from: first, to: last });
  const lines = list.data?.pages.flatMap((page) => page.lines) ?? [];
  const failure = list.error === null ? null : errorSentence(list.error, 'The lines could not be loaded.');
  return (
    <>
      <Crumbs steps={[{ to: financePath({ view: 'dollars', ...back }), label: 'Dollars' }]} here="Lines" />
      <Card
        title={CHART[account].label}
        description={
          <>
            <code className="wrap-anywhere">{account}</code>, {periodLabel(first, last)}
            {flow !== undefined && <span>, only “{FLOW_LABELS[flow]}”</span>}
            {subject !== '' && (
              <span>
                , only <code className="wrap-anywhere">{subject}</code>
              </span>
            )}
            <span>. The newest are first.</span>
          </>
        }
        flush
        aria-busy={list.isFetching}
      >
        {failure !== null && lines.length === 0 && (
          <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void list.refetch()} retrying={list.isFetching}>
            {failure}
          </ErrorNote>
        )}
        {list.isPending && <SkeletonRows label="Loading lines" count={SKELETON_ROWS} />}
        {list.isSuccess && lines.length === 0 && (
          <EmptyState icon={ReceiptText} title="No lines" text="Nothing was posted to this account in this period." />
        )}
        {lines.length > 0 && (
          <ul aria-label="Lines" className="divide-y divide-line border-t border-line">
            {lines.map((line, index) => (
              <li key={`${line.source} ${line.revision} ${index}`}>
                <LineRow line={line} subjectPath={(one) => linesPath({ ...place, subject: one }, back)} />
              </li>
            ))}
          </ul>
        )}
        <LoadMore list={list} failure={lines.length > 0 ? failure : null} />
      </Card>
    </>
  );
}

const LINK = '-my-3 py-3 underline decoration-line-strong underline-offset-4 hover:text-ink';

function LineRow({ line, subjectPath }: { line: DollarLine; subjectPath: (subject: string) => string }) {
  const { description, eventId, subject, postedAt, cents, exact } = line;
  return (
    <div className="flex min-h-14 items-center justify-between gap-4 px-4 py-3 text-sm cramped:flex-wrap sm:px-6">
      <div className="min-w-0">
        <p className="wrap-anywhere text-ink">
          <bdi dir="ltr">{description}</bdi>
        </p>
        <p className="mt-0.5 text-xs text-ink-faint">
          <UtcTime iso={postedAt} />
          {eventId !== null && (
            <span>
              {' · '}
              <Link to={eventPath(eventId)} className={LINK}>
                Open the event
              </Link>
            </span>
          )}
          {subject !== '' && (
            <span>
              {' · '}
              <Link to={subjectPath(subject)} className={LINK} aria-label={`All lines of ${subject}`}>
                <code className="wrap-anywhere">{subject}</code>
              </Link>
            </span>
          )}
        </p>
      </div>
      <div className="grid shrink-0 justify-items-end">
        <DebitOrCredit cents={cents} className="font-semibold text-ink" />
        {!exact.endsWith('0000') && (
          <span className="text-xs text-ink-faint tabular-nums">
            exactly {exact.replace('-', '')} {exact.startsWith('-') ? 'Cr' : 'Dr'}
          </span>
        )}
      </div>
    </div>
  );
}
