import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerCards, card, held, MEMBER, open, refusal, toast } from '@/testing/nova';

const status = { dailyPoints: 0, dailyGoal: 100, currentLevel: 1, streakDays: 0, boostTokens: 0, prioritySlots: 0 };
const author = { id: 'member-Ann', displayName: 'Ann', profileImageUrl: null };

const post = (caption: string, given: object = {}) => ({
  id: `post-${caption.replaceAll(' ', '-')}`,
  contentType: 'image',
  promotionStage: 'stage_a',
  authorId: author.id,
  author,
  createdAt: '2026-01-31T12:00:00.000Z',
  engagementScore: 0,
  feedRank: 0,
  mediaUrl: '/objects/one',
  thumbnailUrl: null,
  caption,
  hashtags: [],
  viewCount: 0,
  likeCount: 0,
  commentCount: 0,
  shareCount: 0,
  avgRating: null,
  ratingCount: 0,
  qualifiedViews: 0,
  completeViews: 0,
  isLikedByUser: false,
  myRating: null,
  isPaid: true,
  isOwn: false,
  boostedUntil: null,
  isPriority: false,
  ...given,
});

/** Stands in for the browser's own observer, which sees nothing because jsdom lays out nothing. */
const watchers = new Set<Watcher>();
class Watcher {
  private readonly watched = new Set<Element>();
  constructor(private readonly tell: (entries: object[]) => void) {
    watchers.add(this);
  }
  observe = (element: Element) => this.watched.add(element);
  unobserve = (element: Element) => this.watched.delete(element);
  disconnect = () => watchers.delete(this);
  sees(element: Element) {
    if (this.watched.has(element)) this.tell([{ target: element, isIntersecting: true, intersectionRatio: 1 }]);
  }
}
/** The whole post is on the screen. */
const see = (element: Element) => act(() => [...watchers].forEach((watcher) => watcher.sees(element)));

/** The member begins to read. */
const scroll = () => fireEvent.wheel(document.body);

const browsers = window.IntersectionObserver;
let viewers = 0;
/** The app remembers what a member has seen and paid for as long as they are signed in. */
let viewer = MEMBER;

beforeEach(() => {
  window.IntersectionObserver = Watcher as never;
  viewer = { ...MEMBER, id: `member-viewer-${(viewers += 1)}` };
  answer('GET /api/auth/user', () => ({ user: viewer }));
  answer('GET /api/status-bar', status);
  answer('GET /api/chats/mine', { chats: [] });
  answer('GET /api/chats/pending-requests', { requests: [] });
});
afterEach(() => {
  window.IntersectionObserver = browsers;
});

const button = (name: string | RegExp) => screen.findByRole('button', { name });
const articles = () => screen.findAllByRole('article');
const feed = (...posts: object[]) => answer('GET /api/content/feed', { posts, hasMore: false });
const typesOf = (events: readonly { body: unknown }[]) =>
  events.map(({ body }) => (body as { eventType: string }).eventType);

/** Opens a post at its own address. */
async function openPost(shown: ReturnType<typeof post>) {
  answer(`GET /api/content/posts/${shown.id}`, shown);
  const user = open(`/post/${shown.id}`);
  await articles();
  return user;
}

test('without Nova it is said once, and nothing more is charged', async () => {
  viewer = { ...viewer, novaBalance: 0 };
  feed(post('First', { isPaid: false }), post('Second', { isPaid: false }));
  const events = answer('POST /api/events', { score: 0 });
  const charges = answer('POST /api/scroll', refusal(400, 'INSUFFICIENT_NOVA', 'You have 0.00 Nova.'));
  open('/feed');
  const [first, second] = await articles();
  see(first!);
  scroll();
  const refused = await toast('Insufficient Nova');
  expect(refused).toHaveTextContent('You have 0.00 Nova.');
  expect(within(refused).getByRole('link', { name: 'Top Up' })).toHaveAttribute('href', '/wallet?topup=1');
  expect(await screen.findByRole('link', { name: 'Top up to pay for what you read' })).toBeVisible();
  see(second!);
  await waitFor(() => expect(typesOf(events)).toEqual(['impression', 'impression']));
  expect(charges.map(({ body }) => body)).toEqual([{ postId: 'post-First' }]);
});

