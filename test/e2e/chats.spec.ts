import type { Browser, Locator, Page } from '@playwright/test';
import {
  balancePill,
  expect,
  expectGoodScreen,
  grantNova,
  pressPaid,
  registered,
  searchCard,
  settled,
  test,
  toast,
  unique,
  type Account,
} from './nova.js';
import { onlyPosts } from './posts.js';

const REVIEW = 'A lovely talk: friendly, quick to answer and full of ideas.';
const EXPLANATION = 'It was fine, only a little short.';
const PRICE = '1,250';

interface Seat {
  readonly page: Page;
  readonly account: Account;
}

/** Two members, each at a browser of their own; the initiator has 10,000 Nova. */
async function twoSeats(browser: Browser, page: Page, hostName = unique('Hal')): Promise<{ ann: Seat; hal: Seat }> {
  const ann = { page, account: await registered(page.request, unique('Ann')) };
  await grantNova(browser, ann.account, 10_000);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const other = await context.newPage();
  const hal = { page: other, account: await registered(context.request, hostName) };
  for (const { page: each } of [ann, hal]) {
    // Other tests' posts cost Nova when a member opens the feed.
    await onlyPosts(each, []);
    await each.goto('/');
    await closeCookieNotice(each);
  }
  return { ann, hal };
}

async function closeCookieNotice(page: Page): Promise<void> {
  const notice = page.getByRole('button', { name: 'Accept All' });
  if (await notice.isVisible()) await notice.click();
}

/** Shows only the host's card, which was unlocked before. */
async function findUnlockedCard(ann: Seat, hal: Seat): Promise<void> {
  const { page } = ann;
  await page.evaluate(
    ([me, them]) => localStorage.setItem(`nova.unlockedProfiles.${me}`, JSON.stringify([them])),
    [ann.account.id, hal.account.id],
  );
  await page.goto('/');
  await searchCard(page, hal.account.displayName);
}

async function askForChat({ page }: Seat, { account: { displayName } }: Seat): Promise<void> {
  await page.getByRole('button', { name: `Open the profile of ${displayName}` }).click();
  await page.getByRole('button', { name: `Chat with ${displayName}` }).click();
}

/** Goes from the host's card to a request with a held payment. */
async function request(ann: Seat, hal: Seat): Promise<void> {
  const { page } = ann;
  await findUnlockedCard(ann, hal);
  await askForChat(ann, hal);
  await pressPaid(page.getByRole('button', { name: `Request chat for ${PRICE} Nova` }));
  await expect(page.getByRole('timer')).toHaveText(/^[12]:\d\d$/);
  await expect(balancePill(page)).toContainText('8,750.00');
}

async function accept(hal: Seat, ann: Seat): Promise<void> {
  await hal.page.goto('/?tab=status');
  await hal.page.getByRole('button', { name: `Accept ${ann.account.displayName}` }).click();
  await expect(hal.page.getByLabel('Message', { exact: true })).toBeVisible();
  await expect(ann.page.getByLabel('Message', { exact: true })).toBeEnabled();
  // They look at the chat: no toast covers it, and no notice waits for them.
  await expect(toast(ann.page, 'Chat Accepted!')).toHaveCount(0);
  await expect(ann.page.getByRole('button', { name: 'Notices', exact: true })).toBeVisible();
}

/**
 * A phone's keyboard leaves 508 px: the bar, the box to write in and what was said last are in sight, and nothing else
 * takes their place.
 */
async function expectRoomToWrite(page: Page, newest: string): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 508 });
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  const [bar, said, box] = await Promise.all([
    boxOf(page.getByRole('region', { name: 'About this chat' })),
    boxOf(conversation(page).getByText(newest)),
    boxOf(page.getByRole('textbox', { name: 'Message' })),
  ]);
  expect(bar.top).toBe(0);
  expect(said.top).toBeGreaterThan(bar.bottom);
  expect(box.top).toBeGreaterThan(said.bottom);
  expect(box.bottom).toBeLessThanOrEqual(508);
  expect(box.top - bar.bottom, 'pixels for the conversation').toBeGreaterThan(300);
  if (before !== null) await page.setViewportSize(before);
}

const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });

async function say({ page }: Seat, other: Seat, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
  for (const each of [page, other.page]) await expect(each.getByText(text).first()).toBeAttached();
}

