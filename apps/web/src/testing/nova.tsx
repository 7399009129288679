import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react/pure';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { http, HttpResponse, ws } from 'msw';
import { setupServer } from 'msw/node';
import { RouterProvider } from 'react-router-dom';
import { toast as sonner } from 'sonner';
import { createRouter } from '@/app/router';
import { createQueryClient } from '@/shared/api';
import { SETTLES_MS } from '@/shared/ui/standing';

/** The member who is signed in, unless a spec says otherwise. */
export const MEMBER = {
  id: 'member-ada',
  displayName: 'Ada',
  email: 'ada@nova.test',
  emailVerified: true,
  isAdmin: false,
  awaitsAdminWord: false,
  profileImageUrl: null,
  profileCardThumbnailUrl: null,
  profileCardContent: null,
  novaBalance: 10_000,
  purchasedNova: 0,
  earnedNova: 10_000,
  followingCount: 0,
  rating: 5,
  ratingCount: 0,
  createdAt: '2026-01-31T12:00:00.000Z',
};

/** Another member, as lists and chats show them. */
export const member = (given: { id: string; displayName: string }) => ({ ...given, profileImageUrl: null, rating: 5 });

/** A chat of Ada, the initiator, with Ann, unless the spec says otherwise. */
export const chatView = (given: { id: string; status: string; [field: string]: unknown }) => {
  const [ada, ann] = [member(MEMBER), member({ id: 'member-ann', displayName: 'Ann' })];
  const side = given['side'] ?? 'initiator';
  const [initiator, host] = side === 'initiator' ? [ada, ann] : [ann, ada];
  return {
    side,
    initiatorId: initiator.id,
    hostId: host.id,
    initiator,
    host,
    price: 1_250,
    exchangeCount: 0,
    totalCharacterCount: 0,
    validHostCharacterCount: 0,
    isSuccessful: false,
    percentage: 0,
    myRating: null,
    theirRating: null,
    requestedAt: new Date().toISOString(),
    acceptBy: new Date(Date.now() + 120_000).toISOString(),
    acceptedAt: null,
    verifyBy: null,
    endedAt: null,
    terminatedBy: null,
    terminationCause: null,
    rateBy: null,
    completedAt: null,
    refunded: null,
    readThrough: null,
    messages: [],
    ...given,
  };
};

/** A member's card on the discovery page. */
export const card = (given: { displayName: string; [field: string]: unknown }) => ({
  id: `member-${given.displayName}`,
  mood: 'blue',
  relationshipStatus: null,
  profileImageUrl: null,
  profileCardThumbnailUrl: null,
  profileCardContent: null,
  mediaUrl: null,
  rating: 5,
  ratingCount: 0,
  followerCount: 0,
  followingCount: 0,
  isOnline: true,
  status: null,
  occupation: null,
  ambitions: null,
  compatibilityScore: null,
  minimumChatPrice: 1,
  allowDirectChats: true,
  cooldownUntil: null,
  isOwn: false,
  isUnlocked: false,
  wallCount: 0,
  ...given,
});

/** What a member is notified of until they choose, in no browser yet. */
export const PUSH = {
  kinds: ['chat_request', 'chat_accepted', 'call', 'message', 'gift'],
  showsText: false,
  mails: true,
  quietHours: null,
  publicKey: 'BAAA',
  browsers: 0,
  here: false,
};

/** What went wrong on a spec's page: unanswered calls, and errors that were printed or not caught. */
export const problems: string[] = [];

interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

const live = ws.link('*/ws');

/** The frames that the page sent on its live connection, oldest first. */
export const frames: Frame[] = [];

/** Answers the calls of the shell around every page. The spec must answer any other call. */
export const server = setupServer(
  http.get('*/api/auth/user', () => HttpResponse.json({ user: MEMBER })),
  http.get('*/api/auth/security-notices', () => HttpResponse.json({ notices: [] })),
  http.get('*/api/notices/unread', () => HttpResponse.json({ unread: 0 })),
  http.get('*/api/push', () => HttpResponse.json(PUSH)),
  http.get('*/api/auth/features', () => HttpResponse.json({ mail: false })),
  http.get('*/api/nova/balance', () =>
    HttpResponse.json({
      novaBalance: 10_000,
      purchasedNova: 0,
      earnedNova: 10_000,
      owedNova: 0,
      pendingNova: 0,
      heldNova: 0,
    }),
  ),
  http.get('*/api/nova/transactions/totals', () => HttpResponse.json({ count: 0, in: 0, out: 0 })),
  http.post('*/api/chats/:id/read', () => new HttpResponse(null, { status: 204 })),
  http.get('*/api/chats/inbound-priority', () => HttpResponse.json({ chats: [] })),
  http.get('*/api/admin/watches', () => HttpResponse.json({ watches: [], beyond: 0, max: 50 })),
  http.get('*/api/admin/approvals', () =>
    HttpResponse.json({ approvals: [], waiting: 0, pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } }),
  ),
  live.addEventListener('connection', ({ client }) =>
    client.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') frames.push(JSON.parse(data) as Frame);
    }),
  ),
  http.all('*', ({ request }) => {
    problems.push(`no answer to ${request.method} ${request.url}`);
    return HttpResponse.error();
  }),
);

