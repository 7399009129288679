import { SEYVN_PER_INFLUENCE, SEYVN_PER_KARMA } from '@app/domain';
import { addNova, minorToNova, parseNova, type Schemas } from '@/shared/api';
import type { Dashboard } from './status-types';

/** What a member gives up for Seyvn. */
export type Burn = Required<Schemas['BurnTokensDto']>;

export type BurnPart = 'nova' | 'karma' | 'influence';

/** The amounts as typed. */
export type BurnTexts = Record<BurnPart, string>;

type Holdings = Pick<Dashboard, 'earnedNova' | 'karmaTokenBalance' | 'influenceTokens'>;

/** What burning yields (rule status-2): earned Nova + 10 × Influence + 5 × Karma. */
export const seyvnOf = ({ earnedNovaAmount, karmaAmount, influenceAmount }: Burn): number =>
  addNova(
    earnedNovaAmount,
    influenceAmount * minorToNova(Number(SEYVN_PER_INFLUENCE)),
    karmaAmount * minorToNova(Number(SEYVN_PER_KARMA)),
  );

/** The initial amount is 100 earned Nova, or less if the member has less (rule status-3). */
const NOVA_TO_BEGIN_WITH = 100;

export const firstTexts = ({ earnedNova }: Holdings): BurnTexts => ({
  nova: String(Math.min(NOVA_TO_BEGIN_WITH, earnedNova)),
  karma: '0',
  influence: '0',
});

export type BurnReading =
  { ok: true; burn: Burn } | { ok: false; complaints: { readonly [part in BurnPart]?: string | undefined } };

const WHOLE = /^\d{1,9}$/;

/** The typed amounts, or what is wrong with each. An empty field means none of that part. */
export function readBurn(texts: BurnTexts, holdings: Holdings): BurnReading {
  const nova = texts.nova.trim() === '' ? 0 : parseNova(texts.nova);
  const karma = readTokens(texts.karma);
  const influence = readTokens(texts.influence);
  const complaints = {
    nova: nova === null ? 'Write an amount with at most two decimals.' : excess(nova, holdings.earnedNova),
    karma: karma === null ? 'Write a whole number.' : excess(karma, holdings.karmaTokenBalance),
    influence: influence === null ? 'Write a whole number.' : excess(influence, holdings.influenceTokens),
  };
  const isFine = Object.values(complaints).every((complaint) => complaint === undefined);
  if (!isFine || nova === null || karma === null || influence === null) return { ok: false, complaints };
  return { ok: true, burn: { earnedNovaAmount: nova, karmaAmount: karma, influenceAmount: influence } };
}

function readTokens(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  return WHOLE.test(trimmed) ? Number(trimmed) : null;
}

const excess = (amount: number, held: number): string | undefined =>
  amount > held ? 'You have less than that.' : undefined;
