declare const made: unique symbol;

/**
 * Proof that the member agreed, just now, to what a call costs: every call that takes Nova from them wants one (rule
 * screens-20). Only `shared/ui/paid-press.ts` and the reading of posts make one; a spec searches the sources for others.
 */
export interface PaidPress {
  readonly [made]: true;
}
