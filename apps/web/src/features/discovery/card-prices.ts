import {
  CARD_NAVIGATE_PRICE,
  CARD_UNLOCK_PRICE,
  countCharacters,
  WALL_COMMENT_MAX as WALL_CHARACTERS_MAX,
  wallCommentPrice,
} from '@app/domain';
import { minorToNova } from '@/shared/api';

export { WALL_CHARACTERS_MAX };

/** The first upvote, which unlocks a card, and each one after it (rule discovery-12). */
export const UPVOTE_NOVA = minorToNova(Number(CARD_UNLOCK_PRICE));
/** Each step from face to face. */
export const NAVIGATE_NOVA = minorToNova(Number(CARD_NAVIGATE_PRICE));

/** What a comment costs: 25 Nova for each started 15 characters; nothing for none. */
export const wallCommentNova = (text: string): number => minorToNova(Number(wallCommentPrice(countCharacters(text))));
