import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import type { SignedInMember } from '../../platform/auth/member.js';
import { Consents } from '../consents.js';
import type { DeviceDecisionDto } from '../device.dto.js';
import { type DeviceGrant, DeviceCodes, type WaitingDevice } from '../device-codes.js';
import { authTime } from '../provider/member-session.js';
import { OAuthProvider } from '../provider/oauth-provider.js';
import { MEMBER_DENIED } from '../provider/provider-configuration.js';

export class DecideDevice extends Command<MessageResponse> {
  constructor(
    readonly member: SignedInMember,
    readonly address: string,
    readonly decision: DeviceDecisionDto,
  ) {
    super();
  }
}

/** The member's decision on a device that wants to sign in (rule oauth-22). */
@CommandHandler(DecideDevice)
export class DecideDeviceHandler implements ICommandHandler<DecideDevice> {
  constructor(
    private readonly codes: DeviceCodes,
    private readonly consents: Consents,
    private readonly provider: OAuthProvider,
  ) {}

  /** @throws AppError 401 the session ended in the meantime, 404 `DEVICE_CODE_NOT_FOUND`, 429 too many guesses */
  async execute({ member, address, decision }: DecideDevice): Promise<MessageResponse> {
    const { user_code: userCode, client_id: clientId, approved, scopes } = decision;
    const device = await this.codes.find(userCode, { memberId: member.id, address }, clientId);
    if (!approved) {
      await this.codes.refuse(device, MEMBER_DENIED);
      return { message: 'The device was refused.' };
    }
    await this.codes.approve(device, () => this.grant(member, device, scopes));
    return { message: 'The device signs in by itself now.' };
  }

  private async grant(
    member: SignedInMember,
    { clientId, scopes: asked }: WaitingDevice,
    chosen: DeviceDecisionDto['scopes'],
  ): Promise<DeviceGrant> {
    const granted = asked.filter((scope) => scope === 'openid' || chosen.includes(scope));
    const refused = asked.filter((scope) => !granted.includes(scope));
    await this.consents.give({ member, clientId, granted, refused, dailyLimit: undefined });
    const grantId = await this.provider.grant({ memberId: member.id, clientId, granted, refused });
    return { accountId: member.id, authTime: authTime(member), grantId, scope: granted.join(' ') };
  }
}
