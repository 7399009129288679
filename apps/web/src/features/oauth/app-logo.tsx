import { clsx } from 'clsx';
import { AppWindow } from 'lucide-react';
import { Avatar } from 'radix-ui';
import { webAddress } from './web-address';

const sizes = { md: 'size-10', lg: 'size-14' };

/** An application's logo; a default icon until it has loaded, and if there is none. */
export function AppLogo({ src, size = 'md' }: { src: string | null | undefined; size?: keyof typeof sizes }) {
  return (
    <Avatar.Root
      aria-hidden="true"
      className={clsx(
        'inline-grid shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-sky-700 text-ink-muted',
        sizes[size],
      )}
    >
      {/* The logo's server must not learn where the logo is shown. */}
      <Avatar.Image
        src={webAddress(src) ?? undefined}
        alt=""
        referrerPolicy="no-referrer"
        className="size-full object-cover"
      />
      <Avatar.Fallback>
        <AppWindow className={size === 'lg' ? 'size-6' : 'size-5'} />
      </Avatar.Fallback>
    </Avatar.Root>
  );
}
