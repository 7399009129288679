import { randomBytes } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import {
  expect,
  test as base,
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
  type Request,
} from '@playwright/test';
import { ADMIN_STATE, URL_VARIABLE } from './installation.js';
import { Scene } from './scene.js';
import { GOOD_PIN } from '../support/secrets.js';

export { expect };

export interface Person {
  readonly displayName: string;
  readonly email: string;
  readonly password: string;
  readonly pin: string;
}

export interface Account extends Person {
  readonly id: string;
}

/** Refusals that a test provokes: the browser reports each as a console error, but they are none. */
const REFUSED = /^Failed to load resource: the server responded with a status of (40[01234]|402|409|413|415|422|429)/;
const API_PATH = /^\/(api|oauth|objects|sandbox)\//;

/** Errors that pages of the current test's browser contexts report. */
let pageErrors: string[] = [];
let scene = new Scene();

/** Whatever a page asks for while a test has taken it offline: also its live connection, which tries again at its own times. */
const OFFLINE = 'net::ERR_INTERNET_DISCONNECTED';

/**
 * Every test fails on any error that a page reports: uncaught exceptions, console errors, files that do not load. A
 * test that fails for another reason reports what its pages showed.
 */
export const test = base.extend<{ noPageErrors: void }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from the pattern.
  baseURL: async ({}, use) => use(process.env[URL_VARIABLE]),
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (...options) => {
        const context = await newContext(...options);
        context.on('page', waitForDialogsBeforeLeaving);
        watch(context, pageErrors);
        scene.watch(context);
        return context;
      };
      await use(browser);
    },
    { scope: 'worker' },
  ],
  noPageErrors: [
    // oxlint-disable-next-line no-unused-vars -- The test's own context is closed only after this has looked.
    async ({ context }, use, testInfo) => {
      await use();
      const [errors, shown] = [pageErrors.filter((error) => !error.includes(OFFLINE)), scene];
      // A context that stays open reports errors of this test, not of the next one.
      pageErrors = [];
      scene = new Scene();
      if (testInfo.status !== testInfo.expectedStatus)
        throw new Error(['When it failed:', await shown.told(), ...errors].join('\n'));
      expect(errors, 'errors that the browser reported').toEqual([]);
    },
    { auto: true },
  ],
});

/** Expects that the pages have reported only these errors so far, which the test provoked. */
export function expectOnlyErrors(text: string): void {
  for (const error of pageErrors.splice(0)) expect(error).toContain(text);
}

/** A closed dialog's history entry disappears only a moment later, and would close a dialog opened in the meantime. */
function waitForDialogsBeforeLeaving(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const dialogsAreGone = () =>
    page.waitForFunction(
      () => (history.state?.dialogDepth ?? 0) <= document.querySelectorAll('[role=dialog], [role=alertdialog]').length,
    );
  page.goto = async (...to) => {
    await dialogsAreGone();
    return goto(...to);
  };
  page.reload = async (...options) => {
    await dialogsAreGone();
    return reload(...options);
  };
}

function watch(context: BrowserContext, errors: string[]): void {
  context.on('weberror', (error) => errors.push(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    const ofApi = URL.canParse(url) && API_PATH.test(new URL(url).pathname);
    if (!(ofApi && REFUSED.test(message.text()))) errors.push(`${message.text()} (${url})`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // Leaving a page ends what it was still loading; a video is fetched in parts and stopped when it has enough.
    if (reason !== 'net::ERR_ABORTED') errors.push(`${request.url()} failed: ${reason}`);
  });
}

/** A unique name or title: tests run in parallel on one installation, even within the same millisecond. */
export const unique = (name: string): string => `${name} ${crypto.randomUUID().slice(0, 8)}`;

export function somebody(displayName: string): Person {
  return {
    displayName,
    email: `member.${randomBytes(6).toString('hex')}@nova.test`,
    password: 'a quiet night sky',
    pin: GOOD_PIN,
  };
}

/** Registers through the API. The owner of the request context is signed in afterwards. */
export async function registered(request: APIRequestContext, displayName: string): Promise<Account> {
  const person = somebody(displayName);
  const answer = await request.post('/api/auth/register', { data: { ...person, tcConsent: true, tcVersion: '1.0' } });
  expect(answer.status(), await answer.text()).toBe(201);
  const { user } = await answer.json();
  return { ...person, id: user.id };
}

/** Registers a member who does not use this browser. */
export async function someoneElse(browser: Browser, displayName: string): Promise<Account> {
  const context = await browser.newContext();
  try {
    return await registered(context.request, displayName);
  } finally {
    await context.close();
  }
}

/** A browser in which the admin is signed in. */
export async function adminContext(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ storageState: JSON.parse(process.env[ADMIN_STATE] ?? '{}') });
}

/** A page of the admin's, who has taken the optional cookies, in a browser that is closed afterwards. */
export async function asAdmin(browser: Browser, walk: (page: Page) => Promise<void>): Promise<void> {
  const context = await adminContext(browser);
  try {
    const page = await context.newPage();
    await acceptCookies(page);
    await walk(page);
  } finally {
    await context.close();
  }
}