async function exchange(ann: Seat, hal: Seat, number: number): Promise<void> {
  await say(ann, hal, `Question ${number}: what would you do with a whole free day?`);
  await say(hal, ann, `Answer ${number}: I would walk along the sea, slowly.`);
}

/** Actions of either member without the screens on the way. */
async function does<T = unknown>({ page }: Seat, path: string, data: object = {}): Promise<T> {
  const answer = await page.request.post(path, { data });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return answer.json();
}

async function active(ann: Seat, hal: Seat): Promise<string> {
  const { chatId } = await does<{ chatId: string }>(ann, '/api/chats/initiate', { hostId: hal.account.id });
  await does(hal, `/api/chats/${chatId}/accept`);
  return chatId;
}

async function openOnItsPage({ page }: Seat, chatId: string): Promise<void> {
  await page.goto(`/chat/${chatId}`);
  await expect(page.getByRole('region', { name: 'About this chat' })).toBeVisible();
}

/** The position of an element, in pixels from the top of the screen, and its opacity. */
const boxOf = (shown: Locator) =>
  shown.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom, opacity: getComputedStyle(element).opacity };
  });

/** Where the words of an element begin and end, in pixels from the left of the screen. */
const wordsOf = (shown: Locator) =>
  shown.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { left, right } = range.getBoundingClientRect();
    return { left, right };
  });

/** A name that no other test has, in letters that are written from right to left. */
const arabicName = (): string =>
  `نور ${Array.from(crypto.randomUUID().slice(0, 8), (digit) => 'ابتثجحخدذرزسشصضط'[Number.parseInt(digit, 16)]).join('')}`;

const novaBalance = async ({ page }: Seat) =>
  (await (await page.request.get('/api/nova/balance')).json()) as {
    novaBalance: number;
    pendingNova: number;
    heldNova: number;
  };

test('request, accept, talk, succeed, both rate: the balances agree with the ledger to the minor unit', async ({
  page,
  browser,
}) => {
  const { ann, hal } = await twoSeats(browser, page);
  await request(ann, hal);
  await accept(hal, ann);
  for (let number = 1; number <= 4; number++) await exchange(ann, hal, number);
  await expect(page.getByText('4 / 5')).toBeVisible();
  await page.getByLabel('Message', { exact: true }).fill('Half a thought');
  await page.reload();
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('Half a thought');
  for (const each of [page, hal.page]) await expect(conversation(each)).toContainText(/Question 1.*Answer 4/s);
  await expectRoomToWrite(hal.page, 'Answer 4');
  await expectGoodScreen(page);
  await expectGoodScreen(hal.page);
  await exchange(ann, hal, 5);

  const rating = page.getByRole('dialog');
  await expect(rating).toContainText('How was your chat');
  await page.getByLabel('Review').fill(REVIEW);
  await page.getByRole('slider', { name: 'Rating' }).focus();
  for (let press = 0; press < 4; press++) await page.keyboard.press('PageUp');
  await page.getByRole('button', { name: 'Rate 90 of 100' }).click();
  await expect(rating).toContainText('Payout summary');
  await expect(rating).toContainText('+1');
  await expectGoodScreen(page);
  expect(await novaBalance(hal)).toMatchObject({ novaBalance: 0, pendingNova: 625 });
  await page.getByRole('button', { name: 'Continue' }).click();

  const halRating = hal.page.getByRole('dialog');
  await hal.page.getByLabel('Review').fill(REVIEW);
  await hal.page.getByRole('button', { name: 'Rate 50 of 100' }).click();
  await expect(halRating).toContainText('What could have been better?');
  await hal.page.getByLabel('Explanation').fill(EXPLANATION);
  await hal.page.getByRole('button', { name: 'Rate 50 of 100' }).click();
  await expect(halRating).toContainText('Payout summary');
  await expect(halRating).toContainText('625.00');
  await hal.page.getByRole('button', { name: 'Continue' }).click();

  await expect(balancePill(hal.page)).toContainText('625.00');
  expect(await novaBalance(hal)).toMatchObject({ novaBalance: 625, pendingNova: 0 });
  expect(await novaBalance(ann)).toMatchObject({ novaBalance: 8_750, heldNova: 0 });
  await hal.page.goto('/payout-history');
  await expect(hal.page.getByRole('listitem')).toContainText(['625.00']);
  await expectGoodScreen(hal.page);
  await page.goto('/?tab=status');
  await expect(page.getByText('1 completed chat')).toBeVisible();
  await expectGoodScreen(page);
});

