import {
  expect,
  expectNothingBeside,
  grantNova,
  registered,
  settled,
  someoneElse,
  test as base,
  unique,
} from './nova.js';
import { onlyPosts, publish } from './posts.js';
import { makeQuest } from './quest.js';

/** Longer words may be broken: no line of a phone fits them. */
const LONGEST_WORD = 13;
const PAGES = [
  '/',
  '/feed',
  '/quests',
  '/?tab=status',
  '/?tab=nexus',
  '/?tab=profile',
  '/wallet',
  '/gifts',
  '/resonance',
  '/profile',
  '/developer',
  '/payout-history',
];

/** Twice the usual font size, as members set it in their browser. */
const test = base.extend<object, { launchOptions: object }>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const { args = [] } = launchOptions as { args?: string[] };
      await use({ ...launchOptions, args: [...args, '--blink-settings=defaultFontSize=32'] });
    },
    { scope: 'worker' },
  ],
});

/** The cards, by their places, that overlap a later one. */
function overlapping(cards: readonly Element[]): number[] {
  const boxes = cards.map((card) => card.firstElementChild?.getBoundingClientRect() ?? new DOMRect());
  const isApart = (one: DOMRect, later: DOMRect): boolean => one.right <= later.left || one.bottom <= later.top;
  return boxes.flatMap((one, place) => (boxes.slice(place + 1).every((later) => isApart(one, later)) ? [] : [place]));
}

/** Texts that are broken within words, or disappear, for lack of room. */
function illegible(longestWord: number): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const words = (node.nodeValue ?? '').split(/[\s\-–@./]+/).filter((word) => word !== '');
    const element = node.parentElement;
    if (!element?.checkVisibility({ visibilityProperty: true }) || element.closest('.sr-only, svg')) continue;
    if (words.length === 0 || words.some(({ length }) => length > longestWord)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    const isCutAway = getComputedStyle(element).textOverflow === 'ellipsis' && element.clientWidth < 48;
    if (lines > words.length || isCutAway) found.push(words.join(' '));
  }
  return found;
}

for (const size of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`letters of twice the size have room, ${size.width} px wide`, async ({ page, browser }) => {
    await page.setViewportSize(size);
    await grantNova(browser, await registered(page.request, 'Ada Lovelace'), 30_240.33);
    for (const name of ['Ben', 'Chiara', 'Dmitri', 'Emi']) await someoneElse(browser, name);
    await makeQuest(browser, { title: unique('Say something kind') });
    await onlyPosts(page, [await publish(page.request, { caption: 'A quarter to six' })]);
    await page.goto('/');
    const cards = page.getByRole('listitem').filter({ has: page.locator('[data-card-side]') });
    await expect(cards.nth(2)).toBeVisible();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    expect(await cards.evaluateAll(overlapping)).toEqual([]);
    for (const path of PAGES) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await settled(page);
      await expectNothingBeside(page);
      expect(await page.evaluate(illegible, LONGEST_WORD), `at ${path}`).toEqual([]);
    }
  });
}
