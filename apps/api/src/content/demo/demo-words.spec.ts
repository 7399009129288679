import { validateSync } from 'class-validator';
import { plainToInstance } from 'class-transformer';
import { CARD_UPVOTE_PRICE, DISPLAY_NAME_MAX, wallCommentPrice } from '@app/domain';
import { NewWallCommentDto } from '../../discovery/wall.dto.js';
import { DEMO_MEMBERS, DEMO_SIGN_INS } from '../../identity/demo/demo-members.js';
import { codePoints } from '../../platform/text.js';
import { ProfileChangesDto } from '../../profiles/profile.dto.js';
import { SelfDescriptionChangesDto } from '../../profiles/self-description.dto.js';
import { NewContentDto } from '../content.dto.js';
import { DEMO_UPVOTES, DEMO_WALL_COMMENTS } from './demo-attention.js';
import { DEMO_PEOPLE } from './demo-people.js';
import { DEMO_POSTS } from './demo-posts.js';

const emails = DEMO_MEMBERS.map(({ email }) => email);
const names = new Set(emails.map((email) => email.split('@', 1)[0]));

/** What a member would be told who sent this. */
const faults = (type: new () => object, value: object): string[] =>
  validateSync(plainToInstance(type, value)).map((fault) => fault.toString());

describe('what demo members say', () => {
  it('is said of every member, once', () => {
    expect(DEMO_PEOPLE.map(({ email }) => email)).toEqual(emails);
    expect(new Set(emails).size).toBe(24);
    expect(DEMO_SIGN_INS).toBeLessThan(emails.length);
  });

  it('has a name in another script and one as long as can be', () => {
    const shown = DEMO_MEMBERS.map(({ name }) => name);
    expect(shown.some((name) => /^[\p{Script=Arabic}\s]+$/u.test(name))).toBe(true);
    expect(Math.max(...shown.map(codePoints))).toBeGreaterThan(45);
    expect(Math.max(...shown.map(codePoints))).toBeLessThanOrEqual(DISPLAY_NAME_MAX);
  });

  it.each(DEMO_PEOPLE)('could be said by a member: $email', (person) => {
    const { mood, status, occupation, ambitions, relationshipStatus, bio, location, website, card } = person;
    expect(faults(SelfDescriptionChangesDto, { mood, status, occupation, ambitions, relationshipStatus })).toEqual([]);
    expect(faults(ProfileChangesDto, { bio, location, ...(website !== undefined && { website }) })).toEqual([]);
    const { caption, hashtags } = card;
    expect(faults(NewContentDto, { mediaUrl: '/objects/uploads/x', caption, hashtags })).toEqual([]);
  });

  it.each(DEMO_POSTS)('could be posted: $caption', ({ author, caption, hashtags }) => {
    expect(emails).toContain(author);
    expect(faults(NewContentDto, { mediaUrl: '/objects/uploads/x', caption, hashtags })).toEqual([]);
  });

  it('is shown in clips by a third of the cards', () => {
    const clips = DEMO_PEOPLE.filter(({ card }) => card.kind === 'clip').length;
    expect(clips / DEMO_PEOPLE.length).toBeGreaterThan(0.25);
    expect(clips / DEMO_PEOPLE.length).toBeLessThan(0.45);
  });

  it('is written on the walls of others, once by each', () => {
    for (const [from, to, comment] of DEMO_WALL_COMMENTS) {
      expect([from, to, names.has(from), names.has(to), from !== to]).toEqual([from, to, true, true, true]);
      expect(faults(NewWallCommentDto, { comment })).toEqual([]);
    }
    const pairs = DEMO_WALL_COMMENTS.map(([from, to]) => `${from} ${to}`);
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  it('can be paid for by those who say it', () => {
    const spent = new Map<string, bigint>();
    const spend = (name: string, amount: bigint): void => void spent.set(name, (spent.get(name) ?? 0n) + amount);
    for (const [from, , comment] of DEMO_WALL_COMMENTS) spend(from, wallCommentPrice(codePoints(comment)));
    for (const [from, , times] of DEMO_UPVOTES) spend(from, CARD_UPVOTE_PRICE * BigInt(times));
    for (const { email, bought = 0, granted = 0 } of DEMO_MEMBERS.slice(DEMO_SIGN_INS)) {
      const [name = ''] = email.split('@', 1);
      // Three cards that everybody unlocks, and a Nova for each post.
      const rest = BigInt((bought + granted) * 100) - (spent.get(name) ?? 0n) - CARD_UPVOTE_PRICE * 3n - 10_000n;
      expect([name, rest > 0n]).toEqual([name, true]);
    }
  });
});
