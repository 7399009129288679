import type { Locator, Page } from '@playwright/test';
import {
  balancePill,
  cards,
  expect,
  expectGoodAtEverySize,
  grantNova,
  pressPaid,
  registered,
  searchCard,
  SETTLES_MS,
  someoneElse,
  test,
  toast,
  unique,
  type Account,
} from './nova.js';

const PHONE = { width: 390, height: 844 };
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff Adolph';
const HOSTILE = '<img src=x onerror=alert(1)>';
const NOVA = 10_000;

/** The card of a member whose name is unique, whatever other tests register. */
const cardOf = (page: Page, name: string) => cards(page).filter({ hasText: name });

async function rich(page: Page, browser: Parameters<typeof grantNova>[0], name: string): Promise<Account> {
  const account = await registered(page.request, name);
  await grantNova(browser, account, NOVA);
  await page.addInitScript(() => localStorage.setItem('nova.optionalCookies', 'true'));
  return account;
}

const balanceOf = async (page: Page): Promise<number> =>
  (await (await page.request.get('/api/nova/balance')).json()).novaBalance;

async function expectLargeEnoughToTouch(choices: Locator): Promise<void> {
  for (const choice of await choices.all()) {
    expect((await choice.boundingBox())?.height, await choice.innerText()).toBeGreaterThanOrEqual(44);
  }
}

/** The real feed, with the changes to its cards that a test needs. */
async function withCards(page: Page, change: (card: Record<string, unknown>, index: number) => object): Promise<void> {
  await page.route('**/api/discovery/feed?*', async (route) => {
    const answer = await route.fetch();
    const feed = await answer.json();
    const profiles = feed.profiles.map((card: Record<string, unknown>, index: number) => ({
      ...card,
      ...change(card, index),
    }));
    await route.fulfill({ response: answer, json: { ...feed, profiles } });
  });
}

// The grid asks again and again: an answer on its way at a test's end has nobody to reach.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

