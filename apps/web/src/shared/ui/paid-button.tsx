import { Button, type ButtonProps } from './button';
import { type PaidPressOptions, usePaidPress } from './paid-press';

export interface PaidButtonProps
  extends Omit<ButtonProps, 'ref' | 'onClick' | 'onKeyDown' | 'onFocus'>, PaidPressOptions {}

/** A button that takes Nova from the member; its label names the amount (rules screens-18, screens-20). */
export function PaidButton({ buys, onPay, ...button }: PaidButtonProps) {
  return <Button {...button} {...usePaidPress({ buys, onPay })} />;
}
