import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { ChoosePush, SubscribeToPush, UnsubscribeFromPush } from '../commands/change-push.js';
import { PushSettings } from './push-settings.js';
import { PushSubscriptions } from './push-subscriptions.js';
import { PushChoicesDto, PushSettingsResponse, PushSubscriptionDto } from './push.dto.js';
import { VapidKeys } from './vapid-keys.js';

/** Notifications of a member's browsers (rules notices-6 to notices-8). */
@ApiTags('Notices')
@NeedsSession()
@Controller('api/push')
export class PushController {
  constructor(
    private readonly commands: CommandBus,
    private readonly settings: PushSettings,
    private readonly subscriptions: PushSubscriptions,
    private readonly keys: VapidKeys,
  ) {}

  /** What the member is notified of, and where. */
  @Get()
  async get(@CurrentUser() member: SignedInMember): Promise<PushSettingsResponse> {
    const [choices, where] = await Promise.all([this.settings.of(member.id), this.subscriptions.count(member)]);
    return { ...choices, kinds: [...choices.kinds], ...where, publicKey: this.keys.publicKey };
  }

  /** Chooses what the member is notified of. */
  @Put()
  async choose(
    @CurrentUser() member: SignedInMember,
    @Body() { kinds, showsText, mails, quietHours }: PushChoicesDto,
  ): Promise<PushSettingsResponse> {
    await this.commands.execute(new ChoosePush(member.id, { kinds, showsText, mails, quietHours: quietHours ?? null }));
    return this.get(member);
  }

  /** This browser gets the member's notifications; asked again, it is renewed. */
  @Post('subscription')
  async subscribe(
    @CurrentUser() member: SignedInMember,
    @Body() subscription: PushSubscriptionDto,
  ): Promise<PushSettingsResponse> {
    await this.commands.execute(new SubscribeToPush(member, subscription));
    return this.get(member);
  }

  /** This device gets no notifications any more. */
  @Delete('subscription')
  async unsubscribe(@CurrentUser() member: SignedInMember): Promise<PushSettingsResponse> {
    await this.commands.execute(new UnsubscribeFromPush(member.deviceId));
    return this.get(member);
  }
}
