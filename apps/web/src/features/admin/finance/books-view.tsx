import { ACCOUNT_KINDS, type AccountKind, parseAccountName } from '@app/domain';
import { Wallet } from 'lucide-react';
import { Link } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import { useAddressParameters } from '@/shared/hooks/use-address-parameters';
import { Card, EmptyState, ErrorNote, LoadMore } from '@/shared/ui';
import { SkeletonRows } from '../list-body';
import { kindLabel, ownerLabel, soleAccount } from './account-kinds';
import { Crumbs } from './crumbs';
import { CurrencyAmount } from './currency-amount';
import { EntryList } from './entry-list';
import { financePath } from './finance-address';
import { TrialBalanceCard } from './trial-balance';
import { type LedgerAccount, useAccounts } from './use-finance';

const kindOf = (name: string | null): AccountKind | undefined => ACCOUNT_KINDS.find((kind) => kind === name);

/** From the trial balance to the accounts of a kind, then to the entries of one. The address says which is shown. */
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
      <Crumbs
        steps={[
          { to: financePath({ at }), label: 'Trial balance' },
          ...(account !== '' && !isSole ? [{ to: financePath({ at, revision, kind }), label: kindLabel(kind) }] : []),
        ]}
        here={account === '' || isSole ? kindLabel(kind) : 'Entries'}
      />
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

const SKELETON_ROWS = 10;

interface AccountListProps {
  kind: AccountKind;
  at: string;
  revision: string;
}

/** The accounts that make up a total, each with its balance at that moment and a link to its entries. */
function AccountList({ kind, at, revision }: AccountListProps) {
  const list = useAccounts({ kind, revision });
  const accounts = list.data?.pages.flatMap((page) => page.accounts) ?? [];
  const failure = list.error === null ? null : errorSentence(list.error, 'The accounts could not be loaded.');
  return (
    <Card
      title={kindLabel(kind)}
      description={`Accounts that were not at zero${revision === '' ? '' : ` after event ${revision}`}, sorted by id.`}
      flush
    >
      {failure !== null && accounts.length === 0 && (
        <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {failure}
        </ErrorNote>
      )}
      {list.isPending && <SkeletonRows label="Loading accounts" count={SKELETON_ROWS} />}
      {list.isSuccess && accounts.length === 0 && (
        <EmptyState icon={Wallet} title="No account" text="At that moment all accounts of this kind were empty." />
      )}
      {accounts.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {accounts.map((account) => (
            <li key={account.account}>
              <AccountRow account={account} to={financePath({ at, revision, kind, account: account.account })} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={list} failure={accounts.length > 0 ? failure : null} />
    </Card>
  );
}

function AccountRow({ account: { account, owner, balance, currency }, to }: { account: LedgerAccount; to: string }) {
  return (
    <Link
      to={to}
      className="flex min-h-14 items-center justify-between gap-x-4 px-4 py-2 text-sm cramped:flex-wrap hover:bg-sky-700/40 focus-visible:-outline-offset-2 sm:px-6"
    >
      <span className="min-w-0">
        <bdi className="block truncate text-left text-ink">{ownerLabel(account, owner)}</bdi>
        <code className="block truncate text-xs text-ink-faint">{account}</code>
      </span>
      <CurrencyAmount value={balance} currency={currency} className="shrink-0 text-ink" />
    </Link>
  );
}
