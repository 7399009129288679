import type { Schemas } from '@/shared/api';

/** What this browser is able to do about notifications. */
export type PushAbility = 'able' | 'blocked' | 'unable' | 'install-first';

/** On an iPhone or iPad, pages can notify only once they are on the Home Screen. */
const isAppleTouch = () => /iphone|ipad/i.test(navigator.userAgent);

export function pushAbility(): PushAbility {
  const hasAll = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!hasAll) return isAppleTouch() ? 'install-first' : 'unable';
  return Notification.permission === 'denied' ? 'blocked' : 'able';
}

const WORKER = '/sw.js';

/** Registers the service worker, which shows notifications; browsers that have none do without. */
export async function startWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  return navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' });
}

/** The member said no, or the browser did for them. */
export class PushRefused extends Error {}

/**
 * Asks the member for the permission, if it was never asked for, and the browser for a subscription. Call it at a click.
 * @param publicKeyOf gives the key by which push services know this installation: base64url
 * @throws PushRefused; Error the browser's push service cannot be reached
 */
export async function subscribe(publicKeyOf: () => Promise<string>): Promise<Schemas['PushSubscriptionDto']> {
  // Some browsers show the question only right after the click.
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused('no permission');
  const registration = (await startWorker()) ?? (await navigator.serviceWorker.ready);
  const key = bytesOf(await publicKeyOf());
  const before = await registration.pushManager.getSubscription();
  const isOurs = before && isSame(key, before.options.applicationServerKey);
  // Another installation's, at the same address before.
  if (before && !isOurs) await before.unsubscribe();
  const subscription = isOurs
    ? before
    : await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
}

/** This browser's push service forgets it. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function isSame(key: Uint8Array, other: ArrayBuffer | null): boolean {
  if (other === null) return false;
  const bytes = new Uint8Array(other);
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index]);
}
