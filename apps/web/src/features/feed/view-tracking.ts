import { COMPLETE_VIEW_MS, IMPRESSION_VISIBLE_SHARE, QUALIFIED_VIEW_MS } from '@app/domain';
import type { ViewEventType } from './feed-types';

/** A post as far as its views are concerned. */
export interface ViewedPost {
  id: string;
  authorId: string;
  /** Reading it costs nothing any more. */
  isPaid: boolean;
  /** How much of it has played, 0 to 100; of a video only. */
  watchPercent?: () => number | undefined;
}

export interface View {
  post: ViewedPost;
  eventType: ViewEventType;
  /** How long it had been in view then. */
  dwellMs: number;
}

export interface ViewTrackerOptions {
  nowMs: () => number;
  report: (view: View) => void;
}

interface Visit {
  post: ViewedPost;
  /** Time in view before `sinceMs`. */
  dwellMs: number;
  /** Since when it counts; null while the page is hidden. */
  sinceMs: number | null;
}

/**
 * How long each post is in view (rule feed-7): an impression as it comes, a qualified view when it is left
 * after 3 seconds, a complete view after 10; each once per post for as long as the tracker lives. Time in which the page
 * is hidden does not count, and hiding it tells what has been reached, since a hidden page may never come back.
 */
export class ViewTracker {
  private readonly visits = new Map<string, Visit>();
  private readonly told = new Set<string>();
  private isPaused = false;

  constructor(private readonly options: ViewTrackerOptions) {}

  /** At least half of the post is visible. */
  enter(post: ViewedPost): void {
    if (this.visits.has(post.id)) return;
    const visit: Visit = { post, dwellMs: 0, sinceMs: null };
    this.visits.set(post.id, visit);
    if (!this.isPaused) this.begin(visit);
  }

  /** It is not, or it is gone. */
  leave(postId: string): void {
    const visit = this.visits.get(postId);
    if (visit === undefined) return;
    this.settle(visit);
    this.visits.delete(postId);
  }

  /** The page is hidden or about to go. */
  pause(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    for (const visit of this.visits.values()) this.settle(visit);
  }

  /** The page is seen again. */
  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    for (const visit of this.visits.values()) this.begin(visit);
  }

  private begin(visit: Visit): void {
    visit.sinceMs = this.options.nowMs();
    this.tell(visit, 'impression');
  }

  private settle(visit: Visit): void {
    if (visit.sinceMs === null) return;
    visit.dwellMs += this.options.nowMs() - visit.sinceMs;
    visit.sinceMs = null;
    if (visit.dwellMs >= QUALIFIED_VIEW_MS) this.tell(visit, 'qualified_view');
    if (visit.dwellMs >= COMPLETE_VIEW_MS) this.tell(visit, 'complete_view');
  }

  private tell({ post, dwellMs }: Visit, eventType: ViewEventType): void {
    const mark = `${eventType} ${post.id}`;
    if (this.told.has(mark)) return;
    this.told.add(mark);
    this.options.report({ post, eventType, dwellMs });
  }
}

/** Keeps the tracker told of whether half of an element is visible. Returns the way to stop, which leaves the post. */
export function observeViews(element: Element, post: ViewedPost, tracker: ViewTracker): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      const last = entries.at(-1);
      if (last === undefined) return;
      if (last.isIntersecting && last.intersectionRatio >= IMPRESSION_VISIBLE_SHARE) tracker.enter(post);
      else tracker.leave(post.id);
    },
    { threshold: IMPRESSION_VISIBLE_SHARE },
  );
  observer.observe(element);
  return () => {
    observer.disconnect();
    tracker.leave(post.id);
  };
}

/** Pauses the tracker while the page is hidden or put away. Returns the way to stop. */
export function followPage(tracker: ViewTracker): () => void {
  const follow = (): void => (document.visibilityState === 'hidden' ? tracker.pause() : tracker.resume());
  const pause = (): void => tracker.pause();
  document.addEventListener('visibilitychange', follow);
  window.addEventListener('pagehide', pause);
  window.addEventListener('pageshow', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    window.removeEventListener('pagehide', pause);
    window.removeEventListener('pageshow', follow);
  };
}