test('who only opened the feed pays nothing and hears nothing, until they scroll or tap a post; sharing it reads nothing', async () => {
  viewer = { ...viewer, novaBalance: 0 };
  feed(post('First', { isPaid: false }), post('Second', { isPaid: false }));
  const events = answer('POST /api/events', { score: 0 });
  const charges = answer('POST /api/scroll', { message: '', novaDeducted: 1, novaBalance: 9 });
  const user = open('/feed');
  const [first] = await articles();
  see(first!);
  await waitFor(() => expect(typesOf(events)).toEqual(['impression']));
  // The page may scroll by itself, and a tap may be one on the way out.
  fireEvent.scroll(window);
  await user.click(screen.getByRole('heading', { level: 1, name: 'Feed' }));
  await user.tab();
  await user.keyboard(' ');
  expect(charges).toEqual([]);
  expect(document.querySelector('[data-sonner-toast]')).toBeNull();
  await user.click(within(first!).getByRole('button', { name: 'Share' }));
  expect(await toast('Link copied')).toBeVisible();
  fireEvent.pointerDown(within(first!).getAllByRole('link').at(-1)!);
  expect(charges).toEqual([]);
  await user.click(within(first!).getByRole('img'));
  await waitFor(() => expect(charges.map(({ body }) => body)).toEqual([{ postId: 'post-First' }]));
});

test('a charge draws the post anew that was paid for, and no other', async () => {
  const posts = Array.from({ length: 10 }, (_, count) => post(`Number ${count}`, { isPaid: false }));
  feed(...posts);
  answer('POST /api/events', { score: 0 });
  const paid = held({ message: '', novaDeducted: 1, novaBalance: 41 });
  const charges = answer('POST /api/scroll', paid.reply);
  // Every render of a post formats its date.
  let datesWritten = 0;
  const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format') ?? {};
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    ...format,
    get(this: Intl.DateTimeFormat) {
      datesWritten += 1;
      return format.get?.call(this);
    },
  });
  open('/feed');
  const [first] = await articles();
  see(first!);
  scroll();
  await waitFor(() => expect(charges).toHaveLength(1));
  // The posts below the screen are drawn after the first ones.
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(posts.length));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const before = datesWritten;
  expect(before).toBeGreaterThanOrEqual(posts.length);
  viewer = { ...viewer, novaBalance: 41 };
  paid.letGo();
  await waitFor(() => expect(document.querySelector('header')).toHaveTextContent('41.00'));
  expect(datesWritten - before).toBeLessThan(posts.length / 2);
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', format);
});

test('a picture comes in the size of a post, else as it was sent, and is missed in words', async () => {
  const upload = '/objects/uploads/01a21cf4-1a52-75e7-a1f0-06a596c6aecc';
  await openPost(post('Photo', { mediaUrl: upload }));
  const picture = () => screen.getByRole('img', { name: 'Posted by Ann' });
  expect(picture().getAttribute('src')).toMatch(new RegExp(`^${upload}/large\\?t=`));
  fireEvent.error(picture());
  expect(picture()).toHaveAttribute('src', upload);
  fireEvent.error(picture());
  expect(await screen.findByText('Image unavailable')).toBeVisible();
});

