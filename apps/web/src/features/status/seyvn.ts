import { SEYVN_PER_INFLUENCE, SEYVN_PER_KARMA } from '@app/domain';
import { addNova, minorToNova } from '@/shared/api';
import type { Burn } from './use-status';

/** What burning yields (S0 §9): earned Nova + 10 × Influence + 5 × Karma. */
export const seyvnOf = ({ earnedNovaAmount, karmaAmount, influenceAmount }: Burn): number =>
  addNova(
    earnedNovaAmount,
    influenceAmount * minorToNova(Number(SEYVN_PER_INFLUENCE)),
    karmaAmount * minorToNova(Number(SEYVN_PER_KARMA)),
  );
