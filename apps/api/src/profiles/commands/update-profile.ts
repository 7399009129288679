import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { renameAccount } from '../../identity/account-changes.js';
import { IdentityChanges } from '../../identity/identity-changes.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { inTransaction } from '../../platform/database/in-transaction.js';
import { storedText } from '../profile-fields.js';
import { ProfileStore } from '../profile-store.js';
import type { ProfileChangesDto, ProfileDto } from '../profile.dto.js';
import { GetProfile } from '../queries/get-profile.js';

export class UpdateProfile extends Command<ProfileDto> {
  constructor(
    readonly memberId: string,
    readonly changes: ProfileChangesDto,
  ) {
    super();
  }
}

/** Changes the editable fields of a profile. Saves all of them, or none (rule profiles-2). */
@CommandHandler(UpdateProfile)
export class UpdateProfileHandler implements ICommandHandler<UpdateProfile> {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly profiles: ProfileStore,
    private readonly identityChanges: IdentityChanges,
    private readonly queries: QueryBus,
  ) {}

  /** @throws AppError 400 `INVALID_DISPLAY_NAME` or `RESERVED_NAME`, 401 the account was closed meanwhile */
  async execute({ memberId, changes }: UpdateProfile): Promise<ProfileDto> {
    await this.save(memberId, changes);
    if (changes.displayName !== undefined) await this.identityChanges.publish({ kind: 'account', accountId: memberId });
    return this.queries.execute(new GetProfile(memberId));
  }

  private async save(memberId: string, { displayName, bio, location, website }: ProfileChangesDto): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const texts = { bio: storedText(bio), location: storedText(location), website: storedText(website) };
      // The profile before the account, in the order of `Contents.showOnCard`: otherwise each could wait for the other
      // for ever.
      await this.profiles.change(memberId, texts, client);
      if (displayName !== undefined) await renameAccount(client, memberId, displayName);
    });
  }
}
