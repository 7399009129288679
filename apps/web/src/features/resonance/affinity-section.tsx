import { AFFINITY_TRAITS, type AffinityScores, type AffinityTrait } from '@app/domain';
import { Card } from '@/shared/ui';
import { AffinityRow } from './affinity-row';
import { StarMap } from './star-map';

export interface AffinitySectionProps {
  scores: AffinityScores;
  onScoreChange: (trait: AffinityTrait, score: number) => void;
}

/** Fifteen traits, and the figure that they make. */
export function AffinitySection({ scores, onScoreChange }: AffinitySectionProps) {
  return (
    <Card
      title="Affinity"
      description="Place yourself on fifteen scales. The middle is balanced, and a fine place to be."
    >
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:gap-10">
        <div className="lg:order-last">
          <div className="lg:sticky lg:top-24">
            <StarMap scores={scores} />
          </div>
        </div>
        <ul className="grid grid-cols-1 content-start divide-y divide-line">
          {AFFINITY_TRAITS.map((trait) => (
            <AffinityRow key={trait} trait={trait} score={scores[trait]} onScoreChange={onScoreChange} />
          ))}
        </ul>
      </div>
    </Card>
  );
}
