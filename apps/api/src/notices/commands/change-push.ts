import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SignedInMember } from '../../platform/auth/member.js';
import { type PushChoices, PushSettings } from '../push/push-settings.js';
import { type BrowserSubscription, PushSubscriptions } from '../push/push-subscriptions.js';

/** This browser gets the member's notifications from now on. */
export class SubscribeToPush extends Command<void> {
  constructor(
    readonly member: SignedInMember,
    readonly subscription: BrowserSubscription,
  ) {
    super();
  }
}

@CommandHandler(SubscribeToPush)
export class SubscribeToPushHandler implements ICommandHandler<SubscribeToPush> {
  constructor(private readonly subscriptions: PushSubscriptions) {}

  /** @throws AppError 400 `INVALID_PUSH_SUBSCRIPTION`, 409 `PUSH_LIMIT` */
  execute({ member, subscription }: SubscribeToPush): Promise<void> {
    return this.subscriptions.add(member, subscription);
  }
}

/** This device gets no notifications any more. */
export class UnsubscribeFromPush extends Command<void> {
  constructor(readonly deviceId: string) {
    super();
  }
}

@CommandHandler(UnsubscribeFromPush)
export class UnsubscribeFromPushHandler implements ICommandHandler<UnsubscribeFromPush> {
  constructor(private readonly subscriptions: PushSubscriptions) {}

  execute({ deviceId }: UnsubscribeFromPush): Promise<void> {
    return this.subscriptions.removeOfDevice(deviceId);
  }
}

/** What the member wants to be notified of. */
export class ChoosePush extends Command<void> {
  constructor(
    readonly memberId: string,
    readonly choices: PushChoices,
  ) {
    super();
  }
}

@CommandHandler(ChoosePush)
export class ChoosePushHandler implements ICommandHandler<ChoosePush> {
  constructor(private readonly settings: PushSettings) {}

  execute({ memberId, choices }: ChoosePush): Promise<void> {
    return this.settings.save(memberId, choices);
  }
}
