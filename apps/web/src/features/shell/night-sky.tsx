import { useBackgroundVisibility } from './background-visibility';

/**
 * The special background of signed-in pages (rule screens-7): a dusk that is always there, and as many stars as the
 * member wants.
 */
export function NightSky() {
  const [percent] = useBackgroundVisibility();
  return (
    <div aria-hidden="true" className="fixed inset-0 -z-10 bg-sky-950 print:hidden">
      <div className="absolute inset-0 bg-[radial-gradient(80rem_36rem_at_50%_-14rem,var(--color-sky-700),transparent)] opacity-60" />
      {percent > 0 && (
        <img
          src="/landing-poster.webp"
          alt=""
          className="absolute inset-0 size-full object-cover"
          style={{ opacity: percent / 100 }}
        />
      )}
    </div>
  );
}
