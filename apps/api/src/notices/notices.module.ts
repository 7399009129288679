import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { PresenceModule } from '../realtime/presence.module.js';
import { NotifyOfCall, TellOfCall } from './call-notices.js';
import { ChoosePushHandler, SubscribeToPushHandler, UnsubscribeFromPushHandler } from './commands/change-push.js';
import { MarkNoticesReadHandler } from './commands/mark-notices-read.js';
import { NoticeAnnouncer } from './notice-announcer.js';
import { NoticeProcess } from './notice-process.js';
import { Notices } from './notices.js';
import { NoticesController } from './notices.controller.js';
import { NoticesHousekeeping } from './notices-housekeeping.js';
import { PushDelivery } from './push/push-delivery.js';
import { PushSettings } from './push/push-settings.js';
import { PushSubscriptions } from './push/push-subscriptions.js';
import { PushController } from './push/push.controller.js';
import { VapidKeys } from './push/vapid-keys.js';
import { QuestNotices } from './quest-notices.js';
import { RequestMails } from './request-mails.js';
import { SecurityTold } from './security-told.js';

/** What members are told of, in the page and by notifications of their browsers. */
@Module({
  imports: [ChatsModule, IdentityModule, PresenceModule],
  controllers: [NoticesController, PushController],
  providers: [
    ChoosePushHandler,
    MarkNoticesReadHandler,
    NoticeAnnouncer,
    NoticeProcess,
    Notices,
    NoticesHousekeeping,
    NotifyOfCall,
    PushDelivery,
    PushSettings,
    PushSubscriptions,
    QuestNotices,
    RequestMails,
    SecurityTold,
    SubscribeToPushHandler,
    TellOfCall,
    UnsubscribeFromPushHandler,
    VapidKeys,
  ],
})
export class NoticesModule {}
