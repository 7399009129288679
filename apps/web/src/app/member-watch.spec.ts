import { expect, jest, test } from '@jest/globals';
import { ApiError, createQueryClient, currentUserQuery, queryKeys, type CurrentUser } from '@/shared/api';
import { watchMember } from './member-watch';

const member = (id: string) => ({ id, displayName: id }) as CurrentUser;

/** A page on which Ada is signed in and has looked at her balance. */
function pageOfAda() {
  const client = createQueryClient();
  client.setQueryData(currentUserQuery.queryKey, member('ada'));
  client.setQueryData(queryKeys.balance, { novaBalance: 4321 });
  const onMember = jest.fn();
  watchMember(client, onMember);
  const read = (user: CurrentUser | null) =>
    client.fetchQuery({ ...currentUserQuery, queryFn: () => Promise.resolve(user), staleTime: 0 });
  return { client, onMember, read, balance: () => client.getQueryData(queryKeys.balance) };
}

test('forgets a member whom the server no longer knows', async () => {
  const { onMember, read, balance } = pageOfAda();
  await read(null);
  expect(balance()).toBeUndefined();
  expect(onMember.mock.calls).toEqual([[null]]);
});

test('forgets a member in whose place another is found', async () => {
  const { onMember, read, balance } = pageOfAda();
  await read(member('bela'));
  expect(balance()).toBeUndefined();
  expect(onMember.mock.calls).toEqual([['bela']]);
});

test('keeps what is cached while the member stays', async () => {
  const { onMember, read, balance } = pageOfAda();
  await read({ ...member('ada'), displayName: 'Ada Lovelace' });
  expect(balance()).toEqual({ novaBalance: 4321 });
  expect(onMember).not.toHaveBeenCalled();
});

const refused = (body: object) => new ApiError(401, JSON.stringify(body), 'Unauthorized');

test.each(['UNAUTHENTICATED', 'SIGN_IN_AGAIN'])('takes %s for the end of the session', async (code) => {
  const { client, onMember, balance } = pageOfAda();
  const error = refused({ code, message: 'Please sign in to continue.' });
  await expect(client.fetchQuery({ queryKey: ['x'], queryFn: () => Promise.reject(error) })).rejects.toBe(error);
  expect(client.getQueryData(currentUserQuery.queryKey)).toBeNull();
  expect(balance()).toBeUndefined();
  expect(onMember.mock.calls).toEqual([[null]]);
});

test.each([{ error: 'invalid_client' }, { code: 'INVALID_CREDENTIALS', message: 'Invalid email or password.' }])(
  'does not take the 401 of a client or of a password for the end of the session: %j',
  async (body) => {
    const { client, onMember, balance } = pageOfAda();
    const error = refused(body);
    const mutation = client.getMutationCache().build(client, { mutationFn: () => Promise.reject(error) });
    await expect(mutation.execute(undefined)).rejects.toBe(error);
    expect(balance()).toEqual({ novaBalance: 4321 });
    expect(onMember).not.toHaveBeenCalled();
  },
);
