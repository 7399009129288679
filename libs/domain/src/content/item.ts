import { invariant } from '../ledger/invariant.js';
import type { ContentItemEvent, ContentPublished, ContentSurface } from './events.js';

/** Characters of a caption, and how many tags a content may have. */
export const CAPTION_MAX = 500;
export const HASHTAGS_MAX = 20;

const MB = 1_048_576;
/** Maximal bytes of an upload, by its purpose. */
export const UPLOAD_BYTES_MAX = { content: 50 * MB, 'profile-image': 10 * MB, 'admin-content': 100 * MB } as const;

/** A piece of content, from the events of `content-{id}`; undefined before it was published. */
export interface ContentItem {
  readonly contentId: string;
  readonly authorId: string;
  readonly surface: ContentSurface;
  readonly removed: boolean;
}

export type ContentItemCommand =
  | ({ readonly type: 'PublishContent' } & Pick<ContentPublished, 'contentId' | 'authorId' | 'surface'>)
  | { readonly type: 'RemoveContent' };

/** Publishing or removing twice has the effect of once. Missing or removed content stays so. */
export function decideContentItem(
  state: ContentItem | undefined,
  command: ContentItemCommand,
  nowMs: number,
): readonly ContentItemEvent[] {
  if (command.type === 'PublishContent') {
    if (state) return [];
    const { contentId, authorId, surface } = command;
    return [{ type: 'ContentPublished', contentId, authorId, surface, at: nowMs }];
  }
  if (!state || state.removed) return [];
  const { contentId, authorId } = state;
  return [{ type: 'ContentRemoved', contentId, authorId, at: nowMs }];
}

/** @throws LedgerInvariantError an event that cannot follow */
export function evolveContentItem(state: ContentItem | undefined, event: ContentItemEvent): ContentItem {
  if (event.type === 'ContentPublished') {
    invariant(!state, () => `${event.contentId} was published twice`);
    const { contentId, authorId, surface } = event;
    return { contentId, authorId, surface, removed: false };
  }
  invariant(state !== undefined && !state.removed, () => `${event.contentId} was removed and is not there`);
  return { ...state, removed: true };
}