test('a larger page and a scrolled dialog over it read nothing', async () => {
  feed(post('First', { isPaid: false }));
  answer('POST /api/events', { score: 0 });
  const charges = answer('POST /api/scroll', { novaDeducted: 1, newBalance: 41 });
  open('/feed');
  const [first] = await articles();
  see(first!);
  const dialog = document.body.appendChild(Object.assign(document.createElement('div'), { role: 'dialog' }));
  fireEvent.wheel(document.body, { ctrlKey: true });
  for (const move of [fireEvent.wheel, fireEvent.touchMove]) move(dialog);
  fireEvent.keyDown(dialog, { key: 'PageDown' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(charges).toEqual([]);
  dialog.remove();
  scroll();
  await waitFor(() => expect(charges).toHaveLength(1));
});

test('one’s own posts are not charged, liked or rated', async () => {
  const events = answer('POST /api/events', { score: 0 });
  const charges = answer('POST /api/scroll', null);
  await openPost(post('Of my own', { isOwn: true, isPaid: false, authorId: viewer.id }));
  const [own] = await articles();
  see(own!);
  scroll();
  expect(
    within(own!)
      .getAllByRole('button')
      .map((each) => each.textContent),
  ).toEqual(['Share']);
  expect([...events, ...charges]).toEqual([]);
});

test('a like shows at once, earns points, and is taken back when it fails', async () => {
  const path = '/api/content/post-A-lake/like';
  answer('POST /api/events', { score: 3 });
  const user = await openPost(post('A lake'));
  const like = await button('Like');
  const likes = () => screen.getByTitle('Likes');
  const liked = held({ isLikedByUser: true, likeCount: 1 });
  const sent = answer(`POST ${path}`, liked.reply);
  await user.click(like);
  expect(like).toHaveAttribute('aria-pressed', 'true');
  expect(likes()).toHaveTextContent('1');
  await waitFor(() => expect(sent).toMatchObject([{ outlivesPage: true }]));
  liked.letGo();
  expect(await toast(/\+3$/)).toBeVisible();
  answer(`DELETE ${path}`, refusal(409, 'X', 'Not now.'));
  await user.click(like);
  expect(await toast('Failed to remove your like')).toHaveTextContent('Not now.');
  expect(like).toHaveAttribute('aria-pressed', 'true');
  expect(likes()).toHaveTextContent('1');
  answer(`DELETE ${path}`, { isLikedByUser: false, likeCount: 0 });
  await user.click(like);
  await waitFor(() => expect(like).toHaveAttribute('aria-pressed', 'false'));
  expect(likes()).toHaveTextContent('0');
});

test('a rating starts at 50, is shown with its average, and says when it fails', async () => {
  answer('POST /api/events', { score: 4 });
  const user = await openPost(post('Lake'));
  await user.click(await button('Rate'));
  const slider = await screen.findByRole('slider', { name: 'Rating' });
  expect(slider).toHaveAttribute('aria-valuenow', '50');
  act(() => slider.focus());
  await user.keyboard('{ArrowRight}');
  answer('POST /api/content/post-Lake/rate', refusal(409, 'X', 'Not now.'));
  await user.click(await button('Rate 51 of 100'));
  expect(await toast('Failed to submit rating')).toHaveTextContent('Not now.');
  expect(screen.getByRole('dialog')).toBeVisible();
  const rated = held({ myRating: 51, avgRating: 51, ratingCount: 1 });
  const sent = answer('POST /api/content/post-Lake/rate', rated.reply);
  await user.click(await button('Rate 51 of 100'));
  expect(await button('Cancel')).toBeDisabled();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('dialog')).toBeVisible();
  rated.letGo();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await toast(/\+4$/)).toBeVisible();
  expect(await button('Rated 51')).toBeVisible();
  expect(screen.getByTitle('Average rating')).toHaveTextContent('51 (1)');
  expect(sent.map(({ body }) => body)).toEqual([{ rating: 51 }]);
});

test('sharing copies a link that opens the post', async () => {
  const events = answer('POST /api/events', { score: 5 });
  const user = await openPost(post('Lake'));
  const copied = jest.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(await button('Share'));
  expect(await toast('Link copied · +5')).toBeVisible();
  expect(copied.mock.calls).toEqual([[`${location.origin}/post/post-Lake`]]);
  expect(typesOf(events)).toContain('share');
});

