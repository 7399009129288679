import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { storedText } from '../profile-fields.js';
import { ProfileStore } from '../profile-store.js';
import type { SelfDescriptionChangesDto, SelfDescriptionResponse } from '../self-description.dto.js';

export class DescribeOneself extends Command<SelfDescriptionResponse> {
  constructor(
    readonly memberId: string,
    readonly changes: SelfDescriptionChangesDto,
  ) {
    super();
  }
}

/** Changes the texts of one's own card: mood, status, occupation, ambitions, relationship status (rule profiles-3). */
@CommandHandler(DescribeOneself)
export class DescribeOneselfHandler implements ICommandHandler<DescribeOneself> {
  constructor(private readonly profiles: ProfileStore) {}

  async execute({ memberId, changes }: DescribeOneself): Promise<SelfDescriptionResponse> {
    const { mood, status, occupation, ambitions, relationshipStatus } = await this.profiles.change(memberId, {
      mood: storedText(changes.mood),
      status: storedText(changes.status),
      occupation: storedText(changes.occupation),
      ambitions: storedText(changes.ambitions),
      relationshipStatus: storedText(changes.relationshipStatus),
    });
    return {
      message: 'Your profile was saved.',
      profile: { mood, status, occupation, ambitions, relationshipStatus },
    };
  }
}
