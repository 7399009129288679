import { REPORT_MAX } from '@app/domain';
import { useState } from 'react';
import { formatCount } from '@/shared/api';
import { Button, cappedAt, Dialog, Field, StayOpen, Textarea, toast } from '@/shared/ui';
import type { ProfileCard } from './card-types';
import { useReportMember } from './use-discovery';

/** A report goes to the admins, with the member's own words. */
export function ReportDialog({ profile, onClose }: { profile: ProfileCard; onClose: () => void }) {
  const report = useReportMember();
  const [text, setText] = useState('');
  const send = () =>
    report.mutate(
      { memberId: profile.id, text: text.trim() },
      {
        onSuccess({ message }) {
          toast({ title: 'Reported', description: message });
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Report ${profile.displayName}`}
      description="Only the administrators read this."
      footer={
        <>
          <StayOpen while={report.isPending} />
          <Button disabled={report.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" disabled={text.trim() === ''} pending={report.isPending} onClick={send}>
            Send report
          </Button>
        </>
      }
    >
      <Field label="What happened?" hint={`At most ${formatCount(REPORT_MAX)} characters.`}>
        <Textarea value={text} onChange={(event) => setText(cappedAt(event.target.value, REPORT_MAX))} />
      </Field>
    </Dialog>
  );
}
