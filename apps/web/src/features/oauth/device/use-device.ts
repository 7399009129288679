import { useMutation } from '@tanstack/react-query';
import { api, type Answer, type Schemas } from '@/shared/api';

/** The application on a device that waits for the member's answer. */
export type DeviceRequest = Answer<'/api/oauth/device', 'POST'>;

/** Looks for the device that shows a code. */
export const useDeviceRequest = () =>
  useMutation({ mutationFn: (userCode: string) => api.post('/api/oauth/device', { body: { user_code: userCode } }) });

/** Lets the device sign in, or refuses it. */
export const useDeviceDecision = ({ user_code, client_id }: DeviceRequest) =>
  useMutation({
    mutationFn: (decision: Pick<Schemas['DeviceDecisionDto'], 'approved' | 'scopes'>) =>
      api.post('/api/oauth/device/decision', { body: { user_code, client_id, ...decision } }),
  });
