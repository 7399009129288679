import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  api,
  type ApiError,
  type CurrentUser,
  currentUserQuery,
  newIdempotencyKey,
  refreshMoney,
  useCurrentUser,
} from '@/shared/api';
import { errorToast, quietToast } from '@/shared/ui';
import { feedKeys } from './feed-keys';
import type { EngagementEvent, ScrollPaid } from './feed-types';
import { changePost } from './post-cache';
import { onceReading } from './reading';
import { ScoreNotice } from './score-notice';
import { ScrollCharges } from './scroll-charges';
import { VideoStage } from './video-stage';
import { followPage, type View, ViewTracker } from './view-tracking';

/** Charges within this time share one refetch of the balances. */
const BALANCE_SETTLES_MS = 1_000;

/** What one member does with the feed while the page is open: each view and each charge happens once. */
class FeedSession {
  /** The scroll position at which the member left the feed. */
  placePx = 0;
  readonly views = new ViewTracker({
    nowMs: () => performance.now(),
    seen: (post) => !post.isPaid && this.charges.add(post.id),
    report: (view) => this.viewed(view),
  });
  readonly videos = new VideoStage();
  readonly charges = new ScrollCharges({
    isOver: () => this.client.getQueryData(currentUserQuery.queryKey)?.id !== this.memberId,
    charge: (postId, idempotencyKey, press) => api.post('/api/scroll', { body: { postId }, idempotencyKey, press }),
    newKey: newIdempotencyKey,
    onPaid: (postId, paid) => this.paid(postId, paid),
    onRefused: (refusal) => this.refused(refusal),
  });
  private readonly notice = new ScoreNotice((text) => {
    quietToast(text);
    void this.client.invalidateQueries({ queryKey: feedKeys.statusBar });
  });
  private balanceTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: QueryClient,
    private readonly memberId: string,
  ) {}

  /**
   * Reports an action on a post, for its points. A failure is ignored, because the action itself took place.
   *
   * @param note shown with the points
   */
  async tell(event: EngagementEvent, note?: string): Promise<void> {
    try {
      const { score } = await api.post('/api/events', { body: event, keepalive: true });
      this.notice.add(score, note);
    } catch {
      // Points that could not be counted are not worth an error.
    }
  }

  private viewed({ post, eventType, dwellMs }: View): void {
    const watchPercent = post.watchPercent?.();
    void this.tell({
      postId: post.id,
      authorId: post.authorId,
      eventType,
      dwellTime: Math.round(dwellMs),
      ...(watchPercent !== undefined && { watchPercent }),
    });
  }

  private paid(postId: string, { novaDeducted, novaBalance }: ScrollPaid): void {
    changePost(this.client, postId, { isPaid: true });
    if (novaDeducted === 0) return;
    this.client.setQueryData(currentUserQuery.queryKey, (user) => user && { ...user, novaBalance });
    clearTimeout(this.balanceTimer);
    this.balanceTimer = setTimeout(() => refreshMoney(this.client), BALANCE_SETTLES_MS);
  }

  private refused(error: ApiError): void {
    errorToast(error.code === 'INSUFFICIENT_NOVA' ? 'Insufficient Nova' : 'Not paid', error);
    refreshMoney(this.client);
  }
}

let open: { memberId: string; session: FeedSession } | undefined;

/** The session of a member; it stays the same until somebody else signs in. */
function feedSessionOf(client: QueryClient, memberId: string): FeedSession {
  if (open?.memberId !== memberId) open = { memberId, session: new FeedSession(client, memberId) };
  return open.session;
}

const idOf = (user: CurrentUser | null) => user?.id;

/**
 * The signed-in member's feed session. Every post uses it, so the changes that a charge makes to the member must not
 * render all posts again.
 */
export function useFeedSession(): FeedSession {
  const client = useQueryClient();
  const { data: memberId } = useQuery({ ...currentUserQuery, select: idOf });
  return feedSessionOf(client, memberId ?? '');
}

/**
 * Use this once on a screen with posts: time in a hidden page is no view, charges begin with the reading, and a new
 * balance lets waiting charges continue.
 */
export function useKeptFeedSession(): void {
  const session = useFeedSession();
  const novaBalance = useCurrentUser().data?.novaBalance;
  useEffect(() => followPage(session.views), [session]);
  useEffect(() => {
    const stop = onceReading((press) => session.charges.begin(press));
    return () => {
      stop();
      session.charges.end();
    };
  }, [session]);
  useEffect(() => {
    if (novaBalance !== undefined) session.charges.balanceIs(novaBalance);
  }, [session, novaBalance]);
}
