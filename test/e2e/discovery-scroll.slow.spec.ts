import type { Page, Route } from '@playwright/test';
import { expect, registered, test, withoutFirstAnswers } from './nova.js';

const MEMBERS = 300;
/** Issue C, Figures. */
const CARD_NODES_MAX = 60;
const SCROLL_STEP_PX = 700;

function member(index: number) {
  return {
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    displayName: `Member ${index}`,
    profileImageUrl: null,
    profileCardThumbnailUrl: null,
    profileCardContent: null,
    rating: 5,
    ratingCount: 0,
    followerCount: 0,
    isOnline: false,
    mood: 'blue',
    status: null,
    occupation: null,
    ambitions: null,
    relationshipStatus: null,
    compatibilityScore: null,
    minimumChatPrice: 1,
    allowDirectChats: true,
    cooldownUntil: null,
    isOwn: index === 0,
    isUnlocked: false,
    wallCount: 0,
  };
}

/** So many members that registering them would be the longest part of the test. */
async function manyMembers(page: Page): Promise<string[]> {
  const all = Array.from({ length: MEMBERS }, (_, index) => member(index));
  const asked: string[] = [];
  await withoutFirstAnswers(page);
  await page.route('**/api/discovery/feed?*', (route) => {
    const { searchParams } = new URL(route.request().url());
    const ids = searchParams.get('ids')?.split(',');
    const offset = ids ? all.findIndex(({ id }) => id === ids[0]) : Number(searchParams.get('offset'));
    const limit = ids?.length ?? Number(searchParams.get('limit'));
    asked.push(`${ids ? 'again ' : ''}${offset}+${limit}`);
    const profiles = all.slice(offset, offset + limit);
    return route.fulfill({ json: { profiles, hasMore: offset + limit < MEMBERS } });
  });
  return asked;
}

const cards = (page: Page) => page.locator('main li[aria-posinset]');

test('300 cards leave few in the document, at every size', async ({ page }) => {
  await registered(page.request, 'Ada');
  const asked = await manyMembers(page);
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1920, height: 2000 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    asked.length = 0;
    await page.goto('/');
    await expect(cards(page).first()).toBeVisible();
    expect(asked.find((part) => !part.startsWith('again '))).toBe('0+12');
    await expect(page.getByRole('button', { name: 'Back to Top' })).toHaveCount(0);
    const end = page.getByRole('button', { name: 'Back to Top' });
    let most = 0;
    for (let step = 0; step < 400 && !(await end.isVisible()); step++) {
      await page.mouse.wheel(0, SCROLL_STEP_PX);
      most = Math.max(most, await cards(page).count());
    }
    await end.scrollIntoViewIfNeeded();
    await expect(page.getByRole('heading', { name: 'Member 299' })).toBeVisible();
    await expect(cards(page).last()).toHaveAttribute('aria-posinset', String(MEMBERS));
    await expect(cards(page).last()).toHaveAttribute('aria-setsize', String(MEMBERS));
    expect(most).toBeLessThanOrEqual(CARD_NODES_MAX);
    expect(most).toBeGreaterThan(0);
    await end.click();
    await expect(cards(page).first()).toHaveAttribute('aria-posinset', '1');
    await expect(cards(page).first()).toBeInViewport();
  }
});

test('what is on the screen is asked for again, and nothing else', async ({ page }) => {
  await registered(page.request, 'Ada');
  const asked = await manyMembers(page);
  await page.goto('/');
  await expect(cards(page).first()).toBeVisible();
  await expect.poll(() => asked.filter((part) => part === 'again 0+24').length, { timeout: 20_000 }).toBeGreaterThan(1);
  const parts = new Set(asked);
  // On a slow machine the first cards have rested on the screen before the next ones come.
  parts.delete('again 0+12');
  expect([...parts].toSorted()).toEqual(['0+12', '12+12', '24+12', 'again 0+24']);
});

test('a card that stays turned far above does not widen what is asked for again', async ({ page }) => {
  await registered(page.request, 'Ada');
  const asked = await manyMembers(page);
  await page.goto('/');
  await page.getByRole('button', { name: 'Edit my card' }).click();
  await expect(page.getByRole('button', { name: 'Turn to about me' })).toBeVisible();
  const far = page.getByRole('heading', { name: 'Member 150' });
  for (let step = 0; step < 400 && !(await far.isVisible()); step++) await page.mouse.wheel(0, SCROLL_STEP_PX);
  const renewed = () =>
    asked.flatMap((part) => (part.startsWith('again ') ? [part.slice(6).split('+').map(Number)] : []));
  await expect.poll(() => renewed().some(([offset = 0]) => offset >= 96), { timeout: 20_000 }).toBe(true);
  expect(Math.max(...renewed().map(([, limit = 0]) => limit))).toBeLessThanOrEqual(96);
});

test('who comes back is shown how the list begins now, however far they scroll meanwhile', async ({ page }) => {
  await registered(page.request, 'Ada');
  const asked = await manyMembers(page);
  await page.goto('/');
  await expect.poll(() => asked).toContain('24+12');
  await page.getByRole('link', { name: 'Status' }).first().click();
  await expect(page.getByRole('heading', { name: 'Open chats', exact: true })).toBeVisible();
  asked.length = 0;
  const held: Route[] = [];
  await page.route('**/api/discovery/feed?*offset=0*', (route) => void held.push(route));
  await page.getByRole('link', { name: 'Discover' }).first().click();
  await expect.poll(() => held.length).toBe(1);
  const end = page.getByRole('button', { name: 'Load more' });
  await end.scrollIntoViewIfNeeded();
  await expect(end).toBeInViewport();
  const newcomer = { ...member(299), displayName: 'Newcomer' };
  await held[0]?.fulfill({ json: { profiles: [newcomer, ...[...Array(11).keys()].map(member)], hasMore: true } });
  await expect.poll(() => asked).toContain('12+12');
  await expect(end).not.toBeInViewport();
  await page.mouse.wheel(0, -20_000);
  await expect(page.getByRole('heading', { name: 'Newcomer' })).toBeVisible();
  expect(held).toHaveLength(1);
});

test('the tab starts at its top for who was at the bottom of another one', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await registered(page.request, 'Ada');
  const asked = await manyMembers(page);
  await page.goto('/?tab=status');
  const last = page.getByRole('main').getByRole('heading').last();
  await last.scrollIntoViewIfNeeded();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Discover' }).last().click();
  await expect(cards(page).first()).toBeInViewport();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  expect(asked).not.toContain('120+12');
});
