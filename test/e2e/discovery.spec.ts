import type { Page } from '@playwright/test';
import {
  balancePill,
  cards,
  expect,
  expectGoodScreen,
  grantNova,
  held,
  registered,
  searchCard,
  someoneElse,
  test,
  toast,
  unique,
  type Account,
} from './nova.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff Adolph';
const HOSTILE = '<img src=x onerror=alert(1)>';
const NOVA = 10_000;

/** A member of whom there is one, whatever other tests register. */
const cardOf = (page: Page, name: string) => cards(page).filter({ hasText: name });

async function rich(page: Page, browser: Parameters<typeof grantNova>[0], name: string): Promise<Account> {
  const account = await registered(page.request, name);
  await grantNova(browser, account, NOVA);
  await page.addInitScript(() => localStorage.setItem('nova.optionalCookies', 'true'));
  return account;
}

const balanceOf = async (page: Page): Promise<number> =>
  (await (await page.request.get('/api/nova/balance')).json()).novaBalance;

/** The feed as it is, with what a test needs changed in its cards. */
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

for (const size of SIZES) {
  test.describe(`${size.width} px wide`, () => {
    test.use({ viewport: size });
    test.describe.configure({ timeout: 300_000 });

    test('the grid, its filters, and every face of a card', async ({ page, browser }) => {
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
      await expectGoodScreen(page);
      await searchCard(page, name);
      await page.getByRole('button', { name: `Unlock ${name} for 50 Nova` }).click();
      await expect(page.getByRole('heading', { name, exact: true })).toBeFocused();
      await expectGoodScreen(page);
      await page.getByRole('button', { name: 'Turn to the wall for 50 Nova' }).click();
      await expect(cardOf(page, name)).toContainText('مرحبا بك');
      await page.getByRole('textbox', { name: `Comment for ${name}` }).fill('x'.repeat(120));
      await expect(page.getByRole('button', { name: 'Post comment for 175 Nova' })).toBeVisible();
      await expectGoodScreen(page);
      await page.getByRole('button', { name: 'Turn to the whole wall for 50 Nova' }).click();
      await expect(page.getByText(HOSTILE, { exact: true })).toBeVisible();
      await expectGoodScreen(page);
      // On a phone it would lie over one's own card, where nobody else comes between the two.
      await page.getByRole('button', { name: 'Turn back to the front' }).click();
      await page.getByRole('button', { name: 'Hide Filters' }).click();
      await page.getByRole('searchbox').fill('');
      await page.getByRole('button', { name: 'Edit my card' }).click();
      await expectGoodScreen(page);
      await page.getByRole('button', { name: 'Turn to about me' }).click();
      await expectGoodScreen(page);
      await page.getByRole('button', { name: 'Turn to my wall' }).click();
      await expect(page.getByText('No comments yet')).toBeVisible();
      await expectGoodScreen(page);
    });
  });
}

test('a card without content shows the member’s picture, asked for anew, or else the card’s thumbnail', async ({
  page,
  browser,
}) => {
  await registered(page.request, 'Ada');
  const name = unique('Face');
  for (const number of [1, 2]) await someoneElse(browser, `${name} ${number}`);
  await page.route('**/face-*', (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    }),
  );
  await withCards(page, ({ displayName }) => ({
    profileImageUrl: String(displayName).endsWith('1') ? '/face-1.svg' : null,
    profileCardThumbnailUrl: '/face-thumbnail.svg',
    profileCardContent: null,
  }));
  await page.goto(`/?q=${encodeURIComponent(name)}`);
  const picture = (number: number) => cardOf(page, `${name} ${number}`).locator('img');
  await expect(picture(1)).toHaveAttribute('src', /^\/face-1\.svg\?t=\d+$/);
  await expect(picture(2)).toHaveAttribute('src', '/face-thumbnail.svg');
});

