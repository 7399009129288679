import { Landmark, Sparkles, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Schemas } from '@/shared/api';
import { Amount, Avatar, Skeleton } from '@/shared/ui';

/** Who gets what, and what is left; shown before a gift is sent (rule screens-18). */
export function GiftDistribution({ preview }: { preview: Schemas['GiftPreviewDto'] | undefined }) {
  if (preview === undefined) return <Skeleton className="h-46 rounded-md" />;
  const { recipient, recipientShare, influenceShare, influenceGoesTo, comesBack, balanceBefore, balanceAfter } =
    preview;
  const toHolders = influenceGoesTo === 'holders';
  return (
    <section aria-label="Distribution preview" className="rounded-md border border-line bg-sky-700/40 px-4 text-sm">
      <dl className="divide-y divide-line">
        <Line
          mark={<Avatar size="sm" name={recipient.displayName} src={recipient.profileImageUrl} />}
          label={<bdi>{recipient.displayName}</bdi>}
          note="50% to the recipient"
        >
          <Amount value={recipientShare} className="font-semibold" />
        </Line>
        <Line
          mark={
            <Mark>{toHolders ? <Sparkles className="size-4 text-influence" /> : <Landmark className="size-4" />}</Mark>
          }
          label={toHolders ? 'Influence holders' : 'Treasury'}
          note={
            <>
              {toHolders ? '50% shared among all who hold Influence' : '50%, as nobody holds Influence yet'}
              {comesBack > 0 && (
                <span className="block">
                  <Amount value={comesBack} bare /> of it comes back to you
                </span>
              )}
            </>
          }
        >
          <Amount value={influenceShare} className="font-semibold" />
        </Line>
        <Line
          mark={
            <Mark>
              <Wallet className="size-4" />
            </Mark>
          }
          label="Your balance after"
          note={
            <>
              now <Amount value={balanceBefore} bare />
            </>
          }
        >
          <Amount value={balanceAfter} className="font-semibold" />
        </Line>
      </dl>
    </section>
  );
}

function Mark({ children }: { children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-8 shrink-0 place-items-center rounded-full border border-line bg-sky-700 text-ink-muted"
    >
      {children}
    </span>
  );
}

function Line({
  mark,
  label,
  note,
  children,
}: {
  mark: ReactNode;
  label: ReactNode;
  note: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-15 items-center gap-3 py-2">
      {mark}
      <dt className="min-w-0 flex-1">
        <span className="line-clamp-2 text-ink">{label}</span>
        <span className="block text-xs text-ink-faint">{note}</span>
      </dt>
      <dd className="shrink-0 text-ink">{children}</dd>
    </div>
  );
}
