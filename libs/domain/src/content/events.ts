/** Where a piece of content is shown: as a post of the feed, or on its owner's profile card (rule profiles-9). */
export const CONTENT_SURFACES = ['feed', 'discovery'] as const;
export type ContentSurface = (typeof CONTENT_SURFACES)[number];

interface Fact<T extends string> {
  readonly type: T;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A member published content. Its media, caption and tags are in a row with this id. */
export interface ContentPublished extends Fact<'ContentPublished'> {
  readonly contentId: string;
  readonly authorId: string;
  readonly surface: ContentSurface;
}

export interface ContentRemoved extends Fact<'ContentRemoved'> {
  readonly contentId: string;
  readonly authorId: string;
}

/** What a member's profile card shows from now on: a piece of their discovery content, or (null) their picture. */
export interface CardContentChosen extends Fact<'CardContentChosen'> {
  readonly memberId: string;
  readonly contentId: string | null;
}

export type ContentItemEvent = ContentPublished | ContentRemoved;
export type ContentEvent = ContentItemEvent | CardContentChosen;

export const CONTENT_STREAM_PREFIX = 'content-';
export const CARD_STREAM_PREFIX = 'card-';
export const contentStream = (contentId: string): string => `${CONTENT_STREAM_PREFIX}${contentId}`;
export const cardStream = (memberId: string): string => `${CARD_STREAM_PREFIX}${memberId}`;