test('whose author is blocked is gone, also for who comes back to their place', async () => {
  answerCards(card({ displayName: 'Ann' }));
  feed(post('Of Ann'), post('Of Ben', { authorId: 'member-Ben', author: { ...author, id: 'member-Ben' } }));
  const user = open('/feed');
  expect(await articles()).toHaveLength(2);
  await user.click(screen.getAllByRole('link', { name: 'Discover' })[0]!);
  answer('GET /api/users/member-Ann/relation', { following: false, blocked: false });
  await user.click(await button('More about Ann'));
  answer('POST /api/users/member-Ann/block', { message: 'This member is blocked.' });
  feed(post('Of Ben'));
  await user.click(await screen.findByRole('menuitem', { name: 'Block' }));
  expect(await toast('This member is blocked.')).toBeVisible();
  history.back();
  expect(await screen.findByText('Of Ben')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Of Ann')).toBeNull());
});

test('an author leads to their card alone, or to its absence', async () => {
  answerCards(card({ displayName: 'Ann' }), card({ displayName: 'Ben' }));
  feed(post('Of Ann'), post('Of Zoe', { authorId: 'member-Zoe', author: { ...author, displayName: 'Zoe' } }));
  const user = open('/feed');
  await user.click(await screen.findByRole('link', { name: 'Ann' }));
  expect(await button('More about Ann')).toBeVisible();
  expect(location.search).toBe('?member=member-Ann');
  expect(screen.queryByRole('button', { name: 'More about Ben' })).toBeNull();
  await user.click(screen.getAllByRole('link', { name: 'Feed' })[0]!);
  await user.click(await screen.findByRole('link', { name: 'Zoe' }));
  expect(await screen.findByRole('heading', { name: 'No card here' })).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Show all profiles' }));
  expect(await button('More about Ben')).toBeVisible();
});

test('a feed that cannot be loaded says so, and can be tried again', async () => {
  answer('GET /api/content/feed', refusal(404, 'X', 'Not this.'));
  answer('GET /api/status-bar', refusal(404, 'X', 'Nor that.'));
  const user = open('/feed');
  expect(await screen.findByText('Not this.')).toBeVisible();
  expect(await screen.findByText('Nor that.')).toBeVisible();
  feed();
  answer('GET /api/status-bar', status);
  await user.click((await screen.findAllByRole('button', { name: 'Try again' })).at(-1)!);
  expect(await screen.findByRole('heading', { name: 'No posts yet' })).toBeVisible();
  await user.click(await button('Try again'));
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'Your engagement' })).toHaveTextContent('points today'),
  );
});

test('perks of the third level are offered, and a refusal is said', async () => {
  const third = {
    dailyPoints: 126.5,
    dailyGoal: 100,
    currentLevel: 3,
    streakDays: 12,
    boostTokens: 1,
    prioritySlots: 1,
  };
  answer('GET /api/status-bar', third);
  feed(post('Own', { isOwn: true, authorId: viewer.id }));
  const user = open('/feed');
  const standing = await screen.findByRole('region', { name: 'Your engagement' });
  await waitFor(() => expect(standing).toHaveTextContent('Level 3'));
  expect(standing).toHaveTextContent('126.5 / 100');
  answer('POST /api/status-bar/priority', refusal(403, 'LEVEL', 'That needs level 3.'));
  await user.click(within(standing).getByRole('button', { name: 'Your perks' }));
  await user.click(await button('Use priority slot'));
  expect(await toast('Failed to use the priority slot')).toHaveTextContent('level 3');
  answer('POST /api/content/post-Own/boost', refusal(403, 'LEVEL', 'That needs level 2.'));
  await user.click(await button('Boost'));
  const failed = await toast('Failed to boost this post');
  expect(failed).toHaveTextContent('level 2');
  const boostedUntil = new Date(Date.now() + 3_600_000).toISOString();
  answer('POST /api/content/post-Own/boost', { message: 'Doubled for an hour.', boostedUntil });
  await user.click(await button('Boost'));
  expect(await toast('Post boosted')).toHaveTextContent('Doubled for an hour.');
  const [own] = await articles();
  await waitFor(() => expect(own).toHaveTextContent('Boosted'));
  expect(screen.queryByRole('button', { name: 'Boost' })).toBeNull();
});
