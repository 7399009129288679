import { expect, test } from '@jest/globals';
import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { createQueryClient } from './query-client';

/** An observed query whose answers are given by hand, oldest first. */
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
