/*
 * The service worker. It shows notifications and opens what they are about, and does nothing else: it handles no request, so
 * it keeps neither pages nor answers.
 */

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

const openPages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Safari takes the right to notify away from a worker that was sent something and showed nothing. */
const MUST_SHOW = /^((?!chrom|android).)*safari/i.test(self.navigator.userAgent);

/** Whoever looks at Nova is told by the page. */
async function show({ title, body, path, topic }) {
  const pages = await openPages();
  if (!MUST_SHOW && pages.some((page) => page.focused)) return;
  await self.registration.showNotification(title, {
    body,
    tag: topic,
    renotify: true,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: { path },
  });
}

async function open(path) {
  const pages = await openPages();
  const page = pages.find(({ url }) => new URL(url).pathname === path) ?? pages[0];
  if (!page) return self.clients.openWindow(path);
  page.postMessage({ type: 'open', path });
  // Without a click of the member, it may not.
  return page.focus().catch(() => undefined);
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json()));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});
