import { NovaMark } from '@/shared/ui';

/** Where the stars go, and when. */
const STARS = [
  'left-1/2 top-0 [--to-x:-6px] [--to-y:-22px]',
  'right-0 top-1 [--to-x:20px] [--to-y:-12px] [animation-delay:90ms]',
  'right-0 bottom-1 [--to-x:18px] [--to-y:14px] [animation-delay:180ms]',
  'left-0 bottom-0 [--to-x:-16px] [--to-y:16px] [animation-delay:60ms]',
  'left-0 top-1 [--to-x:-20px] [--to-y:-10px] [animation-delay:140ms]',
];

/** A few stars leave a completed quest, once. Nothing moves for those who asked for less motion. */
export function CompletionStars() {
  return (
    <span aria-hidden="true" className="pointer-events-none absolute inset-0 motion-reduce:hidden">
      {STARS.map((place) => (
        <NovaMark key={place} className={`absolute size-2.5 animate-scatter ${place}`} />
      ))}
    </span>
  );
}
