import { FEED_SCROLL_PRICE } from '@app/domain';
import { ApiError } from '@/shared/api/api-error';
import { minorToNova } from '@/shared/api/nova';
import type { PaidPress } from '@/shared/api/paid-press';
import type { ScrollPaid } from './feed-types';

/** The price of reading another member's post; half goes to the author (rule feed-13). */
export const SCROLL_PRICE_NOVA = minorToNova(Number(FEED_SCROLL_PRICE));

export interface ScrollChargesOptions {
  /** The member who read is no longer signed in: their charges wait, because nobody else may pay them. */
  isOver: () => boolean;
  charge: (postId: string, idempotencyKey: string, press: PaidPress) => Promise<ScrollPaid>;
  newKey: () => string;
  onPaid: (postId: string, paid: ScrollPaid) => void;
  /** Called when the server refuses a charge: once, until charges continue. */
  onRefused: (refusal: ApiError) => void;
}

interface DueCharge {
  postId: string;
  /** The same for every try, so that a charge whose answer was lost is not made twice. */
  key: string;
}

/**
 * Pays for each post once, one after the other, and only while the member reads (rule feed-15). When the server refuses, charges wait until the balance changes; when
 * it does not answer, they wait until the next one is due.
 */
export class ScrollCharges {
  private readonly known = new Set<string>();
  /** Posts on the screen of a member who has not begun to read. */
  private readonly unread = new Set<string>();
  private press: PaidPress | null = null;
  private readonly due: DueCharge[] = [];
  private isRunning = false;
  /** The balance at which the server refused a charge; undefined while there is no refusal. */
  private refusedWith: number | null | undefined;
  private balance: number | null = null;

  constructor(private readonly options: ScrollChargesOptions) {}

  /** The member has begun to read: posts that were seen until now are paid as well. */
  begin(press: PaidPress): void {
    this.press = press;
    for (const postId of this.unread) this.add(postId);
    this.unread.clear();
  }

  /** The member has left the posts. What they never began to read is forgotten. */
  end(): void {
    this.press = null;
    this.unread.clear();
  }

  /** The post has come into view. */
  add(postId: string): void {
    if (this.known.has(postId)) return;
    if (this.press === null) {
      this.unread.add(postId);
      return;
    }
    this.known.add(postId);
    this.due.push({ postId, key: this.options.newKey() });
    void this.run();
  }

  /** Call this whenever the member's balance becomes known. */
  balanceIs(novaBalance: number): void {
    this.balance = novaBalance;
    if (this.refusedWith === undefined || this.refusedWith === novaBalance) return;
    if (novaBalance < SCROLL_PRICE_NOVA) return;
    this.refusedWith = undefined;
    void this.run();
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    while (this.refusedWith === undefined && !this.options.isOver() && (await this.payNext()));
    this.isRunning = false;
  }

  /** False when nothing more can be paid now. */
  private async payNext(): Promise<boolean> {
    const [next] = this.due;
    if (next === undefined || this.press === null) return false;
    try {
      const paid = await this.options.charge(next.postId, next.key, this.press);
      this.due.shift();
      if (!this.options.isOver()) this.options.onPaid(next.postId, paid);
      return true;
    } catch (error) {
      return this.failed(error);
    }
  }

  private failed(error: unknown): boolean {
    if (!(error instanceof ApiError) || isPassing(error) || this.options.isOver()) return false;
    if (error.status === 404) {
      // The post was deleted meanwhile: there is nothing to pay for.
      this.due.shift();
      return true;
    }
    this.refusedWith = this.balance;
    this.options.onRefused(error);
    return false;
  }
}

/** No answer, a failing server, too many calls or an ended session: none of them refuses this charge. */
const isPassing = ({ status }: ApiError): boolean => status === 0 || status >= 500 || status === 429 || status === 401;
