import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { api, ensureGone, type Answer, type Schemas, useCursorPages } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

export type Webhook = Schemas['WebhookDto'];
export type WebhookEvent = Webhook['events'][number];
export type WebhookDelivery = Schemas['DeliveryDto'];

export const useWebhooks = (clientId: string) =>
  useQuery<Answer<'/api/oauth/application/{clientId}/webhooks'>>({
    queryKey: oauthKeys.webhooks(clientId),
    refetchOnMount: 'always',
  });

/** A test is sent, and answered, within moments. */
const LOOK_EVERY_MS = 3_000;

/** What was sent to a webhook, newest first. */
export function useDeliveries(clientId: string, id: string) {
  const deliveries = useCursorPages([...oauthKeys.webhooks(clientId), id, 'deliveries'], (page) =>
    api.get('/api/oauth/application/{clientId}/webhooks/{id}/deliveries', { path: { clientId, id }, ...page }),
  );
  const { refetch } = deliveries;
  // Later pages are not read again and again.
  const isShort = deliveries.data?.pages.length === 1;
  useEffect(() => {
    if (!isShort) return undefined;
    const looking = setInterval(() => void refetch(), LOOK_EVERY_MS);
    return () => clearInterval(looking);
  }, [isShort, refetch]);
  return deliveries;
}

function useRefresh(clientId: string): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: oauthKeys.webhooks(clientId) });
}

export function useAddWebhook(clientId: string) {
  const refresh = useRefresh(clientId);
  return useMutation({
    mutationFn: (body: Schemas['NewWebhookDto']) =>
      api.post('/api/oauth/application/{clientId}/webhooks', { path: { clientId }, body }),
    // A secret must not stay in the mutation cache once its dialog is closed.
    gcTime: 0,
    onSuccess: refresh,
  });
}

export function useChangeWebhook(clientId: string, id: string) {
  const refresh = useRefresh(clientId);
  return useMutation({
    mutationFn: (body: Schemas['WebhookChangesDto']) =>
      api.patch('/api/oauth/application/{clientId}/webhooks/{id}', { path: { clientId, id }, body }),
    onSuccess: refresh,
    onError: (error) => errorToast('Update Failed', error, 'The webhook was not changed.'),
  });
}

export function useDeleteWebhook(clientId: string, id: string) {
  const refresh = useRefresh(clientId);
  return useMutation({
    mutationFn: () =>
      ensureGone(api.delete('/api/oauth/application/{clientId}/webhooks/{id}', { path: { clientId, id } })),
    onSuccess() {
      toast({ title: 'Webhook Deleted', description: 'Nothing more is sent there.' });
      refresh();
    },
    onError: (error) => errorToast('Deletion Failed', error, 'The webhook was not deleted.'),
  });
}

export function useRotateSecret(clientId: string, id: string) {
  const refresh = useRefresh(clientId);
  return useMutation({
    mutationFn: () =>
      api.post('/api/oauth/application/{clientId}/webhooks/{id}/rotate-secret', { path: { clientId, id } }),
    gcTime: 0,
    onSuccess: refresh,
    onError: (error) => errorToast('Rotation Failed', error, 'The secret was not changed.'),
  });
}

export function useTestWebhook(clientId: string, id: string) {
  const refresh = useRefresh(clientId);
  return useMutation({
    mutationFn: () => api.post('/api/oauth/application/{clientId}/webhooks/{id}/test', { path: { clientId, id } }),
    onSuccess: refresh,
    onError: (error) => errorToast('Test Failed', error, 'The test was not sent.'),
  });
}

export function useRedeliver(clientId: string, id: string) {
  const refresh = useRefresh(clientId);
  return useMutation({
    mutationFn: (deliveryId: string) =>
      api.post('/api/oauth/application/{clientId}/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
        path: { clientId, id, deliveryId },
      }),
    onSuccess: refresh,
    onError: (error) => errorToast('Redelivery Failed', error, 'The delivery was not sent again.'),
  });
}

export function useReplay(clientId: string, id: string) {
  const refresh = useRefresh(clientId);
  return useMutation({
    mutationFn: (from: string) =>
      api.post('/api/oauth/application/{clientId}/webhooks/{id}/replay', { path: { clientId, id }, body: { from } }),
    onSuccess({ count }) {
      toast({ title: 'Replay Started', description: `${count} deliveries are sent again.` });
      refresh();
    },
    onError: (error) => errorToast('Replay Failed', error, 'Nothing was sent again.'),
  });
}
