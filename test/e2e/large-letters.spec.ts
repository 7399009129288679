import { expect, expectNothingBeside, grantNova, registered, settled, someoneElse, test as base } from './nova.js';

/** Twice the usual size, as members set it in their browser. */
const test = base.extend<object, { launchOptions: object }>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const { args = [] } = launchOptions as { args?: string[] };
      await use({ ...launchOptions, args: [...args, '--blink-settings=defaultFontSize=32'] });
    },
    { scope: 'worker' },
  ],
});

/** Which cards, by their places, lie over a later one. */
function overlapping(cards: readonly Element[]): number[] {
  const boxes = cards.map((card) => card.firstElementChild?.getBoundingClientRect() ?? new DOMRect());
  const isApart = (one: DOMRect, later: DOMRect): boolean => one.right <= later.left || one.bottom <= later.top;
  return boxes.flatMap((one, place) => (boxes.slice(place + 1).every((later) => isApart(one, later)) ? [] : [place]));
}

for (const size of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`letters of twice the size have room, ${size.width} px wide`, async ({ page, browser }) => {
    await page.setViewportSize(size);
    await grantNova(browser, await registered(page.request, 'Ada Lovelace'), 30_240.33);
    for (const name of ['Ben', 'Chiara', 'Dmitri', 'Emi']) await someoneElse(browser, name);
    await page.goto('/');
    const cards = page.getByRole('listitem').filter({ has: page.locator('[data-card-side]') });
    await expect(cards.nth(2)).toBeVisible();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    expect(await cards.evaluateAll(overlapping)).toEqual([]);
    for (const path of ['/', '/?tab=status', '/?tab=nexus', '/?tab=profile', '/wallet', '/gifts', '/resonance']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await settled(page);
      await expectNothingBeside(page);
    }
  });
}
