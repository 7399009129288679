import { afterEach, describe, expect, it } from '@jest/globals';
import { observeViews, ViewTracker, type View } from './view-tracking';

const POST = { id: 'post', authorId: 'ada', isPaid: true };

function tracked() {
  const views: string[] = [];
  const dwells: number[] = [];
  const seen: string[] = [];
  let nowMs = 1_000;
  const tracker = new ViewTracker({
    nowMs: () => nowMs,
    seen: ({ id }) => seen.push(id),
    report({ post, eventType, dwellMs }: View) {
      views.push(`${eventType} ${post.id}`);
      dwells.push(dwellMs);
    },
  });
  return { tracker, views, dwells, seen, pass: (ms: number) => (nowMs += ms) };
}

describe('views of posts', () => {
  it('tells the impression at once, and nothing more of a post that is left before 3 seconds', () => {
    const { tracker, views, pass } = tracked();
    tracker.enter(POST);
    expect(views).toEqual(['impression post']);
    pass(2_999);
    tracker.leave('post');
    expect(views).toEqual(['impression post']);
  });

  it('tells a qualified view when the post is left, not before', () => {
    const { tracker, views, dwells, pass } = tracked();
    tracker.enter(POST);
    pass(3_000);
    expect(views).toEqual(['impression post']);
    tracker.leave('post');
    expect(views).toEqual(['impression post', 'qualified_view post']);
    expect(dwells).toEqual([0, 3_000]);
  });

  it('tells both from 10 seconds on', () => {
    const { tracker, views, pass } = tracked();
    tracker.enter(POST);
    pass(10_000);
    tracker.leave('post');
    expect(views).toEqual(['impression post', 'qualified_view post', 'complete_view post']);
  });

  it('tells each once, however often the post is seen', () => {
    const { tracker, views, seen, pass } = tracked();
    for (let visit = 0; visit < 3; visit++) {
      tracker.enter(POST);
      tracker.enter(POST);
      pass(20_000);
      tracker.leave('post');
      tracker.leave('post');
    }
    expect(seen).toEqual(['post', 'post', 'post']);
    expect(views).toEqual(['impression post', 'qualified_view post', 'complete_view post']);
  });

  it('does not add up visits', () => {
    const { tracker, views, pass } = tracked();
    for (let visit = 0; visit < 3; visit++) {
      tracker.enter(POST);
      pass(2_000);
      tracker.leave('post');
    }
    expect(views).toEqual(['impression post']);
  });

  it('counts each post by itself', () => {
    const { tracker, views, pass } = tracked();
    tracker.enter(POST);
    pass(2_000);
    tracker.enter({ id: 'next', authorId: 'ben', isPaid: true });
    pass(1_500);
    tracker.leave('post');
    tracker.leave('next');
    expect(views).toEqual(['impression post', 'impression next', 'qualified_view post']);
  });

  it('does not count the time in which the page is hidden', () => {
    const { tracker, views, pass } = tracked();
    tracker.enter(POST);
    pass(2_000);
    tracker.pause();
    pass(60_000);
    tracker.resume();
    pass(500);
    tracker.leave('post');
    expect(views).toEqual(['impression post']);
  });

  it('goes on counting where it was when the page comes back', () => {
    const { tracker, views, pass } = tracked();
    tracker.enter(POST);
    pass(2_000);
    tracker.pause();
    pass(60_000);
    tracker.resume();
    pass(1_000);
    tracker.leave('post');
    expect(views).toEqual(['impression post', 'qualified_view post']);
  });

  it('tells what has been reached as the page is hidden', () => {
    const { tracker, views, pass } = tracked();
    tracker.enter(POST);
    pass(4_000);
    tracker.pause();
    expect(views).toEqual(['impression post', 'qualified_view post']);
    tracker.leave('post');
    expect(views).toHaveLength(2);
  });

  it('has no impression of what comes into a hidden page until that is seen', () => {
    const { tracker, views } = tracked();
    tracker.pause();
    tracker.enter(POST);
    expect(views).toEqual([]);
    tracker.resume();
    expect(views).toEqual(['impression post']);
  });
});

describe('half of a post', () => {
  const real = globalThis.IntersectionObserver;
  afterEach(() => {
    globalThis.IntersectionObserver = real;
  });

  /** A browser's observer, controlled by the spec. */
  function handObserver() {
    const state = { observed: [] as unknown[], threshold: undefined as unknown, see: (_ratio: number): void => {} };
    globalThis.IntersectionObserver = class {
      constructor(callback: IntersectionObserverCallback, init?: IntersectionObserverInit) {
        state.threshold = init?.threshold;
        state.see = (intersectionRatio) =>
          callback(
            [{ isIntersecting: intersectionRatio > 0, intersectionRatio } as IntersectionObserverEntry],
            this as unknown as IntersectionObserver,
          );
      }
      observe(element: unknown): void {
        state.observed.push(element);
      }
      disconnect(): void {
        state.observed = [];
      }
    } as unknown as typeof IntersectionObserver;
    return state;
  }

  it('is in view from 50 % on, and left below', () => {
    const browser = handObserver();
    const { tracker, views, pass } = tracked();
    const element = {} as Element;
    observeViews(element, POST, tracker);
    expect(browser.observed).toEqual([element]);
    expect(browser.threshold).toBe(0.5);
    browser.see(0.49);
    expect(views).toEqual([]);
    browser.see(0.5);
    expect(views).toEqual(['impression post']);
    pass(3_000);
    browser.see(0.49);
    expect(views).toEqual(['impression post', 'qualified_view post']);
  });

  it('leaves a post whose card goes', () => {
    const browser = handObserver();
    const { tracker, views, pass } = tracked();
    const stop = observeViews({} as Element, POST, tracker);
    browser.see(1);
    pass(10_000);
    stop();
    expect(browser.observed).toEqual([]);
    expect(views).toEqual(['impression post', 'qualified_view post', 'complete_view post']);
  });
});
