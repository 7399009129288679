import { parseAccountName, type AccountKind, ACCOUNT_KINDS } from '@app/domain';
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useAddressParameters } from '@/shared/hooks/use-address-parameters';
import { Card } from '@/shared/ui';
import { AccountList } from './account-list';
import { kindLabel, soleAccount } from './account-kinds';
import { EntryList } from './entry-list';
import { financePath } from './finance-address';
import { TrialBalanceCard } from './trial-balance';

const kindOf = (name: string | null): AccountKind | undefined => ACCOUNT_KINDS.find((kind) => kind === name);

/** From the trial balance to the accounts of a kind, to the entries of one: where one is, is in the address. */
export function BooksView() {
  const [parameters, changeAddress] = useAddressParameters();
  const at = parameters.get('at') ?? '';
  const revision = parameters.get('revision') ?? '';
  const account = parameters.get('account') ?? '';
  const kind = parseAccountName(account)?.kind ?? kindOf(parameters.get('kind'));
  if (kind === undefined) {
    const setMoment = (moment: string) =>
      changeAddress((address) => (moment === '' ? address.delete('at') : address.set('at', moment)));
    return <TrialBalanceCard at={at} onMoment={setMoment} />;
  }
  const isSole = soleAccount(kind, 'NOVA') !== null;
  return (
    <>
      <nav aria-label="Way through the books" className="mb-3">
        <ol className="flex flex-wrap items-center gap-x-1 text-sm text-ink-muted">
          <Crumb to={financePath({ at })}>Trial balance</Crumb>
          {account !== '' && !isSole && <Crumb to={financePath({ at, revision, kind })}>{kindLabel(kind)}</Crumb>}
          <li aria-current="page" className="inline-flex min-h-11 items-center text-ink">
            {account === '' || isSole ? kindLabel(kind) : 'Entries'}
          </li>
        </ol>
      </nav>
      {account === '' ? (
        <AccountList key={`${kind} ${revision}`} kind={kind} at={at} revision={revision} />
      ) : (
        <Card
          title={isSole ? kindLabel(kind) : 'Entries'}
          description={
            <>
              <code className="wrap-anywhere">{account}</code>
              {upTo(revision)}
            </>
          }
          flush
        >
          <EntryList key={`${account} ${revision}`} asked={{ account, revision }} />
        </Card>
      )}
    </>
  );
}

/** Drilling down stays at the moment of the total. */
const upTo = (revision: string): string => (revision === '' ? '' : `, up to event ${revision}`);

function Crumb({ to, children }: { to: string; children: string }) {
  return (
    <li className="inline-flex items-center gap-1">
      <Link
        to={to}
        className="inline-flex min-h-11 items-center underline decoration-line-strong underline-offset-4 hover:text-ink"
      >
        {children}
      </Link>
      <ChevronRight aria-hidden="true" className="size-4 text-ink-faint" />
    </li>
  );
}