test('a turned card that comes back with another search leaves the focus where it is', async ({ page, browser }) => {
  await rich(page, browser, 'Ada');
  const both = unique('Turned');
  const [one, other] = [`${both} one`, `${both} other`];
  await someoneElse(browser, one);
  await someoneElse(browser, other);
  await page.goto('/');
  await searchCard(page, one);
  await page.getByRole('button', { name: `Unlock ${one} for 50 Nova` }).click();
  await expect(page.getByRole('heading', { name: one, exact: true })).toBeFocused();
  await page.getByRole('searchbox').fill(other);
  await expect(cardOf(page, one)).toHaveCount(0);
  await page.getByRole('searchbox').fill(both);
  await expect(page.getByRole('heading', { name: one, exact: true })).toBeVisible();
  await page.keyboard.type('?');
  await expect(page.getByRole('searchbox')).toHaveValue(`${both}?`);
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

  await page.getByRole('button', { name: `Unlock ${name} for 50 Nova` }).click();
  await expect(page.getByRole('button', { name: `Chat with ${name}` })).toBeVisible();
  await expect(page.getByRole('link', { name: `Video chat with ${name}` })).toBeVisible();
  await expect(balancePill(page)).toContainText('9,950.00');
  const kept = await page.evaluate((id) => localStorage.getItem(`nova.unlockedProfiles.${id}`), me.id);
  expect(JSON.parse(kept ?? '[]')).toHaveLength(1);

  await page.getByRole('button', { name: 'Turn to the wall for 50 Nova' }).click();
  await expect(page.getByText('No comments yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Post comment' })).toBeDisabled();
  const box = page.getByRole('textbox', { name: `Comment for ${name}` });
  await box.fill('   ');
  await expect(page.getByRole('button', { name: 'Post comment' })).toBeDisabled();
  await box.fill('Sixteen letters!');
  await page.getByRole('button', { name: 'Post comment for 50 Nova' }).click();
  await expect(card.getByText('Sixteen letters!')).toBeVisible();
  await expect(box).toHaveValue('');
  await expect(balancePill(page)).toContainText('9,850.00');

  await page.getByRole('button', { name: 'Turn to the whole wall for 50 Nova' }).click();
  await expect(card.getByText('50 Nova', { exact: true })).toBeAttached();
  await page.getByRole('button', { name: 'Turn to the front for 50 Nova' }).click();
  const opener = page.getByRole('button', { name: `Open the profile of ${name}` });
  await expect(opener).toBeFocused();
  await expect(balancePill(page)).toContainText('9,750.00');

  await page.getByRole('button', { name: `Upvote ${name} with 50 Nova` }).click();
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

test('without Nova nothing turns, and the reason is said', async ({ page, browser }) => {
  const ada = await registered(page.request, 'Ada');
  const name = unique('Ben');
  const ben = await someoneElse(browser, name);
  await page.goto('/');
  await searchCard(page, name);
  await page.getByRole('button', { name: `Unlock ${name} for 50 Nova` }).click();
  await expect(toast(page, 'Failed to gift Nova')).toContainText(/Nova/);
  await expect(page.getByRole('button', { name: `Open the profile of ${name}` })).toHaveCount(0);

  // Just enough to unlock the card.
  await grantNova(browser, ada, 50);
  await page.getByRole('button', { name: `Unlock ${name} for 50 Nova` }).click();
  await page.getByRole('button', { name: 'Turn to the wall for 50 Nova' }).click();
  await expect(toast(page, 'Insufficient Nova')).toContainText('You need 50 Nova to navigate this profile.');
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  const wall = await page.request.post(`/api/profile/${ben.id}/wall`, { data: { comment: 'Hello' } });
  expect(wall.status()).toBe(400);
  expect(await balanceOf(page)).toBe(0);
});

test('an answer that cannot be read, and one without a sentence, are said as such', async ({ page, browser }) => {
  await registered(page.request, 'Ada');
  const name = unique('Ben');
  await someoneElse(browser, name);
  const path = '**/api/discovery/upvote';
  await page.goto('/');
  await searchCard(page, name);
  const unlock = page.getByRole('button', { name: `Unlock ${name} for 50 Nova` });
  await page.route(path, (route) => route.fulfill({ body: '<html>', contentType: 'text/html' }));
  await unlock.click();
  await expect(toast(page, 'Failed to gift Nova')).toContainText('Server returned invalid response format');
  await page.unroute(path);
  await page.route(path, (route) => route.fulfill({ status: 400, json: {} }));
  await unlock.click();
  await expect(toast(page, 'Please try again')).toBeVisible();
});

test('a second press of the same upvote after no answer charges once', async ({ page, browser }) => {
  await rich(page, browser, 'Ada');
  const name = unique('Ben');
  await someoneElse(browser, name);
  await page.goto('/');
  await searchCard(page, name);
  const keys: (string | undefined)[] = [];
  await page.route('**/api/discovery/upvote', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const answer = await route.fetch();
    if (keys.length > 1) return route.fulfill({ response: answer });
    return route.fulfill({ status: 429, json: { code: 'BUSY', message: 'Nobody knows.' } });
  });
  const unlock = page.getByRole('button', { name: `Unlock ${name} for 50 Nova` });
  await unlock.click();
  await expect(toast(page, 'Nobody knows.')).toBeVisible();
  await unlock.or(page.getByRole('button', { name: `Upvote ${name} with 50 Nova` })).click();
  await expect(page.getByRole('button', { name: `Chat with ${name}` })).toBeVisible();
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(await balanceOf(page)).toBe(NOVA - 50);
});

