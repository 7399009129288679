import { Body, Controller, Get, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { type ChatSettings, ChatSettingsStore } from './chat-settings.js';
import { ChangeChatSettings } from './commands/change-chat-settings.js';
import { ProfileSettingsChangesDto, ProfileSettingsDto } from './profile-settings.dto.js';

/** Chat settings (rule profiles-4). */
@ApiTags('Profile')
@NeedsSession()
@Controller('api/profile')
export class ProfileSettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly settings: ChatSettingsStore,
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
    @Body() changes: ProfileSettingsChangesDto,
  ): Promise<ProfileSettingsDto> {
    return toDto(await this.commands.execute(new ChangeChatSettings(id, changes)));
  }
}

const toDto = ({ isOnline, allowDirectChats, minimumChatPriceCents }: ChatSettings): ProfileSettingsDto => ({
  isOnline,
  allowDirectChats,
  minimumChatPrice: minimumChatPriceCents / 100,
});
