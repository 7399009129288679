import { Command } from '@nestjs/cqrs';
import { type BooksEvent, type DollarAccount, usualTaker, writeLines } from '@app/domain';
import { type ByFinance, refuseControlled } from './adjustments.js';
import type { BooksStream } from './books-stream.js';
import { firstOpen } from './provider-movements.js';

/** What is left over in an account between journal and provider. */
export interface OpenBetween {
  readonly account: DollarAccount;
  readonly subject: string;
}

/** Explains what is open for a subject, here and in the reconciliation (rule finance-11). */
export class ExplainSubject extends Command<void> {
  constructor(
    readonly open: OpenBetween,
    /** The account that takes what is left over; by default the usual one. */
    readonly takenBy: DollarAccount | undefined,
    readonly by: ByFinance,
  ) {
    super();
  }
}

/**
 * Posts what is left over for a subject to the account that takes it. @returns nothing if nothing is left over
 * @throws AppError 400, 503
 */
export function postExplanation(
  stream: BooksStream,
  { account, subject }: OpenBetween,
  takenBy: DollarAccount | undefined,
  { adminId, requestId, reasonId }: Omit<ByFinance, 'reason'> & { readonly reasonId: string },
): Promise<readonly BooksEvent[]> {
  refuseControlled(takenBy === undefined ? [] : [takenBy]);
  return stream.append(
    async (books) => {
      const now = Date.now();
      const cents = await books.openSubject(account, subject);
      // A movement in another currency has no dollars: explaining it sets it aside.
      if (cents === 0n && !(await books.isForeign(subject))) return [];
      const lines = writeLines([
        { account, subject, cents: -cents },
        { account: takenBy ?? usualTaker(cents), subject: '', cents },
      ]);
      const postedAt = Math.max(now, await firstOpen(books));
      return [{ type: 'SubjectExplained', account, subject, lines, postedAt, adminId, reasonId, at: now }];
    },
    { actor: `admin:${adminId}`, correlationId: requestId },
  );
}
