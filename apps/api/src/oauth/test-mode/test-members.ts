import { hash } from 'node:crypto';
import { TEST_MEMBER_HEAD } from '@app/domain';
import type { AccountClaims } from 'oidc-provider';

/** A made-up member of an application's test mode (rule apps-11). */
export interface TestMember {
  readonly id: string;
  readonly name: string;
  /** What sets it apart, in a short sentence. */
  readonly about: string;
}

const MEMBERS = [
  { name: 'Test Ada', about: 'Has 12,500 Nova, most of it bought', word: 'ada' },
  { name: 'Test Ben', about: 'Has 100 Nova', word: 'ben' },
  { name: 'Test Cleo', about: 'Has no Nova', word: 'cleo' },
] as const;

const DEVELOPER = 0;

/** A UUIDv8 that ends with the member's number. */
function testId(testClientId: string, generation: number, number: number): string {
  const digits = hash('sha256', `${testClientId}\n${generation}`, 'hex');
  return `${TEST_MEMBER_HEAD}${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 17)}${number}`;
}

/** The made-up developer to whom the test wallet belongs. */
export const testDeveloperId = (testClientId: string, generation: number): string =>
  testId(testClientId, generation, DEVELOPER);

/** The three made-up members of an application; after a reset they are others. */
export const testMembersOf = (testClientId: string, generation: number): TestMember[] =>
  MEMBERS.map(({ name, about }, place) => ({ id: testId(testClientId, generation, place + 1), name, about }));

/** The name of a made-up member, or developer, by id. */
export const testNameOf = (id: string): string => MEMBERS[Number(id.at(-1)) - 1]?.name ?? 'Test developer';

/** As a member's: one of the three has a confirmed address. */
export function testClaims(sub: string): AccountClaims {
  const word = MEMBERS[Number(sub.at(-1)) - 1]?.word ?? 'nobody';
  return {
    sub,
    name: testNameOf(sub),
    email: `${word}.test@example.com`,
    email_verified: word === 'ada',
    bio: 'A made-up member for tests.',
    rating: TEST_RATING,
  };
}

/** That of a member whom nobody has rated. */
export const TEST_RATING = 5;
