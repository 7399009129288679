import {
  countCharacters,
  EXPLANATION_CHARACTERS_MAX,
  EXPLANATION_CHARACTERS_MIN,
  REVIEW_CHARACTERS_MAX,
  REVIEW_CHARACTERS_MIN,
} from '@app/domain';

/** What is typed into the rating dialogs. */
export interface Review {
  rating: number;
  comment: string;
  follow: boolean;
  explanation: string;
}

/** 50 of 100 until said otherwise (rule ratings-1). */
const RATING_DEFAULT = 50;

export const newReview = (): Review => ({ rating: RATING_DEFAULT, comment: '', follow: false, explanation: '' });

const within = (text: string, min: number, max: number): boolean => {
  const characters = countCharacters(text);
  return characters >= min && characters <= max;
};

/** 50 to 100 characters (rule ratings-1). */
export const isComment = (text: string): boolean => within(text, REVIEW_CHARACTERS_MIN, REVIEW_CHARACTERS_MAX);

/** 30 to 100 characters (rule ratings-1). */
export const isExplanation = (text: string): boolean =>
  within(text, EXPLANATION_CHARACTERS_MIN, EXPLANATION_CHARACTERS_MAX);
