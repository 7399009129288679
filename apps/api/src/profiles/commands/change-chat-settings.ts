import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Presence } from '../../realtime/presence.js';
import { type ChatSettings, ChatSettingsStore } from '../chat-settings.js';
import type { ProfileSettingsChangesDto } from '../profile-settings.dto.js';

export class ChangeChatSettings extends Command<ChatSettings> {
  constructor(
    readonly memberId: string,
    readonly changes: ProfileSettingsChangesDto,
  ) {
    super();
  }
}

/** Changes whether and for how much a member can be asked for a chat. Absent settings stay unchanged. */
@CommandHandler(ChangeChatSettings)
export class ChangeChatSettingsHandler implements ICommandHandler<ChangeChatSettings> {
  constructor(
    private readonly settings: ChatSettingsStore,
    private readonly presence: Presence,
  ) {}

  async execute({ memberId, changes }: ChangeChatSettings): Promise<ChatSettings> {
    const { isOnline, allowDirectChats, minimumChatPrice } = changes;
    const changed = await this.settings.change(memberId, {
      ...(isOnline === undefined ? {} : { isOnline }),
      ...(allowDirectChats === undefined ? {} : { allowDirectChats }),
      ...(minimumChatPrice === undefined ? {} : { minimumChatPriceCents: Math.round(minimumChatPrice * 100) }),
    });
    if (isOnline !== undefined) this.presence.settingChanged(memberId);
    return changed;
  }
}
