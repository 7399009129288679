import type { APIRequestContext, Browser, BrowserContext, Page, Worker } from '@playwright/test';
import { PushService, type PushReceiver } from '../support/push-service.js';
import { expect, expectGoodAtEverySize, grantNova, registered, test, toast, unique, type Account } from './nova.js';

let service: PushService;
test.beforeAll(async () => {
  service = await PushService.start();
});
test.afterAll(() => service.close());

/** No push service is reached from here: the browser subscribes at ours, with real keys. */
async function subscribesAt(context: BrowserContext, receiver: PushReceiver): Promise<void> {
  await context.addInitScript((subscription) => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    let isOn = false;
    let applicationServerKey: unknown = null;
    const subscribed = () => ({
      options: { applicationServerKey },
      toJSON: () => subscription,
      unsubscribe: () => Promise.resolve(!(isOn = false)),
    });
    Object.assign(PushManager.prototype, {
      subscribe: (options: { applicationServerKey: Uint8Array }) => {
        isOn = true;
        applicationServerKey = options.applicationServerKey.buffer;
        return Promise.resolve(subscribed());
      },
      getSubscription: () => Promise.resolve(isOn ? subscribed() : null),
    });
  }, receiver.subscription);
}

/** Hands what reached the push service to the service worker, as the browser does, wherever the page is by then. */
async function pushes(page: Page): Promise<(payload: unknown) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  const registrationId = await registration;
  return async (payload) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) });
  };
}

interface Shown {
  readonly title: string;
  readonly body: string;
}

/** The notifications of a browser whose windowless shell has none: what the service worker shows, and a click on one. */
class Notifications {
  private constructor(private readonly worker: Worker) {}

  static async of(worker: Worker): Promise<Notifications> {
    await worker.evaluate(() => {
      const onScreen = new Map<string, Notification>();
      Object.assign(globalThis, { onScreen });
      Object.assign(ServiceWorkerRegistration.prototype, {
        showNotification: (title: string, options: NotificationOptions & { tag: string }) => {
          const close = () => void onScreen.delete(options.tag);
          onScreen.set(options.tag, { title, ...options, close } as unknown as Notification);
          return Promise.resolve();
        },
      });
    });
    return new Notifications(worker);
  }

  shown(): Promise<Shown[]> {
    return this.worker.evaluate(() => {
      const { onScreen } = globalThis as unknown as { onScreen: Map<string, Notification> };
      return [...onScreen.values()].map(({ title, body }) => ({ title, body }));
    });
  }

  click(): Promise<void> {
    return this.worker.evaluate(() => {
      const { onScreen, ExtendableEvent } = globalThis as unknown as {
        onScreen: Map<string, Notification>;
        ExtendableEvent: typeof Event;
      };
      const [notification] = onScreen.values();
      dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), { notification }));
    });
  }
}

async function asksForChat(browser: Browser, request: APIRequestContext, host: Account): Promise<void> {
  const ann = await registered(request, unique('Ann'));
  await grantNova(browser, ann, 10_000);
  const answer = await request.post('/api/chats/initiate', { data: { hostId: host.id } });
  expect(answer.status(), await answer.text()).toBe(201);
}

test('a host hears of a chat request by a notification, which leads to it, and finds it at the bell', async ({
  browser,
  context,
  page,
  baseURL,
}) => {
  test.setTimeout(45_000);
  const receiver = service.receiver();
  await context.grantPermissions(['notifications'], { origin: baseURL ?? '' });
  await subscribesAt(context, receiver);
  const hal = await registered(page.request, unique('Hal'));
  await page.goto('/profile?tab=settings');
  await page.getByRole('button', { name: 'Turn On' }).click();
  await expect(toast(page, 'Notifications are on')).toBeVisible();
  await expect(page.getByText('On in this browser')).toBeVisible();
  await expectGoodAtEverySize(page);

  const other = await browser.newContext();
  await asksForChat(browser, other.request, hal);
  await expect(page.getByRole('button', { name: 'Notices 1 unread' })).toBeVisible();
  const [payload] = await service.read(receiver);
  expect(payload).toMatchObject({ title: 'New chat request', path: '/?tab=status' });

  // Who looks at Nova is told by the page alone; others by the notification, without a name.
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('there is no service worker');
  const notifications = await Notifications.of(worker);
  const push = await pushes(page);
  await push(payload);
  await page.goto('about:blank');
  expect(await notifications.shown()).toEqual([]);
  await push(payload);
  await expect
    .poll(() => notifications.shown())
    .toEqual([{ title: 'New chat request', body: 'You have 2 minutes to accept.' }]);
  await page.goto('/wallet');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await notifications.click();
  await expect(page).toHaveURL(/\/\?tab=status$/);
  await expect.poll(() => notifications.shown()).toEqual([]);

  await expect(page.getByRole('heading', { name: 'Inbound priority' })).toBeVisible();
  await page.getByRole('button', { name: 'Notices 1 unread' }).click();
  const notice = page.getByRole('link', { name: /would like to chat with you/ });
  await expect(notice).toContainText('Unread');
  await expectGoodAtEverySize(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Notices', exact: true })).toBeVisible();
  await other.close();
});

test('Nova installs as an app, and nothing of it is kept by the service worker', async ({ page }) => {
  await registered(page.request, unique('Ida'));
  await page.goto('/wallet');
  const { icons, start_url: start } = await (await page.request.get('/manifest.webmanifest')).json();
  expect(start).toBe('/');
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/manifest.webmanifest');
  for (const { src, sizes } of icons) {
    const size = await page.evaluate(async (url) => {
      const { width, height } = await createImageBitmap(await (await fetch(url)).blob());
      return `${width}x${height}`;
    }, src);
    expect(size).toBe(sizes);
  }
  for (const [path, type, control] of [
    ['/sw.js', 'javascript', 'no-cache'],
    ['/manifest.webmanifest', 'application/manifest+json', 'no-cache'],
    ['/robots.txt', 'text/plain', 'public, max-age=3600'],
    ['/favicon.ico', 'image/', 'public, max-age=3600'],
  ] as const) {
    const headers = (await page.request.get(path)).headers();
    expect([path, headers['content-type'], headers['cache-control']]).toEqual([
      path,
      expect.stringContaining(type),
      control,
    ]);
  }
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
});
