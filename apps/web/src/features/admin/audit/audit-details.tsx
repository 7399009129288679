import { Amount } from '@/shared/ui';
import { MemberLink } from '../member-link';
import type { AuditEntry } from './use-audit';

/** Whom it concerns. */
export function AuditTarget({ entry: { action, targetId, targetName } }: { entry: AuditEntry }) {
  if (targetName !== null) return <MemberLink name={targetName} />;
  const what = action.startsWith('Email') ? 'An e-mail address' : targetId;
  return <span className="break-all text-ink-faint">{what ?? '–'}</span>;
}

/** How much, or what rating; nothing for what has neither. */
export function AuditFigure({ entry: { action, amount, rating } }: { entry: AuditEntry }) {
  if (rating !== null) return <span className="tabular-nums">{rating.toFixed(2)}</span>;
  if (amount === null) return <span className="text-ink-faint">–</span>;
  const isMovement = action === 'NovaGranted' || action === 'NovaDeducted';
  return <Amount value={action === 'NovaDeducted' ? -amount : amount} signed={isMovement} />;
}