test('a card that rises is marked for two seconds, and the grid is in its new order', async ({ page, browser }) => {
  await rich(page, browser, 'Ada');
  const name = unique('Rise');
  for (const number of [1, 2]) await someoneElse(browser, `${name} ${number}`);
  await page.goto(`/?q=${encodeURIComponent(name)}`);
  await expect(cards(page)).toHaveCount(2);
  const last = (await cards(page).nth(1).getByRole('heading').getAttribute('title')) ?? '';
  await page.getByRole('button', { name: `Unlock ${last} for 50 Nova` }).click();
  const marked = page.locator('[data-highlighted]');
  await expect(marked).toContainText(last);
  await expect(cardOf(page, last)).toHaveAttribute('aria-posinset', '1');
  await expect(page.getByRole('button', { name: `Chat with ${last}` })).toBeInViewport();
  await expect(marked).toHaveCount(0);
});

test('who goes offline is shown so in place, though the filter is for those who are online', async ({
  page,
  browser,
}) => {
  const name = unique('Ben');
  const context = await browser.newContext();
  await registered(context.request, name);
  const theirs = await context.newPage();
  await theirs.goto('/wallet');
  await registered(page.request, 'Ada');
  await page.goto(`/?online=1&q=${name}`);
  await expect(cardOf(page, name)).toContainText('(online)');
  await context.close();
  await expect(cardOf(page, name)).toContainText('(offline)', { timeout: 20_000 });
});

test('a report is kept open until it has arrived', async ({ page, browser }) => {
  await registered(page.request, 'Viewer');
  const ada = await someoneElse(browser, unique('Ada'));
  await page.goto('/');
  await searchCard(page, ada.displayName);
  await page.getByRole('button', { name: `More about ${ada.displayName}` }).click();
  await page.getByRole('menuitem', { name: 'Report' }).click();
  const dialog = page.getByRole('dialog', { name: `Report ${ada.displayName}` });
  await dialog.getByLabel('What happened?').fill('They sent spam.');
  const report = await held(page, /\/report$/);
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  report.letGo();
  await expect(toast(page, 'Reported')).toBeVisible();
  await expect(dialog).toBeHidden();
});

test('the owner turns through mood, words and wall, saves, and thinks better of it', async ({ page, browser }) => {
  const name = unique('Ada');
  await rich(page, browser, name);
  await page.goto('/');
  const edit = page.getByRole('button', { name: 'Edit my card' });
  await expect(page.getByRole('button', { name: `Unlock ${name} for 50 Nova` })).toHaveCount(0);
  await edit.click();
  const save = page.getByRole('button', { name: 'Save Profile' });
  await expect(save).toBeDisabled();
  await page.getByRole('radio', { name: 'Joy / Creativity' }).click();
  await page.getByRole('button', { name: 'Turn to about me' }).click();
  await page.getByLabel('Status', { exact: true }).fill('s'.repeat(201));
  await expect(page.getByLabel('Status', { exact: true })).toHaveValue('s'.repeat(200));
  await page.getByLabel('Status', { exact: true }).fill(HOSTILE);
  await page.getByLabel('Occupation').fill('Analyst');
  await page.getByLabel('Relationship status').selectOption("It's complicated");
  await page.getByRole('button', { name: 'Turn to my wall' }).click();
  await expect(page.getByText('No comments yet')).toBeVisible();
  await save.click();
  await expect(toast(page, 'Profile saved')).toBeVisible();
  await expect(edit).toBeFocused();
  await expect(cardOf(page, name)).toContainText(HOSTILE);
  await expect(cardOf(page, name)).toContainText('Joy / Creativity');

  await edit.click();
  await page.getByRole('radio', { name: 'Peace' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await edit.click();
  await expect(page.getByRole('radio', { name: 'Joy / Creativity' })).toBeChecked();
  await page.route('**/api/users/update-profile', (route) => route.fulfill({ status: 400, json: {} }));
  await page.getByRole('radio', { name: 'Peace' }).click();
  await save.click();
  await expect(toast(page, 'Failed to update profile')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Peace' })).toBeChecked();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('filters and moods are large enough to be touched', async ({ page }) => {
    await registered(page.request, 'Ada');
    await page.goto('/');
    await page.getByRole('button', { name: 'Show Filters' }).click();
    await page.getByRole('button', { name: 'Edit my card' }).click();
    await expect(page.getByRole('radio', { name: 'Peace' })).toBeVisible();
    for (const choice of await page.getByRole('radio').all()) {
      expect((await choice.boundingBox())?.height, await choice.innerText()).toBeGreaterThanOrEqual(44);
    }
  });
});

test('cards cannot be pressed while those of another search are on their way', async ({ page, browser }) => {
  const name = unique('Ben');
  await someoneElse(browser, name);
  const ada = await rich(page, browser, unique('Ada'));
  let answer = () => undefined as void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/discovery/feed?search=*', (route) => answered.then(() => route.continue()));
  await page.goto('/');
  const own = cardOf(page, ada.displayName);
  const opened = page.getByRole('button', { name: 'Turn to about me' });
  const press = async () => {
    const box = await own.boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 40);
  };
  await expect(own).toBeVisible();
  const asked = page.waitForRequest('**/api/discovery/feed?search=*');
  await page.getByRole('searchbox', { name: 'Search members' }).fill(name);
  await asked;
  await press();
  answer();
  await expect(cards(page)).toHaveCount(1);
  await expect(own).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search members' }).fill('');
  await expect(own).toBeVisible();
  await expect(opened).toHaveCount(0);
  await press();
  await expect(opened).toBeVisible();
});