type Json = object | null;
type Reply = Json | Response | (() => Json | Response | Promise<Json | Response>);

/** One call that the page made. */
export interface Sent {
  readonly url: URL;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  /** The browser sends it even if the page closes meanwhile. */
  readonly outlivesPage: boolean;
}

/**
 * From now on, the API gives this answer to a call such as `POST /api/gifts/send`, whatever its query.
 * @returns the calls that came, the oldest first
 */
export function answer(call: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, reply: Reply): Sent[] {
  const [method = '', path = ''] = call.split(' ');
  const sent: Sent[] = [];
  const handle = http[method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'];
  server.use(
    handle(`*${path}`, async ({ request }) => {
      const text = await request.text();
      sent.push({
        url: new URL(request.url),
        body: text.startsWith('{') ? JSON.parse(text) : text,
        idempotencyKey: request.headers.get('idempotency-key'),
        outlivesPage: request.keepalive,
      });
      const answered = typeof reply === 'function' ? await reply() : reply;
      return answered instanceof Response ? answered : HttpResponse.json(answered);
    }),
  );
  return sent;
}

/** The discovery page lists these cards; a search lists those whose name contains it. @returns the calls that came */
export function answerCards(...cards: ReturnType<typeof card>[]): Sent[] {
  const sent = answer('GET /api/discovery/feed', () => {
    const asked = sent.at(-1)?.url.searchParams;
    const [ids, search] = [asked?.get('ids')?.split(','), asked?.get('search') ?? ''];
    const isAsked = ({ id, displayName }: (typeof cards)[number]) =>
      ids === undefined ? displayName.includes(search) : ids.includes(id);
    const online = cards.filter(({ isOnline, isOwn }) => isOnline && !isOwn).map(({ id }) => id);
    return { profiles: cards.filter(isAsked), hasMore: false, online };
  });
  return sent;
}

/** Signs in an admin. */
export const answerAdmin = (): void => void answer('GET /api/auth/user', { user: { ...MEMBER, isAdmin: true } });

/** A refusal as the API sends it: with a stable code and a sentence. */
export const refusal = (status: number, code: string, message: string): Response =>
  HttpResponse.json({ code, message }, { status });

/** The answer when nobody is signed in. */
export const signedOut = (): Response => refusal(401, 'UNAUTHENTICATED', 'Sign in to continue.');

/** The call may have taken effect, but its answer was lost. */
export const lostAnswer = (): Response => HttpResponse.error();

/** A reply that waits until it is released. */
export function held(reply: Json | Response): { reply: () => Promise<Json | Response>; letGo: () => void } {
  let letGo = () => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { reply: () => free.then(() => reply), letGo };
}

/** Sends the page a frame on its live connection. */
export const tell = (frame: Frame): void => live.broadcast(JSON.stringify(frame));

/** Ends the live connection; the page reconnects by itself. */
export function cutLine(): void {
  for (const client of live.clients) client.close(4000);
}

/** Ends the session, as the page learns on its live connection. */
export async function endSession(): Promise<void> {
  await waitFor(() => {
    if (live.clients.size === 0) throw new Error('There is no live connection.');
  });
  for (const client of live.clients) client.close(4401);
}

/** Replaces the content of a field with the text, at once. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  if (text !== '') await user.paste(text);
}

/** Presses a control that takes Nova, once it has stood there for long enough. */
export async function pressPaid(user: UserEvent, control: HTMLElement): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, SETTLES_MS));
  await user.click(control);
}

let closePage = () => {};

/**
 * Opens the app at this path, in place of the open page, in a browser where the optional cookies were accepted.
 * @returns who uses it
 */
export function open(path: string, { hasChosenCookies = true } = {}): UserEvent {
  closePage();
  if (hasChosenCookies) localStorage.setItem('nova.optionalCookies', 'true');
  history.pushState(null, '', path);
  const [router, client] = [createRouter(), createQueryClient()];
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  closePage = () => {
    unmount();
    router.dispose();
    client.clear();
    closePage = () => {};
  };
  return userEvent.setup();
}

/** Closes the page, and waits until its dialogs' steps in the browser's history are gone. */
export async function close(): Promise<void> {
  // Otherwise, the next page would show them.
  sonner.dismiss();
  closePage();
  await waitFor(() => {
    if (Number(history.state?.dialogDepth ?? 0) > 0) throw new Error('A dialog that was closed is still in history.');
  });
  localStorage.clear();
  sessionStorage.clear();
  frames.length = 0;
}

/** The toast with this text, once it is there. */
export async function toast(text: string | RegExp): Promise<HTMLElement> {
  const said = await screen.findByText(text, { selector: '[data-sonner-toast][data-removed=false] *' });
  return said.closest<HTMLElement>('[data-sonner-toast]') ?? said;
}
