import { describe, expect, test } from '@jest/globals';
import { infiniteQueryOptions, InfiniteQueryObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { createQueryClient } from './query-client';

/** An observed query whose answers the spec gives, oldest first. */
function observed() {
  const client = createQueryClient();
  const answers: ((value: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['list', { search: 'mallory' }],
    queryFn: ({ signal }) =>
      new Promise<string>((resolve, reject) => {
        answers.push(resolve);
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  });
  return { client, answers, observer, end: observer.subscribe(() => undefined) };
}

test('reads again what was being read for the first time when it was invalidated', async () => {
  const { client, answers, observer, end } = observed();
  const refreshed = client.invalidateQueries({ queryKey: ['list'] });
  await new Promise((resolve) => setTimeout(resolve));
  answers[0]?.('from before the change');
  await new Promise((resolve) => setTimeout(resolve));
  answers[1]?.('from after it');
  await refreshed;
  expect(observer.getCurrentResult().data).toBe('from after it');
  end();
});

test('lets a first reading go on where nothing is to be read again', async () => {
  const { client, answers, observer, end } = observed();
  await client.invalidateQueries({ queryKey: ['another'] });
  await client.invalidateQueries({ queryKey: ['list'], refetchType: 'none' });
  answers[0]?.('read once');
  await new Promise((resolve) => setTimeout(resolve));
  expect(observer.getCurrentResult().data).toBe('read once');
  expect(answers).toHaveLength(1);
  end();
});

test('sends a command at once or never: one that waited for the network would take effect when nobody expects it any more', async () => {
  onlineManager.setOnline(false);
  const client = createQueryClient();
  const mutationFn = () => Promise.reject(new Error('no answer'));
  const sent = client.getMutationCache().build(client, { mutationFn });
  void sent.execute(undefined).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve));
  expect(sent.state).toMatchObject({ status: 'error', isPaused: false });
  onlineManager.setOnline(true);
});

describe('a list of pages', () => {
  const listKey = ['pages'];
  const soon = () => new Promise((resolve) => setTimeout(resolve));

  /** A list that records the pages it requests; the pages in `holds` never get an answer. */
  function list({ keepsPages, holds = [] }: { keepsPages?: () => boolean; holds?: number[] } = {}) {
    const client = createQueryClient();
    const asked: number[] = [];
    const options = infiniteQueryOptions({
      queryKey: listKey,
      queryFn({ pageParam, signal }) {
        asked.push(pageParam);
        if (!holds.includes(pageParam)) return Promise.resolve(`page ${pageParam}`);
        return new Promise<string>((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
      initialPageParam: 0,
      getNextPageParam: (_, pages) => pages.length,
      refetchOnMount: 'always',
      ...(keepsPages && { meta: { keepsPages } }),
    });
    const observer = new InfiniteQueryObserver(client, options);
    const showToo = () => new InfiniteQueryObserver(client, options).subscribe(() => undefined);
    return { client, asked, observer, show: () => observer.subscribe(() => undefined), showToo };
  }

  test('is asked for its first page alone by who comes back after scrolling', async () => {
    const { client, asked, observer, show } = list();
    const leave = show();
    await soon();
    await observer.fetchNextPage();
    await observer.fetchNextPage();
    expect(asked).toEqual([0, 1, 2]);
    leave();
    await soon();
    expect(client.getQueryData(listKey)).toEqual({ pages: ['page 0'], pageParams: [0] });
    asked.length = 0;
    const leaveAgain = show();
    await soon();
    expect(asked).toEqual([0]);
    leaveAgain();
  });

  test('is left so also while a page is on its way', async () => {
    const { client, observer, show } = list({ holds: [2] });
    const leave = show();
    await soon();
    await observer.fetchNextPage();
    void observer.fetchNextPage();
    leave();
    await soon();
    expect(client.getQueryData(listKey)).toEqual({ pages: ['page 0'], pageParams: [0] });
  });

  test('stays as it was where its place is kept, and while another shows it', async () => {
    const kept = list({ keepsPages: () => true });
    const shown = list();
    const [leaveKept, leaveShown, leaveLast] = [kept.show(), shown.show(), shown.showToo()];
    await soon();
    await Promise.all([kept.observer.fetchNextPage(), shown.observer.fetchNextPage()]);
    leaveKept();
    leaveShown();
    await soon();
    expect(kept.client.getQueryData(listKey)).toMatchObject({ pages: ['page 0', 'page 1'] });
    expect(shown.client.getQueryData(listKey)).toMatchObject({ pages: ['page 0', 'page 1'] });
    leaveLast();
  });
});
