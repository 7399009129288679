import { COMPLETE_VIEW_MS, IMPRESSION_VISIBLE_SHARE, QUALIFIED_VIEW_MS } from '@app/domain';
import type { ViewEventType } from './feed-types';

/** What the tracker needs to know of a post. */
export interface ViewedPost {
  id: string;
  authorId: string;
  /** Reading it costs nothing more. */
  isPaid: boolean;
  /** The played part, 0 to 100; for videos only. */
  watchPercent?: () => number | undefined;
}

export interface View {
  post: ViewedPost;
  eventType: ViewEventType;
  /** How long it had been in view by then. */
  dwellMs: number;
}

export interface ViewTrackerOptions {
  nowMs: () => number;
  /** Called each time that a post comes into view. */
  seen: (post: ViewedPost) => void;
  report: (view: View) => void;
}

interface Visit {
  post: ViewedPost;
  /** Time in view before `sinceMs`. */
  dwellMs: number;
  /** Since when time counts; null while the page is hidden. */
  sinceMs: number | null;
}

/**
 * Measures how long each post is in view (rule feed-7): reports an impression when it appears, a qualified view when it
 * is left after 3 seconds, and a complete view after 10; each once per post while the tracker lives. Time in which the
 * page is hidden does not count. Hiding the page reports what has been reached, because a hidden page may never come
 * back.
 */
export class ViewTracker {
  private readonly visits = new Map<string, Visit>();
  private readonly told = new Set<string>();
  private isPaused = false;

  constructor(private readonly options: ViewTrackerOptions) {}

  /** At least half of the post is now visible. */
  enter(post: ViewedPost): void {
    if (this.visits.has(post.id)) return;
    const visit: Visit = { post, dwellMs: 0, sinceMs: null };
    this.visits.set(post.id, visit);
    if (!this.isPaused) this.begin(visit);
  }

  /** Less than half of the post is visible, or it is gone. */
  leave(postId: string): void {
    const visit = this.visits.get(postId);
    if (visit === undefined) return;
    this.settle(visit);
    this.visits.delete(postId);
  }

  /** The page is hidden or about to close. */
  pause(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    for (const visit of this.visits.values()) this.settle(visit);
  }

  /** The page is visible again. */
  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    for (const visit of this.visits.values()) this.begin(visit);
  }

  private begin(visit: Visit): void {
    visit.sinceMs = this.options.nowMs();
    this.options.seen(visit.post);
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

/**
 * Tells the tracker whether half of an element is visible. Returns the function that stops this, which also leaves the
 * post.
 */
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

/** Pauses the tracker while the page is hidden or put away. Returns the function that stops this. */
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
