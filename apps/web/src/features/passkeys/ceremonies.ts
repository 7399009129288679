import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { api, ApiError, apiFetch, errorSentence, type Schemas } from '@/shared/api';

export type PasskeyAnswer = Schemas['PasskeyAnswerDto'];

/** Loaded late, because few visits need it. */
const loadWebAuthn = () => import('@simplewebauthn/browser');

const IP_ADDRESS = /^(?:\d+(?:\.\d+){3}|\[.*\])$/;

/** Browsers allow passkeys only at domain names and over secure connections. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !IP_ADDRESS.test(window.location.hostname);

/** Makes the member's device create a passkey, once their password is confirmed. */
export async function makePasskey(password: string): Promise<Schemas['NewPasskeyAnswerDto']> {
  const optionsJSON = await apiFetch<PublicKeyCredentialCreationOptionsJSON>('/api/auth/passkeys/options', {
    method: 'POST',
    body: { password },
  });
  const { startRegistration } = await loadWebAuthn();
  const answer = await startRegistration({ optionsJSON });
  return { ...answer, clientExtensionResults: { ...answer.clientExtensionResults } };
}

/** Proves to the server that the member is still present. */
export async function proveByPasskey(): Promise<void> {
  const answer = await answerOf('/api/auth/fresh-proof/options');
  await api.post('/api/auth/fresh-proof', { body: { answer } });
}

/** Asks the browser at once for any passkey of the visitor. */
export const askForPasskey = (): Promise<PasskeyAnswer> => answerOf('/api/auth/passkeys/sign-in/options');

/** The same through the browser's autofill; undefined if it offers no passkeys there. */
export async function offerPasskeys(): Promise<PasskeyAnswer | undefined> {
  const { browserSupportsWebAuthnAutofill } = await loadWebAuthn();
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  return answerOf('/api/auth/passkeys/sign-in/options', true);
}

/** Ends the browser's open question, if there is one. */
export const stopAsking = async (): Promise<void> => (await loadWebAuthn()).WebAuthnAbortService.cancelCeremony();

async function answerOf(path: string, useBrowserAutofill = false): Promise<PasskeyAnswer> {
  const [optionsJSON, { startAuthentication }] = await Promise.all([
    apiFetch<PublicKeyCredentialRequestOptionsJSON>(path, { method: 'POST' }),
    loadWebAuthn(),
  ]);
  const answer = await startAuthentication({ optionsJSON, useBrowserAutofill });
  return { ...answer, clientExtensionResults: { ...answer.clientExtensionResults } };
}

/** Why a passkey failed: in the server's words, or else because the browser or the member declined. */
export function passkeyFailure(error: unknown): string {
  if (error instanceof ApiError) return errorSentence(error, 'The passkey could not be checked. Please try again.');
  if (error instanceof Error && error.name === 'InvalidStateError') return 'This device already has a passkey for you.';
  return 'Your browser used no passkey. Please try again.';
}
