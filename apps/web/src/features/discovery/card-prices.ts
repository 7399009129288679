import {
  CARD_NAVIGATE_PRICE,
  CARD_UNLOCK_PRICE,
  countCharacters,
  WALL_COMMENT_MAX as WALL_CHARACTERS_MAX,
  wallCommentPrice,
} from '@app/domain';
import { minorToNova } from '@/shared/api';

export { WALL_CHARACTERS_MAX };

/** The price of the first upvote, which unlocks a card, and of each later one (rule discovery-12). */
export const UPVOTE_NOVA = minorToNova(Number(CARD_UNLOCK_PRICE));
/** The price of each step from face to face. */
export const NAVIGATE_NOVA = minorToNova(Number(CARD_NAVIGATE_PRICE));

/** The price of a comment: 25 Nova for each started 15 characters; nothing for an empty one. */
export const wallCommentNova = (text: string): number => minorToNova(Number(wallCommentPrice(countCharacters(text))));
