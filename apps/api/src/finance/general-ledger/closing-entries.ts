import { type DollarAccount, type Line, type Sums } from '@app/domain';
import type { GeneralLedgerQueries } from '@app/projections';

const CLEARING: DollarAccount = 'assets:provider:clearing';
const ALLOWANCE: DollarAccount = 'assets:receivables:allowance';
const UNAPPLIED: DollarAccount = 'liabilities:unapplied';
/** Subjects that are reclassified by name; the others in one sum. */
const NAMED_MAX = 1_000;
/** Lines are written with blanks between their parts. */
const NAME = /^\S+$/;

/** What a close posts at the period's last moment and takes back at the next (rule finance-10). */
export async function closingLines(books: GeneralLedgerQueries, to: Date, sums: Sums): Promise<Line[]> {
  const [credits, policies] = await Promise.all([unappliedLines(books, to), books.policies()]);
  const policy = policies.find(({ effectiveAt }) => effectiveAt <= to);
  return policy ? [...credits, ...allowanceLines(sums, BigInt(policy.allowancePercent))] : credits;
}

/** The journal allows for all that members owe: the close brings that to the policy's part of it. */
function allowanceLines({ cents }: Sums, percent: bigint): Line[] {
  const [owed, allowed] = [cents.get('assets:receivables:members') ?? 0n, cents.get(ALLOWANCE) ?? 0n];
  const change = -allowed - (owed * percent + 50n) / 100n;
  return change === 0n
    ? []
    : [
        { account: ALLOWANCE, subject: '', cents: change },
        { account: 'expenses:losses:members', subject: '', cents: -change },
      ];
}

/** Money that came in for no purchase yet is a liability, no negative asset. */
async function unappliedLines(books: GeneralLedgerQueries, to: Date): Promise<Line[]> {
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