export async function grantNova(browser: Browser, member: Account, amount: number): Promise<void> {
  const admin = await adminContext(browser);
  try {
    const answer = await admin.request.post(`/api/admin/users/${member.id}/add-nova`, {
      data: { amount, reason: 'For a test' },
    });
    expect(answer.status(), await answer.text()).toBe(201);
  } finally {
    await admin.close();
  }
}

/** Opens the auth card behind ENTER, in the given mode. */
export async function openAuthCard(page: Page, mode: 'register' | 'sign in', path = '/'): Promise<void> {
  await page.goto(path);
  await enterAuthCard(page, mode);
}

async function enterAuthCard(page: Page, mode: 'register' | 'sign in'): Promise<void> {
  await page.getByRole('button', { name: 'ENTER' }).click();
  const wanted = page.getByRole('button', { name: mode === 'register' ? 'Create Account' : 'Sign In', exact: true });
  const toggle = page.getByRole('button', {
    name: mode === 'register' ? "Don't have an account? Sign up" : 'Already have an account? Sign in',
  });
  await expect(wanted.or(toggle)).toBeVisible();
  if (await toggle.isVisible()) await toggle.click();
  await expect(wanted).toBeVisible();
}

export async function registerInBrowser(page: Page, person: Person): Promise<void> {
  await openAuthCard(page, 'register');
  await page.getByLabel('Display Name').fill(person.displayName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Recovery PIN').fill(person.pin);
  await page.getByRole('checkbox', { name: /Terms/ }).click();
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(accountMenuButton(page)).toBeVisible();
}

export async function signInInBrowser(
  page: Page,
  person: Pick<Person, 'email' | 'password'>,
  path = '/',
): Promise<void> {
  await page.goto(path);
  await signInHere(page, person);
}

/** From the landing screen, without loading the page anew. */
export async function signInHere(page: Page, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await enterAuthCard(page, 'sign in');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('checkbox', { name: /Terms/ }).click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

export const accountMenuButton = (page: Page) => page.getByRole('button', { name: 'Account menu' });

/** The balance in the top bar, even while a dialog hides the page from assistive technology. */
export const balancePill = (page: Page) => page.locator('header').first();

/** Of the discovery page. */
export const cards = (page: Page) => page.getByRole('main').locator('li[aria-posinset]');

/** A control that takes Nova must have stood under the pointer for 600 ms (rule screens-20), and is looked at now and then. */
export const SETTLES_MS = 800;

/** Presses a control that takes Nova, once it has stood still. */
export async function pressPaid(control: Locator): Promise<void> {
  await control.scrollIntoViewIfNeeded();
  await control.page().waitForTimeout(SETTLES_MS);
  await control.click();
}

/**
 * Waits until the only card is that of the one member with this name: before, cards may move while they are pressed.
 */
export async function searchCard(page: Page, name: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search members' }).fill(name);
  await expect(cards(page)).toHaveCount(1);
}

/** Holds calls to the address on their way to the server until they are released. */
export async function held(
  page: Page,
  address: RegExp,
): Promise<{ arrived: () => Promise<Request>; letGo: () => void }> {
  let letGo = () => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const first = page.waitForRequest(address);
  await page.route(address, async (route) => {
    await free;
    await route.continue();
  });
  return { arrived: () => first, letGo };
}

/** Pages come with the answers to their first reads: without these, the page asks, and a test can answer. */
export const withoutFirstAnswers = (page: Page) =>
  page.addInitScript(() =>
    new MutationObserver(() => document.querySelector('#first-answers')?.remove()).observe(document, {
      childList: true,
      subtree: true,
    }),
  );

/** The next call to the address takes effect, but its answer is lost. */
export const loseAnswer = (page: Page, address: string | RegExp) =>
  page.route(
    address,
    async (route) => {
      expect((await route.fetch()).ok()).toBe(true);
      await route.abort('aborted');
    },
    { times: 1 },
  );

/** The current toast: a fading one makes way for the next. */
export const toast = (page: Page, text: string | RegExp) =>
  page.locator('[data-sonner-toast][data-visible="true"]').filter({ hasText: text });

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
}

/** Buys the Nova through the wallet's dialog, which is left open on its last step. */
export async function topUp(page: Page, { preset, card }: { preset: string; card: string }): Promise<void> {
  await page.goto('/wallet?topup=1');
  await page.getByRole('button', { name: new RegExp(`^${preset}`) }).click();
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await fillCard(page, card);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
}

/** Waits until everything that the page requests has arrived. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

export async function expectNothingBeside(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `pixels beyond the width of the screen at ${page.url()}`).toBeLessThanOrEqual(0);
}

/** Expects that no closed list cuts off the choice that it shows. */
async function expectWholeChoices(page: Page): Promise<void> {
  const cut = await page.locator('select:visible').evaluateAll((lists: HTMLSelectElement[]) =>
    lists.flatMap((list) => {
      const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(list);
      const pen = document.createElement('canvas').getContext('2d');
      const text = list.selectedOptions[0]?.text ?? '';
      if (pen) pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      const room = list.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return pen && pen.measureText(text).width > room ? [text] : [];
    }),
  );
  expect(cut, `choices that are cut off at ${page.url()}`).toEqual([]);
}

/** Expects that every empty field shows all of its placeholder. */
async function expectWholePlaceholders(page: Page): Promise<void> {
  const cut = await page.locator('input[placeholder]:visible').evaluateAll((fields: HTMLInputElement[]) =>
    fields.flatMap((field) => {
      const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
      const pen = document.createElement('canvas').getContext('2d');
      if (pen) pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      // The browser keeps room for the cross that empties a search.
      const cross = field.type === 'search' ? Number.parseFloat(fontSize) : 0;
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - cross;
      return pen && pen.measureText(field.placeholder).width > room ? [field.placeholder] : [];
    }),
  );
  expect(cut, `placeholders that are cut off at ${page.url()}`).toEqual([]);
}

/** Expects that the words of every button and tab lie inside of it. */
async function expectWordsInside(page: Page): Promise<void> {
  const outside = await page.locator('button:visible, main a:visible, [role=tab]:visible').evaluateAll((controls) =>
    controls.flatMap((control) => {
      if (getComputedStyle(control).display === 'inline') return [];
      const box = control.getBoundingClientRect();
      const words = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
      for (let text = words.nextNode(); text !== null; text = words.nextNode()) {
        const holder = text.parentElement;
        // Names are cut off on purpose, and say so.
        if (holder === null || holder.closest('.sr-only, .truncate') || getComputedStyle(holder).overflow === 'hidden')
          continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const { left, right, width } = range.getBoundingClientRect();
        if (width > 0 && (left < box.left - 1 || right > box.right + 1)) return [control.textContent];
      }
      return [];
    }),
  );
  expect(outside, `words that leave their button at ${page.url()}`).toEqual([]);
}

/** Expects that a form's button, which stays in sight, covers nothing of a form that needs no scrolling. */
async function expectNothingUnderSubmit(page: Page): Promise<void> {
  const covered = await page.locator('[role=dialog] form > [type=submit]:visible').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const above = button.previousElementSibling;
      if (
        above === null ||
        button.closest('.overflow-y-auto')!.scrollHeight > button.closest('.overflow-y-auto')!.clientHeight
      )
        return [];
      return above.getBoundingClientRect().bottom > button.getBoundingClientRect().top + 1 ? [above.textContent] : [];
    }),
  );
  expect(covered, `what a dialog’s button covers at ${page.url()}`).toEqual([]);
}

