import { Link } from 'react-router-dom';
import { useCurrentUser } from '@/shared/api';
import { NovaMark } from '@/shared/ui';
import { SCROLL_PRICE_NOVA } from './scroll-charges';

/** What reading costs, and what to do without a balance. */
export function ReadingPrice() {
  const balance = useCurrentUser().data?.novaBalance;
  const isShort = balance !== undefined && balance < SCROLL_PRICE_NOVA;
  return (
    <p className="px-1 text-xs text-ink-muted">
      <NovaMark className="mr-1.5 inline size-3.5 align-[-2px]" />
      Reading a new post costs {SCROLL_PRICE_NOVA} Nova, from your first scroll or tap on. Half of it goes to its
      author.
      {isShort && (
        <>
          {' '}
          <Link to="/wallet?topup=1" className="font-medium text-nova underline underline-offset-2">
            Top up to pay for what you read
          </Link>
        </>
      )}
    </p>
  );
}
