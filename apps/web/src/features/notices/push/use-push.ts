import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { api, type Answer, type Schemas } from '@/shared/api';
import { storeValue, useStoredValue } from '@/shared/hooks/use-stored-value';
import { errorToast, failureToast, toast } from '@/shared/ui';
import { pushAbility, PushRefused, startWorker, subscribe, unsubscribe } from './push-browser';

const pushKey = ['/api/push'] as const;

export type PushSettings = Answer<'/api/push'>;
export type PushChoices = Schemas['PushChoicesDto'];

/** The member who turned notifications on in this browser. After signing in again they are on at once. */
const STORED = 'nova.pushMember';

export const usePushSettings = () => useQuery<PushSettings>({ queryKey: pushKey });

/** This browser's subscription, handed to the server. */
async function turnOnHere(client: QueryClient): Promise<PushSettings> {
  const publicKeyOf = async () => (await client.ensureQueryData<PushSettings>({ queryKey: pushKey })).publicKey;
  return api.post('/api/push/subscription', { body: await subscribe(publicKeyOf) });
}

/** Turns notifications on in this browser: the first time, the browser asks the member. */
export function useTurnOnPush(memberId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => turnOnHere(client),
    onSuccess(settings) {
      client.setQueryData(pushKey, settings);
      storeValue(STORED, memberId);
      toast({ title: 'Notifications are on', description: 'You can choose what they tell you in your settings.' });
    },
    onError(error) {
      if (error instanceof PushRefused) {
        failureToast('Notifications stay off', 'You can allow them for this site in your browser’s settings.');
      } else errorToast('Notifications could not be turned on', error, 'Your browser’s push service did not answer.');
    },
  });
}

/** Turns them off in this browser. */
export function useTurnOffPush() {
  const client = useQueryClient();
  return useMutation({
    async mutationFn() {
      const settings = await api.delete('/api/push/subscription');
      await unsubscribe();
      return settings;
    },
    onSuccess(settings) {
      client.setQueryData(pushKey, settings);
      storeValue(STORED, '');
    },
    onError: (error) => errorToast('Notifications could not be turned off', error),
  });
}

/** Changes what the member is notified of; it shows at once, and reverts if the server refuses. */
export function useChoosePush() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PushChoices) => api.put('/api/push', { body, keepalive: true }),
    async onMutate(choices) {
      await client.cancelQueries({ queryKey: pushKey });
      const before = client.getQueryData<PushSettings>(pushKey);
      client.setQueryData<PushSettings>(pushKey, (shown) => shown && { ...shown, ...choices });
      return before;
    },
    onError(error, _, before) {
      if (before) client.setQueryData(pushKey, before);
      errorToast('Settings Update Failed', error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: pushKey }),
  });
}

/**
 * An action for a toast at a moment when notifications are useful (rule notices-8); undefined where the browser has them
 * already, or cannot.
 */
export function usePushOffer(memberId: string): { label: string; onClick: () => void } | undefined {
  const { mutate } = useTurnOnPush(memberId);
  const [stored] = useStoredValue(STORED);
  if (stored === memberId || pushAbility() !== 'able') return undefined;
  return { label: 'Notify Me', onClick: () => mutate() };
}

/** Keeps this browser's subscription, and opens what a notification is about. */
export function PushHere({ memberId }: { memberId: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [stored] = useStoredValue(STORED);
  const isOn = stored === memberId && pushAbility() === 'able' && Notification.permission === 'granted';
  useEffect(() => {
    // A subscription may have been renewed, or have ended with the session before this one.
    const kept = isOn ? turnOnHere(client) : startWorker();
    void Promise.resolve(kept).catch(() => undefined);
  }, [client, isOn]);
  const open = useEffectEvent(({ data }: MessageEvent<unknown>) => {
    const path = pathOf(data);
    if (path !== undefined) void navigate(path);
  });
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const { serviceWorker } = navigator;
    const heard = (event: MessageEvent<unknown>) => open(event);
    serviceWorker.addEventListener('message', heard);
    return () => serviceWorker.removeEventListener('message', heard);
  }, []);
  return null;
}

/** A path of ours that the service worker wants open. */
function pathOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'open') return undefined;
  return 'path' in data && typeof data.path === 'string' && /^\/(?!\/)/.test(data.path) ? data.path : undefined;
}
