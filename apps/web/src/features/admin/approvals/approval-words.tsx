import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { minorToNova, sayAmount } from '@/shared/api';
import { eventPath } from '../admin-sections';
import { MemberLink } from '../member-link';
import type { Approval } from './use-approvals';

/** Limits come in minor units, as text; null is none. */
const limitText = (minor: unknown): string =>
  typeof minor === 'string' ? sayAmount(minorToNova(Number(minor))) : 'none';

/** What each kind of act would do. */
const WORDS: Readonly<Record<string, (approval: Approval, member: ReactNode) => ReactNode>> = {
  grant: ({ amount }, member) => (
    <>
      Add {sayAmount(amount ?? 0)} to {member}
    </>
  ),
  deduction: ({ amount }, member) => (
    <>
      Deduct {sayAmount(amount ?? 0)} from {member}
    </>
  ),
  bulk: ({ amount, details }) => (
    <>
      Grant {sayAmount(amount ?? 0)} by a file of {String(details['rows'])} rows,{' '}
      {details['mode'] === 'atomic' ? 'all or none' : 'all valid rows'}
    </>
  ),
  reversal: ({ amount, details }, member) => (
    <>
      Reverse{' '}
      <Link to={eventPath(String(details['eventId']))} className="underline underline-offset-4">
        a movement
      </Link>{' '}
      of {sayAmount(amount ?? 0)} by <span>{member}</span>
      {details['partly'] === true && <span>, as far as it is still there</span>}
    </>
  ),
  'make-admin': (_, member) => (
    <>
      Make <span>{member}</span> an admin
    </>
  ),
  'unmake-admin': (_, member) => <>Take the admin rights of {member}</>,
  controls: ({ details }) => (
    <>
      Set the limits: second admin above {limitText(details['threshold'])}, daily cap {limitText(details['dailyCap'])}
    </>
  ),
};

/** An act in words; an unknown kind by its name. */
export function ApprovalWords({ approval }: { approval: Approval }) {
  const { kind, target } = approval;
  const member = target === null ? 'a deleted member' : <MemberLink name={target.displayName} />;
  return <>{WORDS[kind]?.(approval, member) ?? kind}</>;
}
