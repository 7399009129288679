import { type BooksEvent, type BooksPeriodClosed, type MovementKind, type ProviderMoved } from '../books-events.js';
import { CHART, type DollarAccount } from './chart.js';
import { MICROS_PER_CENT, type Posting } from './valuation.js';

/** The currency of the books. Movements in another are recorded, never converted, and keep a period open. */
const BOOKS_CURRENCY = 'usd';

/** A posting of the cash half, with its own posting date. Its micro-dollars are its cents. */
export interface DatedPosting extends Posting {
  readonly postedAt: number;
}

const BALANCE: DollarAccount = 'assets:provider:balance';

/** Which account is on the other side of our balance at the provider, and what it is about. */
type OtherSide = (movement: ProviderMoved) => readonly [account: DollarAccount, subject: string];

const inClearing: OtherSide = ({ paymentIntentId, movementId }) => [
  'assets:provider:clearing',
  paymentIntentId ?? movementId,
];
const disputed: OtherSide = ({ providerId, movementId }) => ['assets:provider:disputes', providerId ?? movementId];

/**
 * The posting rules for movements of the provider's balance (rule finance-7). Purchases and reversals meet theirs in
 * clearing, by payment; disputes by dispute. What is left over there is a difference.
 */
const OTHER_SIDE: { readonly [K in MovementKind]: OtherSide } = {
  payment: inClearing,
  refund: inClearing,
  'refund-failed': inClearing,
  dispute: disputed,
  'dispute-won': disputed,
  fee: () => ['expenses:provider:fees', ''],
  payout: () => ['assets:payouts-in-transit', ''],
  'payout-returned': () => ['assets:bank', ''],
  'top-up': () => ['assets:bank', ''],
  // Its own subject: nobody knows what it is about.
  other: ({ movementId }) => ['assets:provider:clearing', movementId],
};

/** What an event of stream `books` posts. Cents sum to zero at each posting date. */
export function postBooksEvent(event: BooksEvent): readonly DatedPosting[] {
  switch (event.type) {
    case 'ProviderMoved':
      return event.currency === BOOKS_CURRENCY ? postMovement(event) : [];
    case 'SubjectExplained':
    case 'AdjustmentPosted':
      return readLines(event.lines).map((line) => posting(line, event.postedAt));
    case 'BooksPeriodClosed':
      return closingEntries(event);
    case 'ProviderRead':
    case 'PolicySet':
      return [];
  }
}

/** They show in the balance sheet at the end of the period, and change nothing after it. */
function closingEntries({ lines, endsAt }: BooksPeriodClosed): readonly DatedPosting[] {
  const written = lines === '' ? [] : readLines(lines);
  return [
    ...written.map((line) => posting(line, endsAt)),
    ...written.map((line) => posting({ ...line, cents: -line.cents }, endsAt + 1)),
  ];
}

function postMovement(movement: ProviderMoved): readonly DatedPosting[] {
  const { kind, amount, fee, arrivesAt, postedAt } = movement;
  const isDispute = kind === 'dispute' || kind === 'dispute-won';
  const [account, subject] = OTHER_SIDE[kind](movement);
  const lines = [
    ...pair({ account: BALANCE, subject: '', cents: BigInt(amount) }, { account, subject }, postedAt),
    ...pair(
      {
        account: isDispute ? 'expenses:provider:dispute-fees' : 'expenses:provider:fees',
        subject: '',
        cents: BigInt(fee),
      },
      { account: BALANCE, subject: '' },
      postedAt,
    ),
  ];
  if (kind !== 'payout') return lines;
  const arrival = Math.max(arrivesAt ?? postedAt, postedAt);
  return [
    ...lines,
    ...pair(
      { account: 'assets:bank', subject: '', cents: BigInt(-amount) },
      { account: 'assets:payouts-in-transit', subject: '' },
      arrival,
    ),
  ];
}

/** A line of an adjustment in cents; debits are positive. */
export interface Line {
  readonly account: DollarAccount;
  readonly subject: string;
  readonly cents: bigint;
}

function pair(line: Line, other: Omit<Line, 'cents'>, postedAt: number): readonly DatedPosting[] {
  if (line.cents === 0n) return [];
  return [posting(line, postedAt), posting({ ...other, cents: -line.cents }, postedAt)];
}

const posting = ({ account, subject, cents }: Line, postedAt: number): DatedPosting => ({
  account,
  subject,
  flow: null,
  cents,
  micros: cents * MICROS_PER_CENT,
  postedAt,
});

/** Lines as events hold them. @throws Error for a subject with blanks, which could not be read back */
export function writeLines(lines: readonly Line[]): string {
  const text = lines.map(({ account, subject, cents }) => `${account} ${subject} ${cents}`).join('\n');
  if (lines.some(({ subject }) => /\s/.test(subject))) throw new Error(`no line of the books: ${text}`);
  return text;
}

/** @throws Error for a text that `writeLines` never wrote */
export function readLines(text: string): readonly Line[] {
  return text.split('\n').map((line) => {
    const [account = '', subject = '', cents = ''] = line.split(' ');
    if (!Object.hasOwn(CHART, account) || !/^-?\d+$/.test(cents)) throw new Error(`no line of the books: ${line}`);
    return { account: account as DollarAccount, subject, cents: BigInt(cents) };
  });
}