test('the initiator terminates and pays for the part that took place; the rest comes back', async ({
  page,
  browser,
}) => {
  // A browser under load leaves the closed dialog's history entry later than the page navigates.
  await page.addInitScript(() => {
    const go = history.go.bind(history);
    history.go = (delta) => void setTimeout(() => go(delta), 400);
  });
  const { ann, hal } = await twoSeats(browser, page);
  await request(ann, hal);
  await accept(hal, ann);
  await exchange(ann, hal, 1);
  await page.getByRole('button', { name: 'Terminate Chat' }).click();
  const said = /You pay for the part of the chat that took place: ([\d.,]+) Nova/.exec(
    await page.getByRole('dialog').innerText(),
  );
  const due = Number(said?.[1]?.replaceAll(',', ''));
  expect(due).toBeGreaterThan(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Terminate Chat' }).click();
  await expect(page).toHaveURL(/\/feed$/);
  await expect(toast(hal.page, 'Chat Terminated')).toBeVisible();
  await expect.poll(async () => (await novaBalance(ann)).novaBalance).toBe(10_000 - due);
  const halHas = (await novaBalance(hal)).novaBalance;
  expect(Math.abs(halHas - due / 2)).toBeLessThanOrEqual(0.01);
});

test('a name from right to left keeps to its place, and a message to its lines', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page, arabicName());
  const { displayName } = hal.account;
  await does(hal, '/api/users/update-profile', { status: 'السماء' });
  await findUnlockedCard(ann, hal);
  const front = page.getByRole('listitem').filter({ hasText: 'السماء' });
  const nameOnCard = await wordsOf(front.getByText(displayName, { exact: true }));
  expect(nameOnCard.left).toBeCloseTo((await wordsOf(front.getByText('السماء'))).left, 0);

  await askForChat(ann, hal);
  const share = page.getByRole('region', { name: 'Who gets what' }).getByRole('listitem').first();
  const named = await wordsOf(share.getByText(displayName));
  expect((await wordsOf(share.getByText('50%'))).left).toBeGreaterThanOrEqual(named.right);
  await page.keyboard.press('Escape');

  const chatId = await active(ann, hal);
  // A second after the acceptance, the chat takes the place of this page and of what is open on it.
  await page.waitForURL(`/chat/${chatId}`);
  await expect(conversation(page)).toBeVisible();
  await settled(page);
  await page.getByRole('button', { name: /^Notices/ }).click();
  await expect(page.getByText(`\u2068${displayName}\u2069 accepted your chat request.`)).toHaveCSS('direction', 'ltr');
  await page.keyboard.press('Escape');
  await does(hal, `/api/chats/${chatId}/messages`, { message: 'بخير!\nشكرا' });
  await openOnItsPage(ann, chatId);
  const said = conversation(page).getByText('شكرا');
  expect(await said.innerText()).toBe('بخير!\nشكرا');
  await expect(said).toHaveCSS('direction', 'rtl');
  const panel = page.getByRole('region', { name: `Host: ${displayName}` });
  const panelName = await wordsOf(panel.getByText(displayName, { exact: true }));
  expect((await wordsOf(panel.getByText('Host', { exact: true }))).left).toBeGreaterThanOrEqual(panelName.right);

  await page.goto('/wallet');
  await withCamera(hal.page);
  await call(hal, ann);
  const caller = await wordsOf(ringing(page).getByText(displayName));
  expect(caller.left).toBeCloseTo((await wordsOf(ringing(page).getByText('is calling you.'))).left, 0);
});

test('a camera that opens after its page was left is let go, and nobody is called', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  await active(ann, hal);
  const sent: string[] = [];
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
  await page.addInitScript(() => {
    const stream = document.createElement('canvas').captureStream();
    navigator.mediaDevices.getUserMedia = () =>
      new Promise((resolve) => Object.assign(window, { stream, openCamera: () => resolve(stream) }));
  });
  await page.goto(`/video-chat/${hal.account.id}`);
  await expectGoodScreen(page);
  await page.getByRole('button', { name: 'Start call' }).click();
  await page.waitForFunction(() => 'openCamera' in window);
  await page.getByRole('link', { name: 'Back to the chat' }).click();
  const message = page.getByLabel('Message', { exact: true });
  await expect(message).toBeEnabled();
  await page.evaluate('openCamera()');
  await page.waitForFunction('stream.getTracks().every((track) => track.readyState === "ended")');
  await message.fill('Here I am again');
  await page.keyboard.press('Enter');
  await expect.poll(() => sent.join()).toContain('Here I am again');
  expect(sent.join()).not.toContain('video_start');
});