/** Whether some of the focused element is visible: no fixed element covers all of it. */
export const focusIsSeen = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const focused = document.activeElement ?? document.body;
    const box = focused.getBoundingClientRect();
    // Of an element larger than the screen, what is on it.
    const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)];
    const width = Math.min(innerWidth, box.right) - left;
    const height = Math.min(innerHeight, box.bottom) - top;
    const parts = [0.1, 0.3, 0.5, 0.7, 0.9];
    return parts.some((x) =>
      parts.some((y) => focused.contains(document.elementFromPoint(left + width * x, top + height * y))),
    );
  });

/** Expects no violation of axe's rules, nothing beyond the screen's width or cut off in a list, and one page title. */
export async function expectGoodScreen(page: Page): Promise<void> {
  // The code of a page arrives after the document: until then there is no page to judge.
  await expect(page.locator('h1'), 'a page title').not.toHaveCount(0);
  // Scans a page without frames in place: otherwise axe opens another page to combine the frames' results.
  const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1);
  const { violations } = await axe.options({ resultTypes: ['violations'] }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`);
  expect(found, 'what axe found').toEqual([]);
  await expectNothingBeside(page);
  await expectWholeChoices(page);
  await expectWholePlaceholders(page);
  await expectWordsInside(page);
  await expectNothingUnderSubmit(page);
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Checks the current screen at the width of a desktop and of a phone, and restores its width. */
export async function expectGoodAtEverySize(page: Page): Promise<void> {
  const before = page.viewportSize() ?? DESKTOP;
  // Nothing has to be laid out anew for the width that it has.
  for (const size of before.width === PHONE.width ? [PHONE, DESKTOP] : [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectGoodScreen(page);
  }
  await page.setViewportSize(before);
}

/** Expects that nothing of the screen is beside a small phone, or of its words outside of their buttons. */
export async function expectNarrow(page: Page): Promise<void> {
  const before = page.viewportSize() ?? DESKTOP;
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectNothingBeside(page);
  await expectWholePlaceholders(page);
  await expectWordsInside(page);
  await page.setViewportSize(before);
}

/** Accepts cookies as a member would; their notice would cover a phone's screen. */
export const acceptCookies = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('nova.optionalCookies', 'true'));
