import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type BooksPeriodClosed, DOLLAR_ACCOUNTS, type DollarAccount, writeLines } from '@app/domain';
import { type Ledger, VerifiedLedger } from '@app/ledger';
import type { GeneralLedgerQueries } from '@app/projections';
import { AppError } from '../../platform/errors/app-error.js';
import type { ErrorCode } from '../../platform/errors/error-codes.js';
import { expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { momentBefore } from '../moments.js';
import { BooksStream } from './books-stream.js';
import { closingLines, withLines } from './closing-entries.js';
import { dollarText } from './dollars-text.js';
import { FiscalCalendar } from './fiscal-calendar.js';
import { firstOpen } from './provider-movements.js';

/** Subjects that are named in a refusal. */
const NAMED_MAX = 3;

export class CloseDollarBooks extends Command<BooksPeriodClosed> {
  constructor(
    readonly month: string,
    readonly by: { readonly adminId: string; readonly requestId: string },
  ) {
    super();
  }
}

/**
 * Closes the dollar books up to the end of a month (rule finance-8): nothing is posted before it any more. The journal passes
 * the moment first, so that none of its events can be dated into the period.
 */
@CommandHandler(CloseDollarBooks)
export class CloseDollarBooksHandler implements ICommandHandler<CloseDollarBooks> {
  constructor(
    private readonly stream: BooksStream,
    private readonly calendar: FiscalCalendar,
    private readonly events: VerifiedLedger,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'execute'>,
  ) {}

  /** @throws AppError 409, 503 */
  async execute({ month, by: { adminId, requestId } }: CloseDollarBooks): Promise<BooksPeriodClosed> {
    const { to } = this.calendar.month(month);
    const by = { actor: `admin:${adminId}`, correlationId: requestId };
    if (to.getTime() >= Date.now()) throw refused('PERIOD_NOT_OVER', 'This month is not over yet.');
    await checkClosable(await this.stream.current(), to);
    const outcome = await this.ledger.execute({
      command: { type: 'ClosePeriod', endsAt: to.getTime() },
      ...by,
      key: { scope: 'fact', value: `period:${to.getTime()}` },
    });
    expectAccepted(outcome);
    const { revision: ledgerRevision, hash: chainHash } = await momentBefore(this.events, new Date(to.getTime() + 1));
    const [closed] = await this.stream.append(async (books) => {
      await checkClosable(books, to);
      const [sums, [last]] = await Promise.all([books.sumsAt(to), books.marks('closed')]);
      const lines = await closingLines(books, to, sums);
      return [
        {
          type: 'BooksPeriodClosed',
          number: (last?.number ?? 0) + 1,
          endsAt: to.getTime(),
          timeZone: this.calendar.timeZone,
          ledgerRevision,
          chainHash,
          trialBalance: trialBalanceText(withLines(sums, lines)),
          lines: writeLines(lines),
          adminId,
          at: Date.now(),
        },
      ];
    }, by);
    if (closed?.type !== 'BooksPeriodClosed') throw new Error('nothing was closed');
    return closed;
  }
}

const trialBalanceText = (cents: ReadonlyMap<DollarAccount, bigint>): string =>
  DOLLAR_ACCOUNTS.map((account) => [account, cents.get(account) ?? 0n] as const)
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount]) => `${account} ${amount}`)
    .join('\n');

const refused = (code: ErrorCode, message: string): AppError => new AppError(409, code, message);

async function checkClosable(books: GeneralLedgerQueries, to: Date): Promise<void> {
  if (to.getTime() < (await firstOpen(books))) throw refused('BOOKS_CLOSED', 'This month is closed already.');
  const [read] = await books.marks('read');
  if (!read || read.until <= to) {
    throw refused(
      'PROVIDER_NOT_READ',
      'The payment provider was not looked at beyond the end of this month. Run a reconciliation up to now, then close.',
    );
  }
  const [foreign] = await books.foreign(to, 1);
  if (foreign) {
    throw refused(
      'OTHER_CURRENCY',
      `The movement ${foreign.movementId} is in ${foreign.currency.toUpperCase()}: the books are in dollars and do not convert it.`,
    );
  }
  const open = await books.unsettled('assets:provider:clearing', to, NAMED_MAX + 1);
  if (open.length === 0) return;
  const named = open.slice(0, NAMED_MAX).map(({ subject, cents }) => `${subject} (${dollarText(cents)})`);
  const more = open.length > NAMED_MAX ? ' and more' : '';
  throw refused(
    'DIFFERENCES_OPEN',
    `Journal and provider still differ: ${named.join(', ')}${more}. Settle or explain each, then close.`,
  );
}
