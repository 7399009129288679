import { AFFINITY_TITLES, descriptorOf, type AffinityScores } from '@app/domain';
import { useId } from 'react';
import { brightestOf, outline, reachOf, starsOf, type Star } from './star-map-geometry';

const RADIUS = 120;
const LABEL_RADIUS = 135;
const RINGS = [25, 50, 75, 100];

/**
 * The fifteen scores as a constellation: the higher a score, the further out its star. The sliders say the same as
 * text.
 */
export function StarMap({ scores }: { scores: AffinityScores }) {
  const sky = useId();
  const stars = starsOf(scores, RADIUS, LABEL_RADIUS);
  const brightest = brightestOf(scores);
  return (
    <figure className="rounded-md border border-line bg-sky-950/60 p-3">
      <svg aria-hidden="true" viewBox="-212 -156 442 312" className="mx-auto hidden w-full sm:block">
        <Constellation stars={stars} skyId={sky} />
        {stars.map(({ trait, title, label }) => (
          <text
            key={trait}
            x={label.x}
            y={label.y}
            textAnchor={label.anchor}
            dominantBaseline="middle"
            fontSize={13}
            className="fill-ink-muted"
          >
            {title}
          </text>
        ))}
      </svg>
      <svg aria-hidden="true" viewBox="-132 -132 264 264" className="mx-auto w-full max-w-72 sm:hidden">
        <Constellation stars={stars} skyId={`${sky}-small`} />
      </svg>
      <figcaption className="mt-2 text-center text-sm text-ink-muted">
        {brightest.length === 0
          ? 'Move a slider and watch your constellation take shape.'
          : `Brightest: ${brightest.map((trait) => `${AFFINITY_TITLES[trait]} (${descriptorOf(trait, scores[trait])})`).join(', ')}`}
      </figcaption>
    </figure>
  );
}

function Constellation({ stars, skyId }: { stars: readonly Star[]; skyId: string }) {
  return (
    <>
      <defs>
        <radialGradient id={skyId}>
          <stop offset="0%" className="[stop-color:var(--color-nova)]" stopOpacity="0.34" />
          <stop offset="100%" className="[stop-color:var(--color-nova)]" stopOpacity="0.1" />
        </radialGradient>
      </defs>
      {RINGS.map((ring) => (
        <circle
          key={ring}
          r={RADIUS * reachOf(ring)}
          strokeDasharray={ring === 50 ? undefined : '1 5'}
          className="fill-none stroke-line-strong"
        />
      ))}
      {stars.map(({ trait, rim }) => (
        <line key={trait} x2={rim.x} y2={rim.y} className="stroke-line" />
      ))}
      <polygon points={outline(stars)} fill={`url(#${skyId})`} strokeLinejoin="round" className="stroke-nova" />
      {stars.map(({ trait, x, y, score }) => (
        <g key={trait} transform={`translate(${x} ${y})`}>
          <circle r={3 + score / 20} className="fill-nova/20" />
          <path d={sparkle(2 + score / 22)} className="fill-nova-bright" />
        </g>
      ))}
    </>
  );
}

/** A four-pointed star around 0,0. */
const sparkle = (size: number): string => {
  const waist = size * 0.28;
  return `M0 ${-size}L${waist} ${-waist}L${size} 0L${waist} ${waist}L0 ${size}L${-waist} ${waist}L${-size} 0L${-waist} ${-waist}Z`;
};
