import { useState, type ChangeEvent, type ReactNode } from 'react';
import { addNova, errorSentence, formatNova, isOutcomeUnknown } from '@/shared/api';
import { useHeldValue } from '@/shared/hooks/use-held-value';
import { Amount, AmountInput, Button, Dialog, ErrorNote, Field, PaidButton, StayOpen, TextInput } from '@/shared/ui';
import { firstTexts, readBurn, seyvnOf, type Burn, type BurnPart } from './burn';
import type { Dashboard } from './status-types';
import { useBurnTokens } from './use-status';

/** Shows what burning takes and gives before it happens, because it cannot be undone. */
export function BurnDialog({ dashboard: now, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const burn = useBurnTokens();
  // While it is unknown whether the burning took effect, only the very same one may be retried.
  const isUnknown = isOutcomeUnknown(burn.error);
  const isLocked = burn.isPending || isUnknown;
  const dashboard = useHeldValue(now, isLocked);
  const [texts, setTexts] = useState(() => firstTexts(dashboard));
  const reading = readBurn(texts, dashboard);
  const complaints = reading.ok ? {} : reading.complaints;
  const yields = reading.ok ? seyvnOf(reading.burn) : 0;
  const control = (part: BurnPart) => ({
    value: texts[part],
    readOnly: isLocked,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setTexts({ ...texts, [part]: target.value }),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Burn for Seyvn"
      description="Burned tokens are gone for good."
      footer={
        <>
          <StayOpen while={burn.isPending} />
          <Button disabled={burn.isPending} onClick={onClose}>
            Cancel
          </Button>
          <PaidButton
            variant="danger"
            disabled={yields === 0}
            pending={burn.isPending}
            buys="seyvn"
            onPay={(press) => reading.ok && burn.mutate({ burn: reading.burn, press }, { onSuccess: onClose })}
          >
            {yields === 0 ? 'Burn' : `Burn for ${formatNova(yields, { decimals: 'trim' })} Seyvn`}
          </PaidButton>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <Field label="Earned Nova" hint={`You have ${formatNova(dashboard.earnedNova)}.`} error={complaints.nova}>
          <AmountInput {...control('nova')} />
        </Field>
        <div className="grid grid-cols-2 items-start gap-4">
          <Field label="Karma" hint={`You hold ${dashboard.karmaTokenBalance}.`} error={complaints.karma}>
            <TextInput inputMode="numeric" {...control('karma')} />
          </Field>
          <Field label="Influence" hint={`You hold ${dashboard.influenceTokens}.`} error={complaints.influence}>
            <TextInput inputMode="numeric" {...control('influence')} />
          </Field>
        </div>
        {isUnknown && (
          <ErrorNote>
            {errorSentence(burn.error, 'Your tokens could not be burned.')} Trying again is safe: it takes effect only
            once.
          </ErrorNote>
        )}
        {reading.ok && <Preview burn={reading.burn} yields={yields} dashboard={dashboard} />}
      </div>
    </Dialog>
  );
}

interface PreviewProps {
  burn: Burn;
  yields: number;
  dashboard: Dashboard;
}

function Preview({ burn, yields, dashboard }: PreviewProps) {
  return (
    <section aria-label="What burning does" className="rounded-md bg-sky-700/60 p-3 text-sm text-ink-muted">
      <dl className="grid gap-1.5 tabular-nums">
        <Change name="Earned Nova left">
          <Amount value={addNova(dashboard.earnedNova, -burn.earnedNovaAmount)} />
        </Change>
        {burn.karmaAmount > 0 && <Change name="Karma left">{dashboard.karmaTokenBalance - burn.karmaAmount}</Change>}
        {burn.influenceAmount > 0 && (
          <Change name="Influence left">{dashboard.influenceTokens - burn.influenceAmount}</Change>
        )}
        <Change name="Seyvn">
          {formatNova(dashboard.seyvnBalance)} →{' '}
          <span className="font-semibold text-seyvn">{formatNova(addNova(dashboard.seyvnBalance, yields))}</span>
        </Change>
      </dl>
    </section>
  );
}

function Change({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt>{name}</dt>
      <dd className="text-ink">{children}</dd>
    </div>
  );
}
