import { apiFetch, type ApiRequest } from './api-fetch';
import type { PaidPress } from './paid-press';
import type { components, paths } from './schema';

/**
 * The types of requests and answers, by their names in the OpenAPI document; `npm run api:types` writes `schema.d.ts`
 * from it.
 */
export type Schemas = components['schemas'];

type Verb = NonNullable<ApiRequest['method']>;
type CallOf<P extends keyof paths, V extends Verb> = paths[P][Lowercase<V>];

/** The paths that support this method. */
type PathWith<V extends Verb> = {
  [P in keyof paths]: CallOf<P, V> extends { responses: unknown } ? P : never;
}[keyof paths];

type ContentOf<T> = T extends { content: infer C } ? C[keyof C] : undefined;

/** The answer of a call. */
export type Answer<P extends PathWith<V>, V extends Verb = 'GET'> =
  CallOf<P, V> extends { responses: infer R } ? ContentOf<R[Extract<keyof R, 200 | 201 | 202 | 204>]> : never;

/** The query parameters of a GET. */
export type Query<P extends PathWith<'GET'>> =
  CallOf<P, 'GET'> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;

/** The values of the path parameters, and the query; undefined and empty values are left out of the query. */
type Places<O> = O extends { parameters: infer T extends { path?: object; query?: object } }
  ? Pick<T, 'path' | 'query'>
  : never;

type Body<O> = O extends { requestBody: { content: { 'multipart/form-data': unknown } } }
  ? { body: FormData }
  : O extends { requestBody: infer B extends { content: unknown } }
    ? { body: ContentOf<B> }
    : { body?: Record<string, never> };

/** Only calls that read an idempotency key accept one. */
type Key<O> = O extends { parameters: { header?: infer H } }
  ? [NonNullable<H>] extends [never]
    ? { idempotencyKey?: never }
    : Pick<ApiRequest, 'idempotencyKey'>
  : never;

/** The commands that read an idempotency key: they may move value. */
type KeyedPath = {
  [P in PathWith<'POST'>]: CallOf<P, 'POST'> extends { parameters: { header?: { 'Idempotency-Key'?: string } } }
    ? [NonNullable<CallOf<P, 'POST'>['parameters']['header']>] extends [never]
      ? never
      : P
    : never;
}[PathWith<'POST'>];

/**
 * Whether each of them takes Nova or tokens from the member who calls it (rule screens-20). A command that is missing
 * here does not compile.
 */
interface Takes {
  '/api/discovery/upvote': true;
  '/api/profile/navigate': true;
  '/api/profile/{userId}/wall': true;
  '/api/scroll': true;
  '/api/gifts/send': true;
  '/api/chats/initiate': true;
  '/api/status/burn-tokens': true;
  '/api/oauth/application/{clientId}/wallet/fund': true;
  '/api/tokens/spend': true;
  '/api/tokens/transfer': true;
  '/api/tokens/earn': false;
  '/api/tokens/earn/bulk': false;
  '/api/oauth/application/{clientId}/wallet/withdraw': false;
  // A card pays, in its own form.
  '/api/nova/create-payment-intent': false;
  '/api/nova/confirm-purchase': false;
  // What they settle was taken when the chat was requested.
  '/api/chats/decline-request/{id}': false;
  '/api/chats/{id}/decline': false;
  '/api/chats/{id}/exit': false;
  '/api/chats/{id}/rate': false;
  '/api/status/submit-rating': false;
  '/api/quests/{id}/claim': false;
  '/api/status/create-test-perks': false;
  // Admins, on behalf of Nova.
  '/api/admin/users/{id}/add-nova': false;
  '/api/admin/users/{id}/deduct-nova': false;
  '/api/admin/finance/general-ledger/adjustments': false;
  '/api/admin/receivables/{reversalId}/write-off': false;
  '/api/admin/quests': false;
}

type TakingPath = { [P in KeyedPath]: Takes[P] extends true ? P : never }[KeyedPath];

/** A call that takes Nova, or may be one that does, needs the press by which the member agreed to it. */
type Press<V, P> = V extends 'POST' ? ([P & TakingPath] extends [never] ? unknown : { press: PaidPress }) : unknown;

type Given<O> = O extends unknown
  ? Places<O> & Body<O> & Key<O> & Pick<ApiRequest, 'signal' | 'keepalive' | 'revalidate'>
  : never;
type Arguments<G> = Partial<G> extends G ? [given?: G] : [given: G];

/** A value in a path or a query. */
type Value = string | number | boolean | undefined;

interface Filling {
  path?: object | undefined;
  query?: object | undefined;
}

function fillIn(path: string, { path: names = {}, query = {} }: Filling): string {
  const values = new Map(Object.entries<Value>({ ...names }));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries<Value>({ ...query })) {
    if (value !== undefined && value !== '') asked.set(name, String(value));
  }
  const text = asked.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** The address of a GET, for downloads by the browser. */
export const addressOf = <P extends PathWith<'GET'>>(path: P, given: Places<CallOf<P, 'GET'>>): string =>
  fillIn(path, given);

const callBy =
  <V extends Verb>(method: V) =>
  <P extends PathWith<V>>(path: P, ...[given]: Arguments<Given<CallOf<P, V>> & Press<V, P>>): Promise<Answer<P, V>> => {
    const { path: names, query, ...request }: Filling & ApiRequest = given ?? {};
    return apiFetch(fillIn(path, { path: names, query }), { ...request, method });
  };

/**
 * The calls of the API. Paths, parameters and answers are typed by the OpenAPI document; calls behave and throw as
 * `apiFetch` does.
 */
export const api = {
  get: callBy('GET'),
  post: callBy('POST'),
  put: callBy('PUT'),
  patch: callBy('PATCH'),
  delete: callBy('DELETE'),
};