/** A camera and a microphone that open at once; the picture moves, so that it arrives as one. */
const withCamera = async (page: Page) => {
  await page.context().grantPermissions(['camera', 'microphone']);
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 });
      const brush = canvas.getContext('2d');
      let frame = 0;
      setInterval(() => {
        frame += 1;
        if (brush === null) return;
        brush.fillStyle = `hsl(${frame % 360} 80% 50%)`;
        brush.fillRect(0, 0, 320, 240);
      }, 50);
      return Promise.resolve(canvas.captureStream(20));
    };
  });
};

const ringing = (page: Page) => page.getByRole('region', { name: 'Incoming call' });

/** Calls from the page of the call. */
async function call({ page }: Seat, other: Seat): Promise<void> {
  await page.goto(`/video-chat/${other.account.id}`);
  await page.getByRole('button', { name: /^(Start call|Call again)$/ }).click();
}

/** The other side's picture moves on this page. */
const seesOther = (page: Page, { account }: Seat) =>
  expect
    .poll(() =>
      page
        .getByLabel(`${account.displayName}'s video`)
        .evaluate((video: HTMLVideoElement) => video.currentTime > 0 && video.videoWidth > 0)
        .catch(() => false),
    )
    .toBe(true);

/** The id of the camera whose picture one sees of oneself. */
const usedDevice = (page: Page): Promise<string> =>
  page.getByLabel('Your own video').evaluate((video: HTMLVideoElement) => {
    const [track] = (video.srcObject as MediaStream).getVideoTracks();
    return track?.readyState === 'live' ? (track.getSettings().deviceId ?? '') : '';
  });

test('who leaves the page of a call has hung up, and the other side has missed it', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  await active(ann, hal);
  await withCamera(page);
  for (const leave of [() => page.getByRole('link', { name: 'Back to the chat' }).click(), () => page.goto('/terms')]) {
    await call(ann, hal);
    await expect(ringing(hal.page)).toContainText(`${ann.account.displayName}is calling you.`);
    await leave();
    await expect(ringing(hal.page)).toHaveCount(0);
    await expect(toast(hal.page, 'Missed call')).toContainText(ann.account.displayName);
  }
});

