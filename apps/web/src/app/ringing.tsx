import { IncomingCalls } from '@/features/video/incoming-calls';
import { RealtimeProvider } from '@/shared/realtime';

/** Loaded for members on pages that have no live connection otherwise. */
export const Ringing = () => (
  <RealtimeProvider>
    <IncomingCalls>{null}</IncomingCalls>
  </RealtimeProvider>
);
