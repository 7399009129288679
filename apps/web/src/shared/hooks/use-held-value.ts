import { useState } from 'react';

/**
 * While `isHeld`, the value from before it was held. A pending payment is checked and shown against the balance before
 * it until its outcome is known: by then, the payment itself may have lowered the balance.
 */
export function useHeldValue<T>(value: T, isHeld: boolean): T {
  const [last, setLast] = useState(value);
  if (isHeld) return last;
  if (last !== value) setLast(value);
  return value;
}
