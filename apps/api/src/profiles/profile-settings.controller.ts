import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { Presence } from '../realtime/presence.js';
import { type ChatSettings, ChatSettingsStore } from './chat-settings.js';
import { ProfileSettingsChangesDto, ProfileSettingsDto } from './profile-settings.dto.js';

/** Chat settings (S1 §2.8, §7 Profile). */
@ApiTags('Profile')
@NeedsSession()
@Controller('api/profile')
export class ProfileSettingsController {
  constructor(
    private readonly settings: ChatSettingsStore,
    private readonly presence: Presence,
  ) {}

  @ApiOperation({ summary: 'Whether and for how much one can be asked for a chat' })
  @ApiOkResponse({ type: ProfileSettingsDto })
  @Get('settings')
  async read(@CurrentUser() { id }: SignedInMember): Promise<ProfileSettingsDto> {
    return toDto(await this.settings.of(id));
  }

  @ApiOperation({ summary: 'Change some of it' })
  @ApiOkResponse({ type: ProfileSettingsDto })
  @Patch('settings')
  async change(
    @CurrentUser() { id }: SignedInMember,
    @Body() { isOnline, allowDirectChats, minimumChatPrice }: ProfileSettingsChangesDto,
  ): Promise<ProfileSettingsDto> {
    const changed = await this.settings.change(id, {
      ...(isOnline === undefined ? {} : { isOnline }),
      ...(allowDirectChats === undefined ? {} : { allowDirectChats }),
      ...(minimumChatPrice === undefined ? {} : { minimumChatPriceCents: Math.round(minimumChatPrice * 100) }),
    });
    if (isOnline !== undefined) this.presence.settingChanged(id);
    return toDto(changed);
  }
}

const toDto = ({ isOnline, allowDirectChats, minimumChatPriceCents }: ChatSettings): ProfileSettingsDto => ({
  isOnline,
  allowDirectChats,
  minimumChatPrice: minimumChatPriceCents / 100,
});