test('a filter chosen while the search is typed stays chosen', async ({ page }) => {
  await registered(page.request, 'Ada');
  await page.goto('/');
  await page.getByRole('button', { name: 'Show Filters' }).click();
  await page.getByRole('radio', { name: '4+', exact: true }).evaluate((radio: HTMLElement) => {
    const box = document.querySelector<HTMLInputElement>('[aria-label="Search members"]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, 'nobody at all');
    box?.dispatchEvent(new InputEvent('input', { bubbles: true }));
    radio.click();
    // A device so slow that typing has rested before the grid is drawn with the filter.
    for (const until = performance.now() + 600; performance.now() < until;);
  });
  await expect(page).toHaveURL(/q=nobody/);
  await expect(page).toHaveURL(/rating=4/);
  await expect(page.getByRole('searchbox', { name: 'Search members' })).toHaveValue('nobody at all');
  await page.getByRole('button', { name: 'Clear Filters' }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('searchbox', { name: 'Search members' })).toHaveValue('');
});

test('a search that finds nobody finds who comes', async ({ page, browser }) => {
  const name = unique('Ben');
  await registered(page.request, 'Ada');
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search members' }).fill(name);
  await expect(page.getByText('No profiles found')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back to Top' })).toHaveCount(0);
  await someoneElse(browser, name);
  await expect(cardOf(page, name)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('button', { name: 'Back to Top' })).toBeVisible();
});

test('filters live in the address, and are cleared together', async ({ page }) => {
  await registered(page.request, 'Ada');
  await page.goto('/?rating=4.5&type=video&online=1');
  await expect(page.getByText('No profiles found')).toBeVisible();
  await expect(page.getByText('Try adjusting your search filters')).toBeVisible();
  await expect(page.getByRole('radio', { name: '4.5+' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Videos' })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Online Only' })).toBeChecked();
  await page.getByRole('button', { name: 'Clear Filters' }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('button', { name: 'Edit my card' })).toBeVisible();
  const asked = page.waitForRequest((request) => request.url().includes('minRating=4&'));
  await page.getByRole('radio', { name: '4+', exact: true }).click();
  await asked;
  await expect(page).toHaveURL(/rating=4$/);
});

test('the host’s own card has Accept and Decline, and a cooldown is counted down on the other’s', async ({
  page,
  browser,
}) => {
  const name = unique('Hal');
  const hal = await rich(page, browser, name);
  const context = await browser.newContext();
  const ann = await registered(context.request, unique('Ann'));
  await grantNova(browser, ann, NOVA);
  const asked = await context.request.post('/api/chats/initiate', { data: { hostId: hal.id } });
  expect(asked.status(), await asked.text()).toBe(201);
  await page.goto('/');
  const own = cardOf(page, name);
  const waiting = own.getByRole('region', { name: 'A chat request for you' });
  await expect(waiting).toContainText(`${ann.displayName} would like to chat with you`);
  await waiting.getByRole('button', { name: 'Decline' }).click();
  await expect(waiting).toHaveCount(0);

  const annsPage = await context.newPage();
  await annsPage.goto('/');
  await searchCard(annsPage, name);
  await annsPage.getByRole('button', { name: `Unlock ${name} for 50 Nova` }).click();
  const cooling = annsPage.getByRole('button', { name: /^Available in \d+s$/ });
  await expect(cooling).toBeDisabled();
  await context.close();
});

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
