import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AFFINITY_TRAITS, affinityScores, CURRENT_TRAITS, IDEAL_TRAITS } from '@app/domain';
import type { Pool } from 'pg';
import { IdentityChanges } from '../../identity/identity-changes.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { ChatSettingsStore } from '../../profiles/chat-settings.js';
import { DescribeOneself } from '../../profiles/commands/describe-oneself.js';
import { UpdateProfile } from '../../profiles/commands/update-profile.js';
import { SaveResonance } from '../../resonance/commands/save-resonance.js';
import { ChooseCard } from '../commands/choose-card.js';
import { PublishContent } from '../commands/publish-content.js';
import { DemoFiles } from './demo-files.js';
import type { DemoPerson } from './demo-people.js';
import { SeededRandom } from './seeded-random.js';

const AVATAR_SIZE = { width: 400, height: 400 };
const CARD_SIZE = { width: 480, height: 640 };
const TRAITS = 7;

const fileOf = (what: 'picture' | 'card', { email }: DemoPerson): string => `${what}-${email.split('@', 1)[0]}`;

/** Who the demo members are: words, picture, card, Resonance. */
@Injectable()
export class DemoIntroductions {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly settings: ChatSettingsStore,
    private readonly changes: IdentityChanges,
    private readonly files: DemoFiles,
  ) {}

  async describe(memberId: string, person: DemoPerson): Promise<void> {
    const { mood, status, occupation, ambitions, relationshipStatus, bio, location, website, chatPrice } = person;
    await this.commands.execute(
      new DescribeOneself(memberId, { mood, status, occupation, ambitions, relationshipStatus }),
    );
    await this.commands.execute(
      new UpdateProfile(memberId, { bio, location, ...(website !== undefined && { website }) }),
    );
    if (chatPrice !== undefined) await this.settings.change(memberId, { minimumChatPriceCents: chatPrice * 100 });
    await this.commands.execute(new SaveResonance(memberId, resonanceOf(person)));
  }

  async showPicture(memberId: string, person: DemoPerson): Promise<void> {
    const url = await this.files.once({
      step: `picture:${person.email}`,
      memberId,
      purpose: 'profile-image',
      name: fileOf('picture', person),
      kind: 'picture',
      ...AVATAR_SIZE,
    });
    await this.pool.query(
      `update accounts set profile_image_url = $2, profile_card_thumbnail_url = $2 where id = $1 and profile_image_url is null`,
      [memberId, url],
    );
    await this.changes.publish({ kind: 'account', accountId: memberId });
  }

  async showCard(memberId: string, person: DemoPerson): Promise<void> {
    const { kind, caption, hashtags } = person.card;
    const mediaUrl = await this.files.once({
      step: `card:${person.email}`,
      memberId,
      purpose: 'content',
      name: fileOf('card', person),
      kind,
      ...CARD_SIZE,
    });
    const draft = { mediaUrl, caption, hashtags: [...hashtags] };
    const { id } = await this.commands.execute(new PublishContent(memberId, 'discovery', draft, undefined));
    await this.commands.execute(new ChooseCard(memberId, id, undefined));
  }
}

/** Everybody a little different, nobody at the ends of the scales. */
function resonanceOf({ email, horizon }: DemoPerson) {
  const random = new SeededRandom(`${email} resonance`);
  const scores = new Map(AFFINITY_TRAITS.map((trait) => [trait, random.whole(300, 960) / 10]));
  return {
    horizon,
    ...affinityScores((trait) => scores.get(trait) ?? 50),
    currentTraits: random.some(CURRENT_TRAITS, TRAITS),
    idealTraits: random.some(IDEAL_TRAITS, TRAITS),
  };
}
