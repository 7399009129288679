import type { Config } from '../platform/config.js';
import type { OwnAddress } from './own-address.js';
import { PaymentGateway } from './payment-gateway.js';
import type { PaymentMode } from './payments.js';
import { createSandboxHttpClient } from './sandbox/sandbox-http-client.js';

/** Stripe, or the stand-in, as the configuration says; undefined where no payments are taken. */
export function connectToProvider(
  config: Config,
  address: Pick<OwnAddress, 'current'>,
): { readonly gateway: PaymentGateway; readonly mode: PaymentMode } | undefined {
  if (config.stripe) {
    const { secretKey, webhookSecret, publishableKey, livemode } = config.stripe;
    return {
      gateway: PaymentGateway.connect(secretKey, webhookSecret),
      mode: { kind: 'stripe', publishableKey, livemode },
    };
  }
  if (!config.sandboxPayments) return undefined;
  const { sandboxApiKey, sandboxWebhookSecret } = config.secrets;
  return {
    gateway: PaymentGateway.connect(sandboxApiKey, sandboxWebhookSecret, createSandboxHttpClient(address)),
    mode: { kind: 'sandbox' },
  };
}
