import { cardPicture, smallerPicture } from '@app/domain';
import type { FastifyRequest } from 'fastify';
import { findCookie, SESSION_COOKIE } from './platform/auth/cookies.js';
import type { Config } from './platform/config.js';
import type { FirstPicture, PageStart, PageStarts } from './platform/http/client-page.js';

/** The frame of every page behind the sign-in (`apps/web/src/app/router.tsx`). */
const FRAME = 'src/app/signed-in.tsx';
const FRAME_READS = ['/api/auth/security-notices', '/api/chats/inbound-priority'];
const MAIN = 'src/features/main/main-page.tsx';

/** The first pages of lists, as the client asks for them (`test/e2e/first-load.spec.ts` looks that it does not ask again). */
const CARDS = '/api/discovery/feed?limit=12&offset=0';
const GRID = [CARDS, '/api/chats/mine', '/api/chats/pending-requests'];
const POSTS = '/api/content/feed?limit=10&offset=0';
const STATEMENT = ['/api/nova/transactions?limit=20&groupBy=day', '/api/nova/transactions/totals'];

interface Media {
  readonly contentType: string;
  readonly mediaUrl: string;
  readonly thumbnailUrl: string | null;
}

/** What a card shows first (`apps/web/src/features/discovery/card-media.tsx`). */
function pictureOfCard(content: Media | null): FirstPicture | null {
  if (content === null) return null;
  if (content.contentType === 'image') return cardPicture(content.thumbnailUrl ?? content.mediaUrl);
  return content.thumbnailUrl === null ? null : { src: smallerPicture(content.thumbnailUrl, 'medium') };
}

/** What a post shows first (`apps/web/src/features/feed/post-card.tsx`). */
function pictureOfPost({ contentType, mediaUrl, thumbnailUrl }: Media): FirstPicture | null {
  if (contentType === 'image') return { src: smallerPicture(mediaUrl, 'large') };
  return thumbnailUrl === null ? null : { src: thumbnailUrl };
}

const DISCOVERY: PageStart = {
  parts: [MAIN],
  reads: GRID,
  shell: 'cards',
  pictures: {
    read: CARDS,
    of: (answer) =>
      (answer as { profiles: { profileCardContent: Media | null }[] }).profiles.map(({ profileCardContent }) =>
        pictureOfCard(profileCardContent),
      ),
  },
};

const STARTS: Readonly<Record<string, PageStart>> = {
  '/': DISCOVERY,
  '/discovery': DISCOVERY,
  '/feed': {
    parts: [MAIN, 'src/features/feed/feed-view.tsx'],
    reads: [POSTS],
    shell: 'posts',
    pictures: { read: POSTS, of: (answer) => (answer as { posts: Media[] }).posts.map(pictureOfPost) },
  },
  '/wallet': {
    parts: ['src/features/wallet/wallet-page.tsx'],
    reads: ['/api/nova/balance', ...STATEMENT],
    shell: 'wallet',
  },
  '/gifts': { parts: ['src/features/gifts/gifts-page.tsx'], reads: [] },
  '/profile': { parts: ['src/features/profiles/profile-page.tsx'], reads: [] },
  '/quests': { parts: ['src/features/quests/quests-page.tsx'], reads: [] },
};

/** Pages with one question or text, without navigation; three of them are for everybody. */
const PLAIN = new Set([
  '/oauth/consent',
  '/oauth/consent/test',
  '/device',
  '/verify-email',
  '/reset-password',
  '/terms',
]);

/** What the client's pages begin with; others begin with their frame alone. */
export const pageStarts = (config: Pick<Config, 'publicUrl'>): PageStarts => ({
  whoIs: '/api/auth/user',
  hasSession: ({ cookies }: FastifyRequest) =>
    findCookie(config, SESSION_COOKIE, (name) => cookies[name]) !== undefined,
  of(path, query) {
    if (PLAIN.has(path)) return { parts: [], reads: [] };
    const { parts, reads, ...shell } = STARTS[path] ?? { parts: [], reads: [] };
    // A query asks for another tab, or other cards.
    if (query !== '') return { parts: [FRAME, ...parts], reads: FRAME_READS };
    return { parts: [FRAME, ...parts], reads: [...FRAME_READS, ...reads], ...shell };
  },
});
