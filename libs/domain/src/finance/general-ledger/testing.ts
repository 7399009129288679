import * as fc from 'fast-check';
import type { LedgerCommand } from '../../ledger/commands.js';
import { NOVA_PER_DOLLAR } from '../../ledger/constants.js';
import type { LedgerEvent } from '../../ledger/events.js';
import { history } from '../../ledger/testing/arbitraries.js';
import { LedgerRun } from '../../ledger/testing/ledger-run.js';

const MINOR_PER_CENT = BigInt(NOVA_PER_DOLLAR);

/**
 * Turns the purchases of a random history into ones that the product makes: each payment has its own intent, is charged
 * by the price list rounded up, and is taken back in parts of what it bought.
 */
class Payments {
  private readonly bought: { readonly userId: string; readonly paymentIntentId: string; left: bigint }[] = [];
  private reversals = 0;

  asSold(command: LedgerCommand): LedgerCommand | undefined {
    if (command.type === 'RecordPurchase') {
      const amount = 100n * MINOR_PER_CENT + (command.amount < 0n ? 0n : command.amount);
      const paymentIntentId = `pi_${this.bought.length}`;
      this.bought.push({ userId: command.userId, paymentIntentId, left: amount });
      return {
        ...command,
        amount,
        paymentIntentId,
        chargedCents: Number((amount + MINOR_PER_CENT - 1n) / MINOR_PER_CENT),
      };
    }
    if (command.type !== 'ReversePurchase') return command;
    const payment = this.bought.findLast(({ userId, left }) => userId === command.userId && left > 0n);
    if (!payment) return undefined;
    const amount = command.amount > 0n && command.amount < payment.left ? command.amount : payment.left;
    payment.left -= amount;
    return { ...command, amount, paymentIntentId: payment.paymentIntentId, reversalId: `re_${this.reversals++}` };
  }
}

/** The events of a random history, in order, with the run that made them. */
export const soldHistory = (maxLength: number): fc.Arbitrary<readonly LedgerEvent[]> =>
  history(maxLength).map((steps) => {
    const run = new LedgerRun();
    const payments = new Payments();
    return steps.flatMap(({ command, waitMs }) => {
      run.now += waitMs;
      const sold = payments.asSold(command);
      const outcome = sold && run.execute(sold);
      return outcome?.status === 'accepted' ? outcome.events : [];
    });
  });