test('the grid, its filters, and every face of a card', async ({ page, browser }) => {
  // Many scans in one test, each of which looks at every element of the screen.
  test.setTimeout(300_000);
  await page.setViewportSize(PHONE);
  await rich(page, browser, LONG_NAME);
  const name = unique(HOSTILE);
  const other = await someoneElse(browser, name);
  for (const comment of ['مرحبا بك', HOSTILE]) {
    const answer = await page.request.post(`/api/profile/${other.id}/wall`, { data: { comment } });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  await page.goto('/');
  await page.getByRole('button', { name: 'Show Filters' }).click();
  await expect(page.getByRole('button', { name: 'Edit my card' })).toBeVisible();
  await expectLargeEnoughToTouch(page.getByRole('radio'));
  await expectGoodAtEverySize(page);
  await searchCard(page, name);
  await pressPaid(page.getByRole('button', { name: `Unlock ${name} for 50 Nova` }));
  await expect(page.getByRole('heading', { name, exact: true })).toBeFocused();
  await expectGoodAtEverySize(page);
  await pressPaid(page.getByRole('button', { name: 'Turn to the wall for 50 Nova' }));
  await expect(cardOf(page, name)).toContainText('مرحبا بك');
  await page.getByRole('textbox', { name: `Comment for ${name}` }).fill('x'.repeat(120));
  await expect(page.getByRole('button', { name: 'Post comment for 175 Nova' })).toBeVisible();
  await expectGoodAtEverySize(page);
  await pressPaid(page.getByRole('button', { name: 'Turn to the whole wall for 50 Nova' }));
  await expect(page.getByText(HOSTILE, { exact: true })).toBeVisible();
  await expectGoodAtEverySize(page);
  // On a phone it would cover one's own card if no other card comes between the two.
  await page.getByRole('button', { name: 'Turn back to the front' }).click();
  await page.getByRole('button', { name: 'Hide Filters' }).click();
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Edit my card' }).click();
  await expect(page.getByRole('radio', { name: 'Peace' })).toBeVisible();
  await expectLargeEnoughToTouch(page.getByRole('radio'));
  await expectGoodAtEverySize(page);
  await page.getByRole('button', { name: 'Turn to about me' }).click();
  await expectGoodAtEverySize(page);
  await page.getByRole('button', { name: 'Turn to my wall' }).click();
  await expect(page.getByText('No comments yet')).toBeVisible();
  await expectGoodAtEverySize(page);
});

test('a card is unlocked once, then gifted; each step and each word is paid, and the ledger agrees', async ({
  page,
  browser,
}) => {
  const me = await rich(page, browser, 'Ada');
  const name = unique('Ben');
  await someoneElse(browser, name);
  await page.goto('/');
  await searchCard(page, name);
  const card = cardOf(page, name);
  expect((await card.boundingBox())?.height).toBe(288);
  await expect(card.getByRole('button', { name: 'Chat' })).toHaveCount(0);

  await pressPaid(page.getByRole('button', { name: `Unlock ${name} for 50 Nova` }));
  await expect(page.getByRole('button', { name: `Chat with ${name}` })).toBeVisible();
  await expect(page.getByRole('link', { name: `Video chat with ${name}` })).toBeVisible();
  await expect(balancePill(page)).toContainText('9,950.00');
  const kept = await page.evaluate((id) => localStorage.getItem(`nova.unlockedProfiles.${id}`), me.id);
  expect(JSON.parse(kept ?? '[]')).toHaveLength(1);

  await pressPaid(page.getByRole('button', { name: 'Turn to the wall for 50 Nova' }));
  await expect(page.getByText('No comments yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Post comment' })).toBeDisabled();
  const box = page.getByRole('textbox', { name: `Comment for ${name}` });
  await box.fill('   ');
  await expect(page.getByRole('button', { name: 'Post comment' })).toBeDisabled();
  await box.fill('Sixteen letters!');
  await pressPaid(page.getByRole('button', { name: 'Post comment for 50 Nova' }));
  await expect(card.getByText('Sixteen letters!')).toBeVisible();
  await expect(box).toHaveValue('');
  await expect(balancePill(page)).toContainText('9,850.00');

  await pressPaid(page.getByRole('button', { name: 'Turn to the whole wall for 50 Nova' }));
  await pressPaid(page.getByRole('button', { name: 'Turn to the front for 50 Nova' }));
  const opener = page.getByRole('button', { name: `Open the profile of ${name}` });
  await expect(opener).toBeFocused();
  await expect(balancePill(page)).toContainText('9,750.00');

  await pressPaid(page.getByRole('button', { name: `Upvote ${name} with 50 Nova` }));
  await expect(toast(page, 'Nova gifted')).toBeVisible();
  await expect(balancePill(page)).toContainText('9,700.00');
  await expect.poll(() => balanceOf(page)).toBe(9_700);

  await opener.press('Enter');
  await expect(page.getByRole('button', { name: `Chat with ${name}` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue(name);
  await expect(opener).toBeVisible();
  expect(await balanceOf(page)).toBe(9_700);
});

test('who presses twice in one place pays one member, though that card rises, and nothing that just came there', async ({
  page,
  browser,
}) => {
  await rich(page, browser, 'Ada');
  const name = unique('Rise');
  const [last, first] = [await someoneElse(browser, `${name} last`), await someoneElse(browser, `${name} first`)];
  for (const { id: profileId } of [last, first]) {
    expect((await page.request.post('/api/discovery/upvote', { data: { profileId } })).status()).toBe(200);
  }
  const paid: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/discovery/upvote')) paid.push(request.postDataJSON().profileId);
  });
  await page.goto(`/?q=${encodeURIComponent(name)}`);
  await expect(cards(page)).toHaveText([/first/, /last/]);
  const upvote = page.getByRole('button', { name: `Upvote ${name} last with 50 Nova` });
  const box = (await upvote.boundingBox()) ?? { x: 0, y: 0 };
  const point = { x: box.x + 20, y: box.y + 20 };
  await page.mouse.move(point.x, point.y);
  await page.waitForTimeout(SETTLES_MS);
  const reloaded = page.waitForResponse((response) => response.url().includes('offset=0'));
  await page.mouse.click(point.x, point.y);
  await reloaded;
  await page.mouse.click(point.x, point.y);
  await expect.poll(() => paid).toEqual([last.id, last.id]);
  await expect(toast(page, 'Nova gifted')).toBeVisible();
  await expect(cards(page)).toHaveText([/first/, /last/]);

  // Once the pointer has left, the cards move; what has come to the same point takes nothing at once.
  await page.mouse.move(point.x, 1);
  await expect(cards(page)).toHaveText([/last/, /first/]);
  await page.mouse.click(point.x, point.y);
  await expect(toast(page, 'Nothing was paid')).toBeVisible();
  expect(paid).toHaveLength(2);
  await page.waitForTimeout(SETTLES_MS);
  await page.mouse.click(point.x, point.y);
  await expect.poll(() => paid).toEqual([last.id, last.id, first.id]);
});

test.describe('on a narrow phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 } });

  test('no control of a card lies over another, and a second tap where a card was unlocked does nothing', async ({
    page,
    browser,
  }) => {
    await rich(page, browser, 'Ada');
    const name = unique('Slim');
    for (const count of [1, 2]) await someoneElse(browser, `${name} ${count}`);
    await withCards(page, ({ id }) => ({
      profileCardContent: {
        id: `content-${String(id)}`,
        contentType: 'video',
        mediaUrl: '/landing.webm',
        thumbnailUrl: null,
        caption: null,
      },
    }));
    for (const width of [320, 360, 380]) {
      await page.setViewportSize({ width, height: 640 });
      await page.goto(`/?q=${encodeURIComponent(name)}`);
      await expect(cards(page)).toHaveCount(2);
      const play = page.getByRole('button', { name: /^Play the video of/ }).first();
      if (await play.isVisible()) await play.tap();
      await expect(page.getByRole('button', { name: /^Unmute/ }).first()).toBeVisible();
      expect(await page.evaluate(overlaps)).toEqual([]);
    }
    const unlock = page.getByRole('button', { name: `Unlock ${name} 1 for 50 Nova` });
    await unlock.scrollIntoViewIfNeeded();
    await page.waitForTimeout(SETTLES_MS);
    const box = (await unlock.boundingBox()) ?? { x: 0, y: 0 };
    const at = [box.x + 20, box.y + 20] as const;
    await page.touchscreen.tap(...at);
    await expect(page.getByRole('button', { name: `Chat with ${name} 1` })).toBeVisible();
    for (const pause of [0, SETTLES_MS, SETTLES_MS]) {
      await page.waitForTimeout(pause);
      await page.touchscreen.tap(...at);
    }
    await expect(page).toHaveURL(/\/\?q=/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await balanceOf(page)).toBe(NOVA - 50);
  });
});

