import { Module } from '@nestjs/common';
import { OAuthModule } from '../oauth/oauth.module.js';
import {
  AddWebhookHandler,
  ChangeWebhookHandler,
  DeleteWebhookHandler,
  RotateWebhookSecretHandler,
} from './commands/change-webhooks.js';
import { RedeliverWebhookHandler, ReplayWebhookHandler, TestWebhookHandler } from './commands/send-again.js';
import { ConsentWebhooks } from './consent-webhooks.js';
import { WebhookEndpoints } from './webhook-endpoints.js';
import { WebhookProcess } from './webhook-process.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksHousekeeping } from './webhooks-housekeeping.js';

/** What applications are told of members who consented, at addresses of their developers. */
@Module({
  imports: [OAuthModule],
  controllers: [WebhooksController],
  providers: [
    AddWebhookHandler,
    ChangeWebhookHandler,
    ConsentWebhooks,
    DeleteWebhookHandler,
    RedeliverWebhookHandler,
    ReplayWebhookHandler,
    RotateWebhookSecretHandler,
    TestWebhookHandler,
    WebhookEndpoints,
    WebhookProcess,
    WebhookSecrets,
    WebhookSender,
    WebhooksHousekeeping,
  ],
})
export class WebhooksModule {}
