import { useState } from 'react';

/**
 * The value as it was before it began to be held, for as long as it is. What is about to be paid is checked and shown
 * against the balance before it until its outcome is known: by then, the payment itself may have lowered the balance.
 */
export function useHeldValue<T>(value: T, isHeld: boolean): T {
  const [last, setLast] = useState(value);
  if (isHeld) return last;
  if (last !== value) setLast(value);
  return value;
}
