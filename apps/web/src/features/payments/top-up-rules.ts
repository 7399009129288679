import { TOP_UP_MAX_NOVA, TOP_UP_MESSAGES, TOP_UP_MIN_NOVA } from '@app/domain';
import { formatNova, parseNova } from '@/shared/api/nova';

export interface Complaint {
  /** The title (rule wallet-11). */
  title: string;
  sentence: string;
}

export const INVALID_AMOUNT_TITLE = 'Invalid Amount';

/** The Nova to buy, or why the text is no valid top-up (rule wallet-11). */
export function readTopUp(text: string): { nova: number } | { complaint: Complaint } {
  const nova = parseNova(text);
  if (nova === null) return invalid('Enter a number of Nova, for example 2,500.');
  if (nova < TOP_UP_MIN_NOVA) return invalid(TOP_UP_MESSAGES.belowMinimum);
  if (!Number.isInteger(nova)) return invalid('Nova is sold in whole units. Leave out the decimals.');
  if (nova > TOP_UP_MAX_NOVA) {
    return invalid(`Maximum purchase amount is ${formatNova(TOP_UP_MAX_NOVA, { decimals: 'trim' })} Nova Points`);
  }
  return { nova };
}

const invalid = (sentence: string) => ({ complaint: { title: INVALID_AMOUNT_TITLE, sentence } });