test('a call rings on every page of a member until it is answered, declined or ended on any of them', async ({
  page,
  browser,
}) => {
  const { ann, hal } = await twoSeats(browser, page);
  await active(ann, hal);
  for (const each of [page, hal.page]) await withCamera(each);
  await hal.page.goto('/wallet');
  const elsewhere = await hal.page.context().newPage();
  await elsewhere.goto('/?tab=status');
  await expect(elsewhere.getByRole('heading', { name: 'Status', exact: true })).toBeVisible();
  const everywhere = [hal.page, elsewhere];

  await call(ann, hal);
  for (const each of everywhere) await expect(ringing(each)).toBeVisible();
  await expectGoodScreen(hal.page);
  const late = await hal.page.context().newPage();
  await late.goto('/quests');
  await expect(ringing(late)).toBeVisible();
  await late.close();
  await hal.page.getByRole('button', { name: 'Decline the call' }).click();
  for (const each of everywhere) await expect(ringing(each)).toHaveCount(0);
  await expect(page.getByText(`${hal.account.displayName} cannot talk now.`).first()).toBeVisible();

  await page.getByRole('button', { name: 'Call again' }).click();
  for (const each of everywhere) await expect(ringing(each)).toBeVisible();
  await page.getByRole('button', { name: 'Hang up' }).click();
  for (const each of everywhere) await expect(ringing(each)).toHaveCount(0);

  await page.getByRole('button', { name: 'Call again' }).click();
  await hal.page.getByRole('button', { name: 'Accept the call' }).click();
  await expect(ringing(elsewhere)).toHaveCount(0);
  await seesOther(page, hal);
  await seesOther(hal.page, ann);
  await expect(hal.page.getByRole('timer', { name: 'Duration' })).toHaveText(/^0:\d\d$/);
  await expectGoodScreen(hal.page);
  const controls = await boxOf(hal.page.getByRole('button', { name: 'Hang up' }));
  expect(controls.bottom).toBeLessThanOrEqual(844);

  await page.getByRole('button', { name: 'Camera off' }).click();
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await expect(hal.page.getByText(`${ann.account.displayName}'s camera is off.`).first()).toBeVisible();
  await expect(hal.page.getByText('muted', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Camera on' }).click();
  await expect(hal.page.getByText('camera is off')).toHaveCount(0);

  // A page that is loaded anew has left the call, and says so.
  await page.reload();
  await expect(hal.page.getByText(`${ann.account.displayName} ended the call.`).first()).toBeVisible();
  await expectGoodScreen(hal.page);
  await expect(page.getByText('You left the call.').first()).toBeVisible();
  await expectGoodScreen(page);
  await page.getByRole('button', { name: 'Join again' }).click();
  await hal.page.getByRole('button', { name: 'Accept the call' }).click();
  await seesOther(page, hal);
  await page.getByRole('button', { name: 'Hang up' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Start call' })).toBeVisible();
  await hal.page.getByRole('link', { name: 'Back to the chat' }).last().click();
  await expect(conversation(hal.page)).toBeVisible();
});

test('a call finds its way back after the network was gone, and goes on at the page that calls anew', async ({
  page,
  browser,
}) => {
  const { ann, hal } = await twoSeats(browser, page);
  const chatId = await active(ann, hal);
  for (const each of [page, hal.page]) await withCamera(each);
  await openOnItsPage(hal, chatId);
  await call(ann, hal);
  await hal.page.getByRole('button', { name: 'Accept the call' }).click();
  await seesOther(page, hal);
  await hal.page.context().setOffline(true);
  await hal.page.waitForTimeout(500);
  await hal.page.context().setOffline(false);
  await seesOther(page, hal);
  await expect(page.getByRole('timer', { name: 'Duration' })).toBeVisible();

  // A browser that dies tells nobody: its member calls anew, and the other side's page answers by itself.
  const again = await page.context().newPage();
  await withCamera(again);
  await call({ ...ann, page: again }, hal);
  await seesOther(again, hal);
  await seesOther(hal.page, ann);
  await expect(page.getByText('The call continues on another of your pages.').first()).toBeVisible();
  await expect(ringing(hal.page)).toHaveCount(0);
});

test('who has no camera sees the other side all the same, whichever of the two it is', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  const chatId = await active(ann, hal);
  for (const [seeing, shown] of [
    [ann, hal],
    [hal, ann],
  ] as const) {
    const withoutCamera = await seeing.page.context().newPage();
    await withoutCamera.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () =>
        Promise.resolve(new AudioContext().createMediaStreamDestination().stream);
    });
    const withOne = await shown.page.context().newPage();
    await withCamera(withOne);
    await openOnItsPage({ ...shown, page: withOne }, chatId);
    await call({ ...seeing, page: withoutCamera }, shown);
    await withOne.getByRole('button', { name: 'Accept the call' }).click();
    await seesOther(withoutCamera, shown);
    await withoutCamera.getByRole('button', { name: 'Hang up' }).click();
    for (const each of [withoutCamera, withOne]) await each.close();
  }
});

test('devices are chosen while one talks; a camera that cannot be opened leaves the one before', async ({
  page,
  browser,
}) => {
  const { ann, hal } = await twoSeats(browser, page);
  const chatId = await active(ann, hal);
  await withCamera(hal.page);
  await openOnItsPage(hal, chatId);
  await call(ann, hal);
  await hal.page.getByRole('button', { name: 'Accept the call' }).click();
  await seesOther(page, hal);
  await page.getByRole('button', { name: 'Devices' }).click();
  const devices = page.getByRole('dialog', { name: 'Devices' });
  const [camera, microphone] = [devices.getByLabel('Camera'), devices.getByLabel('Microphone')];
  await expectGoodScreen(page);
  const first = await camera.inputValue();
  const ids = await camera.locator('option').evaluateAll((all: HTMLOptionElement[]) => all.map(({ value }) => value));
  const other = ids.find((id) => id !== first) ?? '';
  await camera.selectOption(other);
  await expect.poll(() => usedDevice(page)).toBe(other);
  await expect(camera).toHaveValue(other);
  await expect(camera).toBeFocused();
  await seesOther(hal.page, ann);
  await microphone.selectOption('Fake Audio Input 2');
  await expect(microphone.locator('option:checked')).toHaveText('Fake Audio Input 2');
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.evaluate((id) => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = (wanted) =>
      JSON.stringify(wanted).includes(id)
        ? Promise.reject(new DOMException('It is in use', 'NotReadableError'))
        : open(wanted);
  }, first);
  await camera.selectOption(first);
  await expect(page.getByText('Another program is using your camera')).toBeVisible();
  expect(await usedDevice(page)).toBe(other);
  await expect(camera).toHaveValue(other);
  await seesOther(hal.page, ann);

  // Unplugged: the other side sees no standing picture.
  await page.evaluate(() => {
    const video = document.querySelector<HTMLVideoElement>('video[aria-label="Your own video"]');
    const stream = video?.srcObject;
    const [track] = stream instanceof MediaStream ? stream.getVideoTracks() : [];
    track?.stop();
    track?.dispatchEvent(new Event('ended'));
  });
  await expect(hal.page.getByText(`${ann.account.displayName}'s camera is off.`).first()).toBeVisible();
  await expect(camera).toHaveValue('');
  await camera.selectOption(other);
  await expect(hal.page.getByText('camera is off')).toHaveCount(0);
  await seesOther(hal.page, ann);
});

