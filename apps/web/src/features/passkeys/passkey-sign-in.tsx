import { TERMS_VERSION } from '@app/domain';
import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSignOnBy } from '@/features/identity/use-sign-on';
import { api, ApiError } from '@/shared/api';
import { Button } from '@/shared/ui';
import { askForPasskey, offerPasskeys, passkeyFailure, stopAsking, type PasskeyAnswer } from './ceremonies';

/** The server accepts an answer for five minutes; the browser is asked again before they end. */
const OFFER_MS = 4 * 60 * 1000;

export interface PasskeySignInProps {
  /** The member has accepted the terms, without which no passkey can sign in. */
  hasConsented: boolean;
  askForConsent: () => void;
  onDeviceLimit: () => void;
}

/** Signs in by a passkey: by the button, or by the browser's offer in the e-mail field once the terms are accepted. */
export function PasskeySignIn({ hasConsented, askForConsent, onDeviceLimit }: PasskeySignInProps) {
  const [round, setRound] = useState(0);
  const signIn = useSignOnBy<PasskeyAnswer | undefined>(
    async (offered) => {
      const answer = offered ?? (await asked());
      await api.post('/api/auth/passkeys/sign-in', { body: { answer, tcConsent: true, tcVersion: TERMS_VERSION } });
    },
    { onDeviceLimit },
  );
  const take = (answer?: PasskeyAnswer) =>
    signIn.mutate(answer, {
      // A browser offers its passkeys only once, so a failed try starts a new offer.
      onError: () => setRound((last) => last + 1),
    });
  usePasskeyOffer({ enabled: hasConsented && !signIn.isPending, round, onAnswer: take });

  return (
    <Button
      size="lg"
      icon={<KeyRound aria-hidden="true" className="size-4" />}
      pending={signIn.isPending}
      pendingText="Please wait..."
      onClick={() => (hasConsented ? take() : askForConsent())}
    >
      Sign in with a passkey
    </Button>
  );
}

/** The answer to the browser's own question; if there is none, throws a sentence that says so. */
async function asked(): Promise<PasskeyAnswer> {
  try {
    return await askForPasskey();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(400, JSON.stringify({ code: 'NO_PASSKEY', message: passkeyFailure(error) }), '');
  }
}

interface PasskeyOffer {
  enabled: boolean;
  /** A new number starts a new offer. */
  round: number;
  onAnswer: (answer: PasskeyAnswer) => void;
}

/** The browser offers passkeys in the e-mail field while this is enabled. */
function usePasskeyOffer({ enabled, round, onAnswer }: PasskeyOffer): void {
  const answered = useEffectEvent(onAnswer);
  useEffect(() => {
    if (!enabled) return undefined;
    let isOver = false;
    const offer = async () => {
      try {
        const answer = await offerPasskeys();
        if (!isOver && answer !== undefined) answered(answer);
      } catch {
        // No passkey on this device, or the button's question replaced this one: the form stays unchanged.
      }
    };
    void offer();
    const renewal = setInterval(() => void offer(), OFFER_MS);
    return () => {
      isOver = true;
      clearInterval(renewal);
      void stopAsking();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another round begins another offer
  }, [enabled, round]);
}
