import { CARD_NAVIGATE_PRICE, CARD_UNLOCK_PRICE, countCharacters } from '@app/domain';
import { formatNova, minorToNova } from '@/shared/api';

/** The first upvote, which unlocks a card, and each one after it (S0 §9). */
export const UPVOTE_NOVA = minorToNova(Number(CARD_UNLOCK_PRICE));
/** Each step from face to face. */
export const NAVIGATE_NOVA = minorToNova(Number(CARD_NAVIGATE_PRICE));

/** S0 §5 Wall comment. */
export const WALL_CHARACTERS_MAX = 100;
const WALL_NOVA_PER_STEP = 25;
const WALL_CHARACTERS_PER_STEP = 15;

/** What a comment costs: 25 Nova for each started 15 characters; nothing for none. */
export const wallCommentNova = (text: string): number =>
  Math.ceil(countCharacters(text) / WALL_CHARACTERS_PER_STEP) * WALL_NOVA_PER_STEP;

/** For labels: `50 Nova`. */
export const novaText = (nova: number): string => `${formatNova(nova, { decimals: 'trim' })} Nova`;