/** The names of controls of cards that share some of their place, but for those that fill their card. */
function overlaps(): string[] {
  const controls = [...document.querySelectorAll<HTMLElement>('main li button:not([data-card-opener])')].map(
    (control) => ({
      name: control.getAttribute('aria-label') ?? '',
      box: control.getBoundingClientRect(),
    }),
  );
  return controls.flatMap((one, index) =>
    controls
      .slice(index + 1)
      .filter(
        ({ box }) =>
          box.left < one.box.right && one.box.left < box.right && box.top < one.box.bottom && one.box.top < box.bottom,
      )
      .map((other) => `${one.name} / ${other.name}`),
  );
}

test.describe('videos', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('the first three play muted, sound is for one, and a broken one says so', async ({ page, browser }) => {
    await registered(page.request, 'Ada');
    const name = unique('Vid');
    for (let count = 1; count <= 5; count++) await someoneElse(browser, `${name} ${count}`);
    await page.route('**/broken.webm', (route) => route.fulfill({ body: 'not a video', contentType: 'video/webm' }));
    await withCards(page, ({ id, displayName }) => ({
      profileCardContent: {
        id: `content-${String(id)}`,
        contentType: 'video',
        mediaUrl: String(displayName).endsWith('5') ? '/broken.webm' : '/landing.webm',
        thumbnailUrl: null,
        caption: null,
      },
    }));
    await page.goto(`/?q=${encodeURIComponent(name)}`);
    await expect(cards(page)).toHaveCount(5);
    const running = () =>
      page.evaluate(() => {
        const all = [...document.querySelectorAll<HTMLVideoElement>('main video')];
        const playing = all.filter(({ paused }) => !paused);
        return { playing: playing.length, sounding: playing.filter(({ muted }) => !muted).length };
      });
    await expect(page.getByRole('button', { name: /^Pause the video of/ }).first()).toBeVisible();
    await expect.poll(async () => (await running()).playing).toBeGreaterThanOrEqual(2);
    expect(await running()).toMatchObject({ sounding: 0 });
    const rest = page.getByRole('button', { name: /^Play the video of/ });
    while ((await rest.count()) > 1) await rest.first().click();
    await rest.first().click();
    expect((await running()).playing).toBeLessThanOrEqual(3);
    await expect(page.getByText('Video unavailable')).toBeVisible();
    await expect(page.getByText('Unable to load video')).toBeVisible();
    for (const index of [0, 1])
      await page
        .getByRole('button', { name: /^Unmute the video of/ })
        .nth(index)
        .click();
    expect(await running()).toMatchObject({ sounding: 1 });
    await page.getByRole('searchbox').fill('nobody has such a name');
    await expect(page.getByText('No profiles found')).toBeVisible();
    expect(await running()).toEqual({ playing: 0, sounding: 0 });
  });
});
