import type { ReactNode } from 'react';
import { Amount, BalanceCount, Button, Dialog, ProgressBar } from '@/shared/ui';
import type { PayoutSummary } from './chat-types';

/** What the chat paid (rule chats-28). */
export function PayoutDialog({ payout, onContinue }: { payout: PayoutSummary; onContinue: () => void }) {
  const { isInitiator, novaEarned, influencePointsEarned, totalInfluencePoints } = payout;
  return (
    <Dialog
      open
      onOpenChange={onContinue}
      title="Payout summary"
      description={isInitiator ? 'Initiators earn Influence.' : 'Hosts earn half of the payment.'}
      footer={
        <Button variant="primary" onClick={onContinue}>
          Continue
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        <div className="grid grid-cols-2 gap-3">
          <Figure label="Nova earned">
            <Amount value={novaEarned} tone={novaEarned > 0 ? 'gain' : 'plain'} />
          </Figure>
          <Figure label="Influence earned">
            <span className="text-influence tabular-nums">+{influencePointsEarned}</span>
            <span className="ml-2 text-xs font-normal text-ink-faint">of {totalInfluencePoints} now</span>
          </Figure>
        </div>
        <Karma progress={payout.karmaTokenProgress} />
        <Benefits benefits={payout.perpetualBenefits} />
        <div className="flex items-center justify-between border-t border-line pt-4 text-sm text-ink-muted">
          Your Nova balance
          <BalanceCount value={payout.currentNovaBalance} className="text-lg font-semibold text-ink" />
        </div>
      </div>
    </Dialog>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="rounded-md bg-sky-700/60 p-3">
      <p className="text-xs text-ink-muted">{label}</p>
      <p className="mt-1 text-lg font-semibold text-ink">{children}</p>
    </div>
  );
}

function Karma({ progress }: { progress: PayoutSummary['karmaTokenProgress'] }) {
  const { current, required, hasKarmaToken } = progress;
  return (
    <section aria-label="Karma">
      <div className="flex items-baseline justify-between text-sm">
        <p className="text-ink">Next Karma token</p>
        <p className="text-ink-muted tabular-nums">
          {current} / {required} chats
        </p>
      </div>
      <ProgressBar
        label="Chats toward the next Karma token"
        tone="karma"
        value={current}
        max={required}
        className="mt-2"
      />
      <p className="mt-1.5 text-xs text-ink-faint">
        {hasKarmaToken
          ? 'You hold Karma: it shares 10% of every chat payment.'
          : 'A Karma token shares 10% of every chat payment. Chats count once both sides have rated.'}
      </p>
    </section>
  );
}

function Benefits({ benefits }: { benefits: PayoutSummary['perpetualBenefits'] }) {
  const { hasTokenRewards, hasThreadRewards } = benefits;
  if (!hasTokenRewards && !hasThreadRewards) return null;
  return (
    <section aria-label="Perpetual benefits" className="grid gap-3">
      <h3 className="text-sm font-semibold text-ink">Perpetual benefits so far</h3>
      {hasTokenRewards && (
        <Breakdown
          title="Tokens"
          total={benefits.totalTokenRewards}
          rows={benefits.tokenBreakdown.map(({ tokenCount, distributionRule, amount }) => ({
            key: distributionRule,
            text: `${tokenCount} × ${distributionRule}`,
            amount,
          }))}
        />
      )}
      {hasThreadRewards && (
        <Breakdown
          title="Threads"
          total={benefits.totalThreadRewards}
          rows={benefits.threadBreakdown.map(({ ownershipPercentage, threadSource, amount }) => ({
            key: threadSource,
            text: `${ownershipPercentage}% of ${threadSource}`,
            amount,
          }))}
        />
      )}
    </section>
  );
}

interface BreakdownProps {
  title: string;
  total: number;
  rows: readonly { key: string; text: string; amount: number }[];
}

function Breakdown({ title, total, rows }: BreakdownProps) {
  return (
    <div className="rounded-md border border-line p-3 text-sm">
      <div className="flex justify-between font-medium text-ink">
        {title}
        <Amount value={total} />
      </div>
      <ul className="mt-2 grid gap-1 text-xs text-ink-muted">
        {rows.map(({ key, text, amount }) => (
          <li key={key} className="flex justify-between gap-4">
            <span className="min-w-0 break-words">{text}</span>
            <Amount value={amount} bare />
          </li>
        ))}
      </ul>
    </div>
  );
}
