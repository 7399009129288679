import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import type { OwnAddress } from '../own-address.js';
import { WebhookDelivery } from './webhook-delivery.js';

const WEBHOOK_PATH = '/api/webhooks/stripe';

/** The stand-in as a part that starts and stops. Without keys it never runs. */
export class PaymentSandbox {
  private delivery: WebhookDelivery | undefined;

  constructor(
    private readonly keys: { readonly apiKey: string; readonly webhookSecret: string } | undefined,
    private readonly pool: Pool,
    private readonly address: OwnAddress,
  ) {}

  get running(): boolean {
    return this.keys !== undefined;
  }

  get apiKey(): string {
    return this.keys?.apiKey ?? '';
  }

  start(): void {
    if (!this.keys) return;
    this.delivery = new WebhookDelivery(
      this.pool,
      () => {
        const at = this.address.current;
        return at && `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}${WEBHOOK_PATH}`;
      },
      this.keys.webhookSecret,
      new Logger('PaymentSandbox'),
    );
    this.delivery.start();
  }

  async stop(): Promise<void> {
    await this.delivery?.stop();
  }

  /** Something was put into the outbox. */
  nudge(): void {
    this.delivery?.nudge();
  }
}
