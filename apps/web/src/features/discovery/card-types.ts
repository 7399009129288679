import type { Schemas } from '@/shared/api';

/** The shapes of cards and walls as the API sends them. Amounts are Nova, times ISO 8601. */

export type CardContent = Schemas['CardMediaDto'];
export type MediaType = CardContent['contentType'];

/** A member's card (rule discovery-1). */
export type ProfileCard = Schemas['ProfileCardDto'];

export type CardPage = Schemas['DiscoveryFeedDto'];

export type WallComment = Schemas['WallCommentDto'];

export type WallPage = Schemas['WallDto'];
