import { VerifiedLedger } from '@app/ledger';
import type { AskedPeriod } from '../../finance/books.js';
import { type TerminalLedgerParts, withTerminalLedger } from '../../finance/terminal-ledger.js';
import { loadConfig } from '../../platform/config.js';
import { PaymentProviderUnavailable } from '../payment-gateway.js';
import { connectToProvider } from '../payment-connection.js';
import { DAILY } from './reconciliation-runs.js';
import { windowOf } from './reconciliation-window.js';
import { afterEverything, Reconciliation } from './reconciliation.js';

export interface ReconcileFromTerminal extends TerminalLedgerParts {
  readonly period: AskedPeriod;
  readonly onProgress: (lines: number) => void;
}

/**
 * `reconcile`: the same run as the daily one. The stand-in for the provider is part of the server, which must be
 * running.
 * @returns the result, and the differences that nothing explains
 * @throws AppError 400 an impossible period
 */
export async function reconcileFromTerminal(from: ReconcileFromTerminal): Promise<{
  readonly text: string;
  readonly sound: boolean;
}> {
  const config = loadConfig(process.env);
  const connected = connectToProvider(config, { current: { host: '127.0.0.1', port: config.port } });
  if (!connected) throw new Error('No card payments are set up here, so there is nothing to reconcile.');
  const { store, pool, onProgress } = from;
  const [reconciliation, runId] = await withTerminalLedger(from, async (ledger, _clock, metadata) => {
    const events = new VerifiedLedger(store, () => ledger.head);
    const looking = new Reconciliation({ gateway: connected.gateway, store, events, ledger, pool, metadata });
    const window = windowOf(from.period, await afterEverything(events), await looking.runs.lookedUntil(DAILY));
    return [looking, await looking.run({ ...window, actor: 'terminal', onProgress })] as const;
  }).catch((error: unknown) => {
    if (!(error instanceof PaymentProviderUnavailable) || connected.mode.kind !== 'sandbox') throw error;
    throw new Error(
      `The stand-in for the payment provider lives in the server, and no server answers at port ${config.port}. Start the server, or set PORT to its port.`,
      { cause: error },
    );
  });
  const run = await reconciliation.runs.find(runId);
  const { lines, total } = await reconciliation.lines.page({ status: 'flagged', limit: LINES_SHOWN, offset: 0 });
  const shown = lines.map(
    ({ subject, kind, cents, at, note }) =>
      `${at.toISOString()}  ${subject.padEnd(36)} ${kind.padEnd(8)} ${dollars(cents).padStart(14)}  ${note ?? ''}`,
  );
  if (total > lines.length) shown.push(`… and ${total - lines.length} more: see the Admin Panel.`);
  const summary = `${run?.matched ?? 0} matched, ${run?.explained ?? 0} explained, ${total} flagged; on the balance ${dollars(run?.grossCents ?? 0)}, of which fees ${dollars(run?.feeCents ?? 0)}`;
  return { text: [...shown, summary].join('\n'), sound: total === 0 };
}

const LINES_SHOWN = 100;

const dollars = (cents: number): string => `${(cents / 100).toFixed(2)} USD`;
