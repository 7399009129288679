import { createHmac } from 'node:crypto';

/** How a secret is shown to developers: `whsec_` and its bytes in base64 (Standard Webhooks). */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970: of the attempt. */
  readonly timestamp: number;
  readonly body: string;
  /** Every secret that is valid now, the newest first. */
  readonly secrets: readonly Buffer[];
}

/** The headers of a delivery, by the Standard Webhooks specification (rule webhooks-3). */
export function signedHeaders({ id, timestamp, body, secrets }: SignedMessage): Record<string, string> {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