test('everything that was said stays readable in its order, at every size', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  const chatId = await active(ann, hal);
  for (let said = 1; said <= 17; said++) {
    await does(ann, `/api/chats/${chatId}/messages`, { message: `Number ${said}: how would you spend a day?` });
  }
  await openOnItsPage(ann, chatId);
  const messages = conversation(page).getByText(/^Number \d+/);
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await expect(messages).toHaveCount(17);
    const boxes = await Promise.all((await messages.all()).map(boxOf));
    for (const [index, { top }] of boxes.entries()) {
      expect(top).toBeGreaterThan(boxes[index - 1]?.bottom ?? Number.NEGATIVE_INFINITY);
    }
    const whole = await boxOf(conversation(page));
    expect(boxes.at(-1)?.bottom).toBeLessThan(whole.bottom);
  }
  // While one reads what was said before, the place stays; one is led back to the newest.
  await conversation(page).evaluate((list) => list.scrollTo(0, -list.scrollHeight));
  await expect(messages.first()).toBeInViewport();
  await does(hal, `/api/chats/${chatId}/messages`, { message: 'And this is my answer.' });
  await expect(conversation(page)).toContainText('And this is my answer.');
  await expect(messages.first()).toBeInViewport();
  await page.getByRole('button', { name: 'Newest messages' }).click();
  await expect(conversation(page).getByText('And this is my answer.')).toBeInViewport();
});

test('what is said while one looks also rises in its panel, and fades', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await openOnItsPage(ann, await active(ann, hal));
  const floating = page.getByRole('region', { name: `Initiator: ${ann.account.displayName}` }).locator('li');
  await page.getByLabel('Message', { exact: true }).fill('Up and away');
  await page.keyboard.press('Enter');
  await expect(floating).toHaveText('Up and away');
  // Its element is another one once it is sent.
  await expect(conversation(page)).toContainText('Sent');
  // One that was just replaced is nowhere.
  let top = 0;
  await expect.poll(async () => (top = (await boxOf(floating)).top)).toBeGreaterThan(0);
  await expect.poll(async () => (await boxOf(floating)).top).toBeLessThan(top - 40);
  await expect(conversation(page).getByText('Up and away')).toBeInViewport();
});

test('without a network one is told so at once, and what one writes waits for it', async ({ page, browser }) => {
  const { ann, hal } = await twoSeats(browser, page);
  await openOnItsPage(ann, await active(ann, hal));
  await expect(page.getByRole('button', { name: 'Notices', exact: true })).toBeVisible();
  await settled(page);
  await page.context().setOffline(true);
  await expect(page.getByText(/^You are offline/)).toBeVisible();
  await page.getByLabel('Message', { exact: true }).fill('Written in a tunnel');
  await page.keyboard.press('Enter');
  await expect(conversation(page)).toContainText('Queued');
  await page.context().setOffline(false);
  await expect(conversation(page)).toContainText('Sent');
  await expect(conversation(page)).not.toContainText('Queued');
  await expect(conversation(page).getByText('Written in a tunnel')).toHaveCount(1);
});
