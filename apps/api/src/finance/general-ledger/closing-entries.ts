import { type DollarAccount, type Line, type Sums } from '@app/domain';
import type { GeneralLedgerQueries } from '@app/projections';

const CLEARING: DollarAccount = 'assets:provider:clearing';
const UNAPPLIED: DollarAccount = 'liabilities:unapplied';
/** Subjects that are reclassified by name; the others in one sum. */
const NAMED_MAX = 1_000;
/** Lines are written with blanks between their parts. */
const NAME = /^\S+$/;

/**
 * What a close reclassifies at the period's last moment and takes back at the next (rule finance-8): money that came in
 * for no purchase yet is a liability, no negative asset.
 */
export async function closingLines(books: Pick<GeneralLedgerQueries, 'inCredit'>, to: Date): Promise<Line[]> {
  const credits = await books.inCredit(CLEARING, to);
  const named = credits.filter(({ subject }) => NAME.test(subject)).slice(0, NAMED_MAX);
  const rest = [...credits, ...named.map(({ cents }) => ({ cents: -cents }))].reduce(
    (sum, { cents }) => sum + cents,
    0n,
  );
  return [...named, { subject: '', cents: rest }].flatMap(({ subject, cents }) =>
    cents === 0n
      ? []
      : [
          { account: CLEARING, subject, cents: -cents },
          { account: UNAPPLIED, subject, cents },
        ],
  );
}

/** Cents by account with these lines. */
export function withLines({ cents }: Sums, lines: readonly Line[]): Sums['cents'] {
  const sums = new Map(cents);
  for (const line of lines) sums.set(line.account, (sums.get(line.account) ?? 0n) + line.cents);
  return sums;
}
