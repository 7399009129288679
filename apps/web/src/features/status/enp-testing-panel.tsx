import { useState } from 'react';
import { addNova, formatNova, parseNova } from '@/shared/api';
import { AmountInput, Button, Card, Dialog, Field, TextInput } from '@/shared/ui';
import { seyvnOf } from './seyvn';
import type { Dashboard } from './status-types';
import { useBurnTokens, useCreateTestPerks, type Burn } from './use-status';

/** Trying the Earned Nova Protocol out: something to burn, and burning (S0 §2). */
export function EnpTestingPanel({ dashboard }: { dashboard: Dashboard | undefined }) {
  const perks = useCreateTestPerks();
  const [isBurning, setBurning] = useState(false);
  const mayCreate = dashboard?.testPerksAllowed === true;
  return (
    <Card title="ENP System Testing">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-xl text-sm text-ink-muted">
          Burning turns earned Nova, Karma and Influence into Seyvn for good.
          {dashboard !== undefined && !mayCreate && ' Test perks are switched off in this installation.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button disabled={!mayCreate} pending={perks.isPending} onClick={() => perks.mutate()}>
            Create Test Perks
          </Button>
          <Button variant="primary" disabled={dashboard === undefined} onClick={() => setBurning(true)}>
            Burn for Seyvn
          </Button>
        </div>
      </div>
      {dashboard !== undefined && isBurning && <BurnDialog dashboard={dashboard} onClose={() => setBurning(false)} />}
    </Card>
  );
}

/** S0 §7: 100 earned Nova, no Karma, no Influence, unless one says otherwise. */
const DEFAULTS = { nova: '100', karma: '0', influence: '0' };

function BurnDialog({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const burn = useBurnTokens();
  const [texts, setTexts] = useState(DEFAULTS);
  const amounts = readBurn(texts);
  const complaint = amounts === null ? 'Amounts are numbers from 0 on; tokens are whole.' : tooMuch(amounts, dashboard);
  const yields = amounts === null ? 0 : seyvnOf(amounts);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Burn for Seyvn"
      description="What is burned is gone for good."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            disabled={complaint !== undefined || yields === 0}
            pending={burn.isPending}
            onClick={() => amounts !== null && burn.mutate(amounts, { onSuccess: onClose })}
          >
            {`Burn for ${formatNova(yields, { decimals: 'trim' })} Seyvn`}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <Field label="Earned Nova" hint={`You have ${formatNova(dashboard.earnedNova)}.`}>
          <AmountInput value={texts.nova} onChange={(event) => setTexts({ ...texts, nova: event.target.value })} />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label="Karma" hint={`You hold ${dashboard.karmaTokenBalance}.`}>
            <TextInput
              inputMode="numeric"
              value={texts.karma}
              onChange={(event) => setTexts({ ...texts, karma: event.target.value })}
            />
          </Field>
          <Field label="Influence" hint={`You hold ${dashboard.influenceTokens}.`}>
            <TextInput
              inputMode="numeric"
              value={texts.influence}
              onChange={(event) => setTexts({ ...texts, influence: event.target.value })}
            />
          </Field>
        </div>
        {complaint !== undefined && (
          <p role="alert" className="text-sm text-loss">
            {complaint}
          </p>
        )}
        <p className="rounded-md bg-sky-700/60 p-3 text-sm text-ink-muted">
          Your Seyvn: <span className="text-ink tabular-nums">{formatNova(dashboard.seyvnBalance)}</span> →{' '}
          <span className="font-semibold text-seyvn tabular-nums">
            {formatNova(addNova(dashboard.seyvnBalance, yields))}
          </span>
        </p>
      </div>
    </Dialog>
  );
}

const WHOLE = /^\d{1,9}$/;

function readBurn({ nova, karma, influence }: typeof DEFAULTS): Burn | null {
  const earnedNovaAmount = parseNova(nova === '' ? '0' : nova);
  if (earnedNovaAmount === null || !WHOLE.test(karma || '0') || !WHOLE.test(influence || '0')) return null;
  return { earnedNovaAmount, karmaAmount: Number(karma || '0'), influenceAmount: Number(influence || '0') };
}

function tooMuch(burn: Burn, dashboard: Dashboard): string | undefined {
  if (burn.earnedNovaAmount > dashboard.earnedNova) return 'You have less earned Nova than that.';
  if (burn.karmaAmount > dashboard.karmaTokenBalance) return 'You hold fewer Karma tokens than that.';
  if (burn.influenceAmount > dashboard.influenceTokens) return 'You hold fewer Influence points than that.';
  return undefined;
}
